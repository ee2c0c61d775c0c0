"""From votes to a student: what one learns from an aggregator's answers, marked on the test set.

A student is made from public pictures and released answers, so it costs nothing beyond them. It may
look through another encoder than the teachers, or through none and learn from pixels. The pool it
learns from is public and holds no test picture. How right it is, is measured on the test set.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass, field

import numpy as np

from dpviz.data.imbalance import minority_classes
from dpviz.diagnostics import pate_votes, vote_answers
from dpviz.diagnostics.pate_votes import Poll, Progress
from dpviz.experiments import experiment
from dpviz.methods.components import pixel_students, students
from dpviz.privacy.vote_ledger import Setting
from dpviz.stats import Interval, band
from dpviz.types import DataConfig, Dataset, DpvizError, Release, Scores, unit_rows

PIXELS = "pixels"
MAX_TESTED = 2000
"""Test pictures on which a student of pixels is marked, evenly from the set, where it has more."""


@dataclass(frozen=True)
class Course:
    """All that decides some students: votes, aggregation, how and on what they learn.

    Attributes:
        poll: the teachers; setting: how votes become answers; queries: how many are asked at most.
        kind: of ``students.KINDS``; of ``pixel_students.KINDS`` for one of pixels.
        sees: encoder that the student looks through; "" for the teachers', PIXELS for none.
        seeds: of the noise, one student each.
    """

    poll: Poll
    setting: Setting
    queries: int
    kind: str = "supervised"
    sees: str = ""
    seeds: tuple[int, ...] = (0, 1, 2)

    @property
    def method(self) -> str:
        """What a log calls it."""
        return f"students of {self.poll.method}"

    @property
    def material(self) -> DataConfig:
        """What the teachers read."""
        return self.poll.material


@dataclass(frozen=True, eq=False)
class Marks:
    """What the students of a course got right.

    Attributes:
        scores: of each seed; answered: queries answered; right: share of the answers that are
            right, nan where not known.
        query_count: queries that were asked; epsilon: promised at the course's δ, whatever the
            votes, all queries counted as answered; seconds: that learning and marking took.
    """

    course: Course
    scores: tuple[Scores, ...] = field(repr=False)
    answered: tuple[int, ...]
    right: tuple[float, ...]
    query_count: int
    epsilon: float
    seconds: float

    @property
    def accuracy(self) -> Interval:
        """Share of test records right, by seeds and test records together."""
        return band(self.scores, "overall")

    @property
    def answers_right(self) -> float:
        """Mean share of the answers that are right; nan where none is known."""
        known = [share for share in self.right if share == share]
        return float(np.mean(known)) if known else float("nan")


def taught(material: DataConfig, course: Course, progress: Progress) -> Marks:
    """Train, or recall, the teachers, answer the queries with each seed's noise, and teach.

    Raises:
        DpvizError: where pixels are wanted and there are no pictures, or another encoder does not
            find the same public records.
    """
    votes, _ = pate_votes.count_votes(material, course.poll.ensemble, progress)
    started = time.perf_counter()
    data = experiment.prepared(material, progress)
    counts = votes.counts[: course.queries]
    given = [vote_answers.answer(counts, course.setting, seed) for seed in course.seeds]
    promised = pate_votes.guarantee_of(material, given[0], len(counts))
    rest = len(votes.rows) - len(counts)
    released = [np.pad(one.labels, (0, rest), constant_values=-1) for one in given]
    if course.sees == PIXELS:
        scores = _of_pixels(data, votes.rows, released, course.kind, progress)
    else:
        seen = _student_view(material, data, course.sees, progress)
        scores = _of_features(seen, votes.rows, released, course.kind, progress)
    return Marks(
        course,
        tuple(scores),
        tuple(int(one.answered.sum()) for one in given),
        tuple(pate_votes.accuracy(one, votes.truth[: len(counts)]) for one in given),
        len(counts),
        promised.epsilon_delta,
        time.perf_counter() - started,
    )


def _student_view(material: DataConfig, data: Dataset, sees: str, progress: Progress) -> Dataset:
    """The same records through the student's encoder."""
    if not sees or sees == material.encoder:
        return data
    seen = experiment.prepared(dataclasses.replace(material, encoder=sees, features=""), progress)
    if len(seen.public) != len(data.public) or not np.array_equal(seen.y_test, data.y_test):
        raise DpvizError(
            f"Encoder {sees} does not have the same public and test records. Use the teachers'"
            " encoder for the student."
        )
    return seen


def _of_features(
    seen: Dataset, rows: np.ndarray, released: list[np.ndarray], kind: str, progress: Progress
) -> list[Scores]:
    """Linear heads, as the PATE methods make them from the same answers."""
    x, start = unit_rows(seen.public[rows]), np.zeros((seen.classes, seen.x.shape[1]), np.float32)
    small, level, results = (
        minority_classes(seen.counts, seen.draw),
        np.zeros(seen.classes, np.float32),
        [],
    )
    for number, labels in enumerate(released):
        progress("Students learn from the answers", number, len(released))
        head = students.student(kind, x, labels, start)
        results.append(experiment.score(Release(head, level), seen, small))
    return results


def _of_pixels(
    data: Dataset, rows: np.ndarray, released: list[np.ndarray], kind: str, progress: Progress
) -> list[Scores]:
    if data.thumbnails is None:
        raise DpvizError(
            "A student from scratch needs images, which these features lack. Use the teachers'"
            " encoder for the student."
        )
    count = len(data.y_test)
    tested = np.linspace(0, count - 1, min(MAX_TESTED, count)).astype(np.int64)
    pool, query_count = (
        pixel_students.prepared(np.array(data.thumbnails(*place)))
        for place in (("public", rows), ("test", tested))
    )
    learned_as = kind if kind in pixel_students.KINDS else "fixmatch"
    mirrored = pixel_students.mirrors(data.class_names)
    made = (
        pixel_students.predicted(
            learned_as, pool, labels, query_count, data.classes, mirrored, progress
        )
        for labels in released
    )
    small, y = minority_classes(data.counts, data.draw), data.y_test[tested]
    return [experiment.marked(answers == y, y, data.classes, small) for answers in made]


def python(course: Course) -> str:
    """Python that gives these students' marks again."""
    return (
        "from dpviz.diagnostics import vote_students\nfrom dpviz.diagnostics.pate_votes import"
        " Poll\nfrom dpviz.diagnostics.vote_students import Course\nfrom"
        " dpviz.methods.components.teachers import Ensemble\nfrom dpviz.privacy.vote_ledger import"
        " Setting\nfrom dpviz.types import DataConfig\nfrom math import inf\n\n"
        f"course = {course!r}\n"
        "marks = vote_students.taught(course.material, course, lambda *stage: None)\n"
        "print(marks.accuracy, marks.answered, marks.epsilon)"
    )
