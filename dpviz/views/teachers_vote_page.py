"""Answer, tiles and finding of the PATE page, its students, and figures printed in papers.

Figures of Li et al. 2023 (Prom-PATE) and of other methods there are about other data and encoders,
so they are not comparable with computed numbers. Labels mark them as "from the paper".
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean
from typing import Any

from dpviz.data import DATASETS
from dpviz.data.synthetic import KEY as SYNTHETIC
from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.pate_votes import Poll
from dpviz.diagnostics.vote_students import PIXELS, Course
from dpviz.formatting import budget_text, number_up, percent, percent_up
from dpviz.lazy_imports import stats
from dpviz.methods.components import students, teachers
from dpviz.plots.teachers import PrintedStudent
from dpviz.stats import Interval
from dpviz.text import method_tiles
from dpviz.text import teachers_vote as text
from dpviz.text.guarantee import WHY_GUESSES_DIFFER
from dpviz.text.template import render, render_text
from dpviz.types import Budget, DataConfig, Guarantee
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis


@dataclass(frozen=True)
class VoteOutcome:
    """Result of a vote.

    Attributes:
        teachers: how many; records: private images of each.
        queries, answered: number of queries, and of answers.
        right: correct answers; labeled: answers to queries whose class is known.
        teacher_accuracy: of one teacher alone on test images.
        most_votes: for a class on any query.
        threshold: that a class must reach, -inf without a test.
    """

    teachers: int
    records: float
    queries: int
    answered: int
    right: int
    labeled: int
    teacher_accuracy: float
    most_votes: int
    threshold: float

    @property
    def unreached(self) -> bool:
        """Whether no query has as many votes as the threshold."""
        return self.most_votes < self.threshold


def answer(
    outcome: VoteOutcome,
    guarantee: Guarantee,
    precise: bool,
    public: Interval | None = None,
    student: Interval | None = None,
) -> str:
    """Return how many queries are answered, and how many of these correctly.

    Args:
        guarantee: for as many answers as queries, which holds for any votes; public: accuracy of
            public images alone, student: of a student of the answers, where they are known.
    """
    budget = budget_text(Budget(guarantee.epsilon_delta, delta=guarantee.delta), number_up)
    if guarantee.of_record is not None:
        budget = render(text.PER_PERSON, budget=budget)
    if outcome.unreached:
        return text.ANSWERS["unreached"].fill(
            precise, most=outcome.most_votes, threshold=outcome.threshold, budget=budget
        )
    if not outcome.answered:
        return text.ANSWERS["none"].fill(precise, asked=outcome.queries, budget=budget)
    fields: dict[str, Any] = {"answered": outcome.answered / outcome.queries, "budget": budget}
    fields |= {"count": outcome.answered, "asked": outcome.queries}
    fields |= {"correct": outcome.right, "known": outcome.labeled}
    if not outcome.labeled:
        return text.ANSWERS["unknown"].fill(precise, **fields)
    case = "known" if outcome.labeled == outcome.answered else "partly"
    words = text.ANSWERS[case].fill(precise, right=outcome.right / outcome.labeled, **fields)
    return f"{words} {_worth(student, public)}".rstrip()


def _worth(student: Interval | None, public: Interval | None) -> str:
    """Return how a student of the answers compares with public images alone; empty if unknown.

    Both classify test images. The answers themselves are about public images, on which the
    classifier of public images alone is trained.
    """
    if student is None or public is None or not (public.is_measured and student.is_measured):
        return ""
    case = "better" if student.low > public.high else "level"
    return text.STUDENT_ALONE["worse" if public.low > student.high else case]


def tiles(
    outcome: VoteOutcome,
    guarantee: Guarantee,
    public: Interval | None,
    student: Interval | None = None,
) -> list[Tile]:
    """Return the tiles.

    Args:
        public: accuracy of public images alone; student: of a student of the answers; None until
            they are computed.
    """
    note = text.TILE_ANSWERS_NOTE_PARTLY
    if outcome.labeled == outcome.answered:
        note = text.TILE_ANSWERS_NOTE
    elif not outcome.labeled:
        note = text.TILE_ANSWERS_NOTE_UNKNOWN
    counts = {"right": outcome.right, "known": outcome.labeled}
    guess = percent_up(attack_bound.success_bound(guarantee))
    pending = method_tiles.PENDING if outcome.answered else text.NO_STUDENT
    return [
        Tile(
            text.TILE_ANSWERS,
            render_text(text.TILE_ANSWERS_VALUE, answered=outcome.answered, asked=outcome.queries),
            render_text(note, **counts),
            text.TILE_ANSWERS_HELP,
        ),
        Tile(
            text.TILE_GUESS,
            f"{guess}%",
            render_text(text.TILE_GUESS_NOTE, epsilon=number_up(guarantee.epsilon_delta, 3)),
            f"{text.TILE_GUESS_HELP} {WHY_GUESSES_DIFFER}",
            runs=guess_basis(guarantee),
        ),
        Tile(
            text.TILE_STUDENT,
            pending if student is None else percent(student),
            text.TILE_STUDENT_NOTE if outcome.answered else text.TILE_STUDENT_NONE,
            render_text(
                text.TILE_STUDENT_HELP,
                images=round(outcome.records),
                teacher=outcome.teacher_accuracy,
            ),
        ),
        Tile(
            text.TILE_PUBLIC,
            method_tiles.PENDING if public is None else percent(public),
            text.TILE_PUBLIC_NOTE,
            text.TILE_PUBLIC_HELP,
        ),
    ]


def chart_title(votes: Sequence[int], outcomes: Sequence[str], threshold: float) -> str:
    """Return the finding above the chart: which results the noise of the test changes.

    Args:
        votes: of the winning class, by query; outcomes: ``right``, ``refused``, … by query.
        threshold: in votes; -inf without a test.
    """
    if threshold == -math.inf:
        return text.CHART_TITLES["all"]
    above, below = _answered_sides(votes, outcomes, threshold)
    answers, unanswered = sum(below), len(above) - sum(above)
    case = "both" if answers and unanswered else "below" if answers else "above"
    case = case if answers or unanswered else "neither"
    return render(text.CHART_TITLES[case], below=answers, above=unanswered)


def answered_by_side(votes: Sequence[int], outcomes: Sequence[str], threshold: float) -> str:
    """Return how many queries are answered on each side; "" without a test.

    Args:
        votes: of the winning class, by query; outcomes: ``right``, ``refused``, … by query.
        threshold: in votes; -inf without a test.
    """
    above, below = _answered_sides(votes, outcomes, threshold)
    case = "both" if above and below else "above" if above else "below"
    return render(
        text.ANSWERED_BY_SIDE["all" if threshold == -math.inf else case],
        above=sum(above),
        high=len(above),
        below=sum(below),
        low=len(below),
    )


def _answered_sides(
    votes: Sequence[int], outcomes: Sequence[str], threshold: float
) -> tuple[list[bool], list[bool]]:
    """Return whether each query is answered: of queries at or above the threshold, and below."""
    pairs = list(zip(votes, outcomes, strict=True))
    above = [outcome != "refused" for count, outcome in pairs if count >= threshold]
    return above, [outcome != "refused" for count, outcome in pairs if count < threshold]


def correct_by_side(
    votes: Sequence[int], outcomes: Sequence[str], threshold: float, teachers: int
) -> str:
    """Return how often answers with many and with few votes are right; "" where it is not known.

    Args:
        votes: of the winning class, by query; outcomes: ``right``, ``wrong``, … by query.
        threshold: in votes; without a test, -inf, a majority of the teachers counts.
    """
    is_tested = threshold > -math.inf
    bar = threshold if is_tested else teachers / 2
    sides: dict[bool, list[bool]] = {True: [], False: []}
    for count, outcome in zip(votes, outcomes, strict=True):
        if outcome in ("right", "wrong"):
            sides[count >= bar].append(outcome == "right")
    above, below = (fmean(side) if side else None for side in (sides[True], sides[False]))
    if not is_tested:
        case = "majority" if above is not None and below is not None else "unknown"
    elif above is not None:
        case = "both" if below is not None else "above"
    else:
        case = "below" if below is not None else "unknown"
    if case in ("both", "majority") and not _is_clear(sides[True], sides[False]):
        case += "_unclear"
    return render(text.CORRECT_BY_SIDE[case], above=above, below=below)


def _is_clear(first: Sequence[bool], second: Sequence[bool]) -> bool:
    """Return whether the shares of two groups of answers differ (Fisher's exact test, 5%)."""
    table = [[sum(group), len(group) - sum(group)] for group in (first, second)]
    return bool(stats.fisher_exact(table).pvalue < 0.05)


#: Courses by panel and name; one choice varies a panel.
Panels = dict[str, dict[str, Course]]

THRESHOLDS = (0, 40, 60, 80, 100)
TEST_NOISE = (10, 20, 40, 80)
VOTE_NOISE = (5, 10, 20, 40, 80)
QUERIES = (20, 50, 100, 200, 500, 1000, 2000)
TEACHERS = (20, 50, 100, 250, 500, 1000, 2000)
HEADCOUNTS = (20, 50, 100, 250, 500)
RATIOS = (0.5, 0.75, 0.9)
#: Teachers of each prompted ensemble, which take most of a minute on a CPU.
PROMPTED = 4
#: Rows of Table 3: what teachers learn, and what the student sees.
LETTERS = {"A": ("fc1", ""), "B": ("fc1", PIXELS), "C": ("linear", ""), "D": ("linear", PIXELS)}
LETTERS |= {"E": ("scratch", ""), "F": ("scratch", PIXELS)}


def one_at_a_time(course: Course, maximum: int) -> tuple[Panels, dict[str, str]]:
    """Return panels that vary one setting each, and the name of ``course`` in each.

    Noise and threshold are shares of the teachers, as on the page's sliders. Where the number of
    teachers varies, the noise in votes stays, so that the guarantee does.

    Args:
        maximum: number of available queries.
    """
    setting, size = course.setting, course.poll.ensemble.teachers
    percent = lambda votes: round(100 * votes / size)
    panels: Panels = {
        text.PANELS["sigma2"]: {
            f"{v}%": _changed_course(course, sigma2=v * size / 100)
            for v in _with_stop(VOTE_NOISE, percent(setting.sigma2))
        },
        text.PANELS["queries"]: {
            str(q): dataclasses.replace(course, queries=q)
            for q in _with_stop(QUERIES, min(course.queries, maximum))
            if q <= maximum
        },
        text.PANELS["teachers"]: {
            str(m): _with_teachers(course, m) for m in _with_stop(TEACHERS, size)
        },
    }
    names = {
        text.PANELS["sigma2"]: f"{percent(setting.sigma2)}%",
        text.PANELS["queries"]: str(min(course.queries, maximum)),
        text.PANELS["teachers"]: str(size),
    }
    if setting.tests:
        first = (text.PANELS["threshold"], "threshold", THRESHOLDS, setting.threshold)
        second = (text.PANELS["sigma1"], "sigma1", TEST_NOISE, setting.sigma1)
        for title, field, stops, value in (second, first):
            courses = {
                f"{v}%": _changed_course(course, **{field: v * size / 100})
                for v in _with_stop(stops, percent(value))
            }
            panels = {title: courses} | panels
            names[title] = f"{percent(value)}%"
    return panels, names


def _with_stop(stops: Sequence[int], current: int) -> list[int]:
    return sorted({*stops, current})


def _changed_course(course: Course, **changes: float) -> Course:
    return dataclasses.replace(course, setting=dataclasses.replace(course.setting, **changes))


def _with_teachers(course: Course, count: int) -> Course:
    """Return a course with other teachers: same noise in votes, same threshold as a share."""
    poll, scale = course.poll, count / course.poll.ensemble.teachers
    changed = _changed_course(course, threshold=course.setting.threshold * scale)
    ensemble = dataclasses.replace(poll.ensemble, teachers=count)
    return dataclasses.replace(changed, poll=Poll(poll.material, ensemble))


def _learning(course: Course, **changes: Any) -> Course:
    """Return a course whose ensemble has other settings."""
    ensemble = dataclasses.replace(course.poll.ensemble, **changes)
    return dataclasses.replace(course, poll=Poll(course.poll.material, ensemble))


def paper_tables(
    course: Course, head: bool, prompts: bool, scratch: str, encoders: Sequence[str], sets: bool
) -> Panels:
    """Return the paper's tables on this data: each choice varied alone, at one guarantee.

    Args:
        head: whether the encoder's own scores are known, which label mappings use.
        prompts: Tables 9 and 11 as well; scratch: training of students in Tables 2 and 3, empty
            where they are left out.
        encoders: source models of Tables 7 and 8; sets: Tables 5 and 13 to 20.
    """
    kinds = {k: title for k, title in text.KINDS.items() if head or k not in teachers.MAPPINGS}
    panels: Panels = {
        text.PANELS["headcounts"]: {str(m): _with_teachers(course, m) for m in HEADCOUNTS},
        text.PANELS["kinds"]: {
            title: _learning(course, kind=kind) for kind, title in kinds.items()
        },
        text.PANELS["learning"]: {
            kind: dataclasses.replace(course, kind=kind) for kind in students.KINDS
        },
    }
    if scratch:
        once = dataclasses.replace(course, kind=scratch, seeds=course.seeds[:1])
        panels[text.PANELS["letters"]] = {
            letter: dataclasses.replace(_learning(once, kind=kind), sees=sees)
            for letter, (kind, sees) in LETTERS.items()
            if kind in kinds
        }
    if encoders:
        panels[text.PANELS["encoders"]] = {
            key: _on_data(course, dataclasses.replace(course.material, encoder=key, features=""))
            for key in encoders
        }
    if sets:
        panels[text.PANELS["sets"]] = across(course)
    if prompts:
        panels |= _prompted(course)
    return panels


def across(course: Course) -> dict[str, Course]:
    """Return mapped and linear teachers on every available private data set, each with the encoder
    that suits it.
    """
    courses: dict[str, Course] = {}
    for key, row in DATASETS.items():
        if key == SYNTHETIC or "private" not in row.roles or row.part_of or row.state != "there":
            continue
        over = _on_data(course, DataConfig(key, row.encoder))
        courses |= {f"{key}, {text.KINDS[k]}": _learning(over, kind=k) for k in ("fc1", "linear")}
    return courses


def _on_data(course: Course, material: DataConfig) -> Course:
    """Return a course on other data, with the same kind of teachers."""
    ensemble = dataclasses.replace(course.poll.ensemble, by_person=material.unit == "person")
    return dataclasses.replace(course, poll=Poll(material, ensemble))


def _prompted(course: Course) -> Panels:
    """Return prompted ensembles of few teachers, with noise scaled to their number."""
    scale = PROMPTED / course.poll.ensemble.teachers
    by = {k: getattr(course.setting, k) * scale for k in ("threshold", "sigma1", "sigma2")}
    few = _learning(_changed_course(course, **by), kind="prompt", teachers=PROMPTED)
    return {
        text.PANELS["ratio"]: {f"{r:g}": _learning(few, ratio=r) for r in RATIOS},
        text.PANELS["mask"]: {
            text.MASKS["frame"]: few,
            text.MASKS["all"]: _learning(few, framed=False),
        },
    }


def _printed_rows(
    place: str, data: str, rows: tuple[tuple[str, float, float, float], ...]
) -> tuple:
    return tuple(
        PrintedStudent(place, name, data, epsilon, round(percent / 100, 4), nan, sanitised)
        for name, epsilon, sanitised, percent in rows
    )


#: Tables 4, 5 and 21: source, epsilon as printed and once sanitized, accuracy.
RIVALS: tuple[PrintedStudent, ...] = (
    *_printed_rows(
        "Table 4",
        "CIFAR-10",
        (
            ("Arif et al.", 1.04, nan, 87.55),
            ("Luo et al.", 1.0, nan, 76.64),
            ("Luo et al.", 1.5, nan, 81.57),
            ("Tramèr and Boneh", 2.0, nan, 92.7),
            ("Yu et al.", 1.0, nan, 94.3),
            ("Yu et al.", 2.0, nan, 94.8),
            ("De et al.", 1.0, nan, 94.7),
            ("De et al.", 2.0, nan, 95.4),
            ("Bu et al.", 1.0, nan, 96.7),
            ("Bu et al.", 2.0, nan, 97.1),
            ("Prom-PATE", 1.019, 1.209, 99.17),
            ("Prom-PATE", 1.505, 1.67, 99.07),
            ("Prom-PATE", 1.943, 2.25, 99.1),
        ),
    ),
    *_printed_rows(
        "Table 5",
        "Blood-MNIST",
        (
            ("Prom-PATE", 1.973, 2.521, 69.93),
            ("Transfer-PATE", 1.983, 2.508, 61.33),
            ("Arif et al.", 1.971, nan, 63.45),
        ),
    ),
    *_printed_rows(
        "Table 21",
        "CIFAR-100",
        (
            ("De et al.", 4.0, nan, 79.2),
            ("De et al.", 8.0, nan, 81.8),
            ("Bu et al.", 4.0, nan, 87.7),
            ("Bu et al.", 8.0, nan, 88.4),
            ("Prom-PATE", 4.089, 5.043, 88.33),
            ("Prom-PATE", 8.078, 10.026, 91.47),
        ),
    ),
)
