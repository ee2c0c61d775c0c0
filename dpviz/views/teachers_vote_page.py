"""The page "Teachers vote": its sentence in plain words, the students that are compared,
and the figures that papers print.

Figures of Li et al. 2023 (Prom-PATE) and of their rivals are about other data and encoders, so
they cannot be compared with computed numbers. Wherever they are shown, they say "from the paper".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from dpviz.data import DATASETS
from dpviz.data.synthetic import KEY as SYNTHETIC
from dpviz.diagnostics.pate_votes import Poll
from dpviz.diagnostics.vote_students import PIXELS, Course
from dpviz.methods.components import students, teachers
from dpviz.plots.teachers import PrintedStudent
from dpviz.types import DataConfig, Guarantee
from dpviz.views.phrases import guess, out_of_100

HOW_TO_READ = (
    "Each bar holds public pictures by how many teachers agree on them: far right, all do. Grey"
    " ones stay without an answer. Move **Threshold T** or **Vote noise** first: to the left is"
    " more private."
)


@dataclass(frozen=True)
class VoteOutcome:
    """What came of a vote: teachers, private records each has, queries asked, answered, and
    answered rightly of those whose class is known; how often a teacher alone is right.
    """

    teachers: int
    records: float
    queries: int
    answered: int
    right: int
    labeled: int
    teacher_accuracy: float


def sentence(outcome: VoteOutcome, guarantee: Guarantee) -> str:
    """Who votes on what, how many answers come of it, how many are right, and what a guesser could
    gain.

    Args:
        guarantee: for as many answers as there are queries, which holds whatever the votes are.
    """
    start = (
        f"**{outcome.teachers} teachers**, each with about {outcome.records:.0f} private pictures"
        " that"
        f" no other sees, vote on {outcome.queries} public pictures; noise is added to the votes."
        f" **{outcome.answered} of {outcome.queries}** get an answer"
    )
    right = ""
    if outcome.labeled:
        known = (
            "of them"
            if outcome.labeled == outcome.answered
            else f"of the {outcome.labeled} whose class is known"
        )
        right = f", **{outcome.right}** {known} the right one"
    alone_text = f"; a teacher alone is right {out_of_100(outcome.teacher_accuracy)} times in 100"
    return f"{start}{right}{alone_text}. {guess([guarantee])}.{_limit_reason(outcome)}"


def _limit_reason(outcome: VoteOutcome) -> str:
    """Why the limit is that for more answers than came."""
    if outcome.answered == outcome.queries:
        return ""
    return (
        f" That counts all {outcome.queries} as answered: how many get an answer depends on private"
        " pictures."
    )


Panels = dict[str, dict[str, Course]]
"""Courses by panel and name; one choice varies a panel."""

THRESHOLDS = (0, 40, 60, 80, 100)
TEST_NOISE = (10, 20, 40, 80)
VOTE_NOISE = (5, 10, 20, 40, 80)
QUERIES = (20, 50, 100, 200, 500, 1000, 2000)
TEACHERS = (20, 50, 100, 250, 500, 1000, 2000)
HEADCOUNTS = (20, 50, 100, 250, 500)
KINDS = {
    "linear": "linear",
    "random-map": "random map",
    "fc1": "1 FC",
    "fc2": "2 FC",
    "scratch": "scratch",
}
"""What teachers learn, in a few letters."""
RATIOS = (0.5, 0.75, 0.9)
PROMPTED = 4
"""Teachers of each prompted ensemble: a processor needs most of a minute for them."""
LETTERS = {"A": ("fc1", ""), "B": ("fc1", PIXELS), "C": ("linear", ""), "D": ("linear", PIXELS)}
LETTERS |= {"E": ("scratch", ""), "F": ("scratch", PIXELS)}
"""Rows of Table 3: what teachers learn, and what the student sees."""


def one_at_a_time(course: Course, maximum: int) -> tuple[Panels, dict[str, str]]:
    """Panels in which one setting moves and all others stay, and the name of ``course`` in each.

    Noise and threshold are shares of the teachers, as on the page's sliders; where their number
    moves, noise in votes stays, so that the promise does.

    Args:
        most: queries that there are.
    """
    setting, size = course.setting, course.poll.ensemble.teachers
    percent = lambda votes: round(100 * votes / size)
    panels: Panels = {
        "Vote noise σ₂, % of teachers": {
            f"{v}%": _changed_course(course, sigma2=v * size / 100)
            for v in _with_stop(VOTE_NOISE, percent(setting.sigma2))
        },
        "Queries": {
            str(q): dataclasses.replace(course, queries=q)
            for q in _with_stop(QUERIES, min(course.queries, maximum))
            if q <= maximum
        },
        "Teachers": {str(m): _with_teachers(course, m) for m in _with_stop(TEACHERS, size)},
    }
    names = {
        "Vote noise σ₂, % of teachers": f"{percent(setting.sigma2)}%",
        "Queries": str(min(course.queries, maximum)),
        "Teachers": str(size),
    }
    if setting.tests:
        first = ("Threshold T, % of teachers", "threshold", THRESHOLDS, setting.threshold)
        second = ("Test noise σ₁, % of teachers", "sigma1", TEST_NOISE, setting.sigma1)
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
    """With so many teachers: the same noise in votes, the same threshold as a share of them."""
    poll, scale = course.poll, count / course.poll.ensemble.teachers
    changed = _changed_course(course, threshold=course.setting.threshold * scale)
    ensemble = dataclasses.replace(poll.ensemble, teachers=count)
    return dataclasses.replace(changed, poll=Poll(poll.material, ensemble))


def _learning(course: Course, **changes: Any) -> Course:
    """With other teachers, as many."""
    ensemble = dataclasses.replace(course.poll.ensemble, **changes)
    return dataclasses.replace(course, poll=Poll(course.poll.material, ensemble))


def paper_tables(
    course: Course, head: bool, prompts: bool, scratch: str, encoders: Sequence[str], sets: bool
) -> Panels:
    """The paper's tables on this data: each choice varied alone, at one promise.

    Args:
        head: whether the encoder's own scores are known, which label mappings read.
        prompts: Tables 9 and 11 as well; scratch: how the students of Tables 2 and 3 learn, empty
            where they are left out.
        encoders: source models of Tables 7 and 8; sets: Tables 5 and 13 to 20, the data sets there.
    """
    kinds = {k: title for k, title in KINDS.items() if head or k not in teachers.MAPPINGS}
    panels: Panels = {
        "Teachers (Table 6)": {str(m): _with_teachers(course, m) for m in HEADCOUNTS},
        "What they learn (Tables 3, 10)": {
            title: _learning(course, kind=kind) for kind, title in kinds.items()
        },
        "How the student learns (Tables 18–20)": {
            kind: dataclasses.replace(course, kind=kind) for kind in students.KINDS
        },
    }
    if scratch:
        once = dataclasses.replace(course, kind=scratch, seeds=course.seeds[:1])
        panels["Table 3, A to F"] = {
            letter: dataclasses.replace(_learning(once, kind=kind), sees=sees)
            for letter, (kind, sees) in LETTERS.items()
            if kind in kinds
        }
    if encoders:
        panels["Source model (Tables 7, 8)"] = {
            key: _on_data(course, dataclasses.replace(course.material, encoder=key, features=""))
            for key in encoders
        }
    if sets:
        panels["Data set (Tables 5, 13–20)"] = across(course)
    if prompts:
        panels |= _prompted(course)
    return panels


def across(course: Course) -> dict[str, Course]:
    """Mapped and linear teachers on every private data set that is there, each through the encoder
    that suits it.
    """
    courses: dict[str, Course] = {}
    for key, row in DATASETS.items():
        if key == SYNTHETIC or "private" not in row.roles or row.part_of or row.state != "there":
            continue
        over = _on_data(course, DataConfig(key, row.encoder))
        courses |= {f"{key}, {KINDS[k]}": _learning(over, kind=k) for k in ("fc1", "linear")}
    return courses


def _on_data(course: Course, material: DataConfig) -> Course:
    """On other material, with teachers that learn from it what the course's do."""
    ensemble = dataclasses.replace(course.poll.ensemble, by_person=material.unit == "person")
    return dataclasses.replace(course, poll=Poll(material, ensemble))


def _prompted(course: Course) -> Panels:
    """Few teachers, whose noise is scaled to their number."""
    scale = PROMPTED / course.poll.ensemble.teachers
    by = {k: getattr(course.setting, k) * scale for k in ("threshold", "sigma1", "sigma2")}
    few = _learning(_changed_course(course, **by), kind="prompt", teachers=PROMPTED)
    return {
        "Rescale ratio (Table 11)": {f"{r:g}": _learning(few, ratio=r) for r in RATIOS},
        "Mask (Table 9)": {"frame": few, "over all": _learning(few, framed=False)},
    }


def _printed_rows(
    place: str, data: str, rows: tuple[tuple[str, float, float, float], ...]
) -> tuple:
    return tuple(
        PrintedStudent(place, name, data, epsilon, round(percent / 100, 4), nan, sanitised)
        for name, epsilon, sanitised, percent in rows
    )


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
"""Tables 4, 5 and 21: whose, the epsilon as printed, what it is once sanitised, the accuracy."""
