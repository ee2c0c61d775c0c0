"""PATE: teachers on disjoint shards vote on a public pool, noise hides each vote, and a student
learns from the answers.

The plan reads no vote: the number of answers follows from budget and teachers, and the run stops
after them, so what it costs is known beforehand. Constants were chosen by looking at the default
data; that look is not paid for.

Audit cases are small electorates in which one record turns one teacher. Everything is run: shards,
teachers, votes, tests, answers and student. Records fall to the teacher they are meant for by their
length: teachers look at directions alone, and the hash that names a record's teacher at both.
Teachers without records vote half for each class.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from dpviz import mechanisms, privacy
from dpviz.machine.threads import map_blocks
from dpviz.mechanisms import Seed
from dpviz.methods.components import ensembles, students, teachers
from dpviz.methods.components.public_sets import NoPublicSet, converge, draw_shots
from dpviz.methods.components.worst_neighbours import ADDED, first_weights_apart, records
from dpviz.types.audit_case import LARGE_BUDGET, AuditCase, EventCase
from dpviz.types.budget import Budget
from dpviz.types.dataset import Dataset, Head, Sizes, unit_rows
from dpviz.types.guarantee import Plan
from dpviz.types.line_style import FOREST, MAGENTA, OLIVE, LineStyle
from dpviz.types.method import Method, Param, Query
from dpviz.types.release import Fit, Release

SOURCE = (
    "Papernot et al. 2018, Confident-GNMax; answers cost α/σ₂² (Li et al. 2023 print α/(2σ²)),"
    " and every threshold test is charged"
)
POWER, SCALE = 1.5, 8
"""Answers are (teachers x mu)^POWER / SCALE: below the square, so that more budget buys more
answers and less noise in each.
"""
TEST_SHARE = 0.2
"""Share of the squared budget that pays for the threshold tests."""
PER_ANSWER = 2
"""Queries that may be tested for one answer."""
MARGIN = 3.0
"""T in units of sigma_2: a winner with as many votes is rarely overturned by the noise of its
answer.
"""

TEACHERS_PER_RECORD = 2
"""Teachers that one record may move where they have whole persons: it may send its person from one
to another.
"""

TEACHERS = Param(
    "teachers",
    "Teachers",
    "Number of models, each trained on its own part of the private data. More teachers: less"
    " effect of noise, fewer records each.",
    100,
    10,
    2000,
    1,
    log=True,
)
POOL = Param(
    "pool",
    "Query images",
    "All: any public image. Named: public images of classes that share a name with a private"
    " class.",
    "all",
    choices=tuple(teachers.POOLS),
)
CHECK = Param(
    "check",
    "Answer test",
    "Threshold: answers only queries with a noisy top vote of T or more; every test costs budget."
    " None: answers all queries (GNMax).",
    "threshold",
    choices=("threshold", "none"),
)
STUDENT = Param(
    "student",
    "Student",
    "Supervised: logistic regression and class means on the answers. FixMatch and FreeMatch also"
    " use unanswered public images.",
    "supervised",
    choices=students.KINDS,
)
START = Param(
    "start",
    "Student initialization",
    "Fresh: uses the answers only. Public: starts from weights trained on labeled public images"
    " of the same class names.",
    "fresh",
    choices=("fresh", "public"),
)
DRAW = Param(
    "split_draw",
    "Partition seed",
    "Seed of the partition of the records and the order of the queries.",
    0,
    0,
    9999,
    1,
    former="draw",
)
MAPPING = Param(
    "mapping",
    "Label mapping",
    "Maps the encoder's class scores to private classes: one layer, two layers or a random"
    " one-to-one assignment.",
    "fc1",
    choices=teachers.MAPPINGS,
)
PROMPT = Param(
    "prompt",
    "Visual prompt",
    "None: the label mapping only. Frame: a trained frame around the image. Everywhere: a trained"
    " overlay. Training takes minutes.",
    "none",
    choices=("none", "frame", "everywhere"),
)
RATIO = Param(
    "ratio",
    "Rescale ratio",
    "Width of the image inside the frame, as a fraction of the whole.",
    0.75,
    0.25,
    1.0,
    0.05,
)
COMMON = (TEACHERS, POOL, CHECK, STUDENT, START, DRAW)
SHOTS = 20


# -------------------------------------------------------------------------------------------- plans


def _share_key(kind: str, params: Mapping[str, Any]) -> teachers.Ensemble:
    return teachers.Ensemble(kind, *_shards_and_pool(params))


def _prompted(params: Mapping[str, Any]) -> teachers.Ensemble:
    if params["prompt"] == "none":
        return _share_key(params["mapping"], params)
    return teachers.Ensemble(
        "prompt",
        *_shards_and_pool(params),
        params["mapping"],
        params["ratio"],
        params["prompt"] == "frame",
    )


def _shards_and_pool(params: Mapping[str, Any]) -> tuple[int, int, str]:
    return params["teachers"], params["split_draw"], params["pool"]


ENSEMBLES: dict[str, Callable[[Mapping[str, Any]], teachers.Ensemble]] = {
    "pate": partial(_share_key, "scratch"),
    "transfer-pate": partial(_share_key, "linear"),
    "prom-pate": _prompted,
}
"""Settings of the ensemble that a method of these parameters asks, for each method of this file."""


def ensemble(plan: Plan) -> teachers.Ensemble:
    """Settings of the ensemble that a plan asks: sharded by person, where the promise is to one."""
    planned = ENSEMBLES[plan.method](plan.params)
    return dataclasses.replace(planned, by_person=plan.records_per_person > 0)


def plan(method: str, sizes: Sizes, budget: Budget, params: Mapping[str, Any]) -> Plan:
    """As many answers as POWER and SCALE give, at most the pool; each may cost PER_ANSWER tests.

    Of the squared budget mu^2, tests take TEST_SHARE and answers the rest: mu^2 = queries/sigma_1^2
    + 2 answers/sigma_2^2. T is MARGIN sigma_2, so that without noise every query is answered by
    plain plurality.

    Raises:
        DpvizError: without a public set, or where label mappings lack source scores or prompts lack
            pictures.
    """
    planned = ENSEMBLES[method](params)
    teachers.refuse(planned, sizes.head, sizes.pictures)
    if not sizes.public:
        raise NoPublicSet(
            "The teachers need public images to label, and this data set has no public set."
            " Choose a public set."
        )
    pool = min(sizes.public, teachers.max_queries(planned.kind))
    mu, share = privacy.mu_for(budget), TEST_SHARE if params["check"] == "threshold" else 0.0
    wanted = pool if mu == math.inf else math.floor((mu * params["teachers"]) ** POWER / SCALE)
    answers = min(max(wanted, 1), pool)
    events = {"answers": privacy.gaussian(math.sqrt(2), mu * math.sqrt(1 - share), answers)}
    notes: dict[str, Any] = {
        "teachers": params["teachers"],
        "answers_at_most": answers,
        "sigma2": events["answers"].sigma,
    }
    if share:
        queries = min(PER_ANSWER * answers, pool)
        events = {"tests": privacy.gaussian(1.0, mu * math.sqrt(share), queries)} | events
        notes |= {
            "queries": queries,
            "sigma1": events["tests"].sigma,
            "threshold": MARGIN * notes["sigma2"],
        }
    public = (
        "the encoder; the public pool of"
        f" queries{', some of its labels' if params['start'] == 'public' else ''}"
    )
    public += "; the number of records is not used"
    public += "; the teacher of a record is determined by a hash of its content"
    return privacy.make_plan(
        method, params, budget, events, source=SOURCE, public=public, notes=notes
    )


# --------------------------------------------------------------------------------------------- fits


def queries(plan: Plan) -> dict[str, Query]:
    """The votes on each query, and the top count of each."""

    def votes(data: Dataset, plan: Plan, before: None) -> np.ndarray:
        counted = teachers.count_votes(data, ensemble(plan))
        return affordable_votes(plan, counted).astype(np.float64)

    queries_by_name = {"answers": Query(votes)}
    if "tests" in plan.events:
        queries_by_name["tests"] = Query(lambda *given: votes(*given).max(axis=1))
    return queries_by_name


def affordable_votes(plan: Plan, votes: teachers.Votes) -> np.ndarray:
    """Votes (q, C) on the queries that the plan pays for."""
    return votes.counts[: plan.gaussian("tests" if "tests" in plan.events else "answers").times]


def answer(plan: Plan, votes: teachers.Votes, seed: Seed) -> tuple[np.ndarray, np.ndarray]:
    """Which queries were asked, (q,) bool, and their released labels, (q,) int64 with -1 where
    there is none.
    """
    counts, tests = affordable_votes(plan, votes), None
    if "tests" in plan.events:
        noise = mechanisms.standard_normal(seed, "pate tests", counts.shape[:1])
        tests = plan.gaussian("tests"), noise
    noise = mechanisms.standard_normal(seed, "pate answers", counts.shape)
    threshold, answers = plan.notes.get("threshold", -math.inf), (plan.gaussian("answers"), noise)
    asked, labels = mechanisms.confident_gnmax(counts, threshold, tests, answers)
    unasked = len(votes.rows) - len(counts)
    return np.pad(asked, (0, unasked)), np.pad(labels, (0, unasked), constant_values=-1)


def fit(data: Dataset, plans: list[Plan], seeds: list[Seed]) -> Fit:
    """A student a plan and seed, all from one ensemble's votes, which are kept: only the noise
    differs.

    The trace's notes count answers and how many of them are right, which only the teacher's eye may
    see.

    Guarantee: mu-GDP with mu^2 = queries/sigma_1^2 + 2 answers/sigma_2^2 under add/remove: one
    record moves one teacher (as does one person, where the promise is to persons), and the run
    stops after the planned answers. Which of tests and
    answers comes next depends on those before, which Gaussian releases allow as long as the squares
    add up to no more (Smith & Thakurta 2022). The student sees public features and answers alone.
    """
    return students_of(data, plans, seeds, teachers.count_votes(data, ensemble(plans[0])))


def students_of(data: Dataset, plans: list[Plan], seeds: list[Seed], votes: teachers.Votes) -> Fit:
    """The same from votes that are counted already."""
    params = plans[0].params
    x, start = unit_rows(data.public[votes.rows]), first_head(data, params)
    answered = [answer(plan, votes, seed) for plan, seed in product(plans, seeds)]
    different, which = np.unique([labels for _, labels in answered], axis=0, return_inverse=True)
    # equal answers make equal students: without noise all seeds share one
    heads = map_blocks(
        lambda labels: students.student(params["student"], x, labels, start), different
    )
    releases = [
        (Release(heads[i], np.zeros(len(start), np.float32)), _notes(asked, labels, votes))
        for i, (asked, labels) in zip(which.ravel(), answered, strict=True)
    ]
    width = len(seeds)
    rows = [releases[i : i + width] for i in range(0, len(releases), width)]
    return Fit(
        [[r for r, _ in row] for row in rows], {"notes": [[n for _, n in row] for row in rows]}
    )


def first_head(data: Dataset, params: Mapping[str, Any]) -> np.ndarray:
    """(C, d) float32: zeros, or a head trained on public records that bear the private classes'
    names.

    Raises:
        DpvizError: if there is no such record.
    """
    if params["start"] == "fresh":
        return np.zeros((data.classes, data.x.shape[1]), np.float32)
    shots = draw_shots(data, SHOTS, params["split_draw"])
    return converge(shots.x, shots.y, shots.classes, students.HOLD)


def _notes(asked: np.ndarray, labels: np.ndarray, votes: teachers.Votes) -> dict[str, Any]:
    labelled = labels >= 0
    right = float(np.mean(labels[labelled] == votes.truth[labelled])) if labelled.any() else None
    notes = {
        "asked": int(asked.sum()),
        "answered": int(labelled.sum()),
        "answers_right": right,
        "teachers_right": float(votes.right.mean()),
    }
    return {"private_view": notes}


# -------------------------------------------------------------------------------------- audit cases


QUERIES = 5
"""All alike: what they cost together is audited too."""
LENGTHS = 1 + np.arange(4096) / 4096
"""That a record may have."""
Record = tuple[list[float], int]
"""Its direction and its label."""
Shard = tuple[Record, ...]
"""Records of a teacher."""
SHARD: Shard = (([0.3, 0.95], 1), ([-0.3, -0.95], 0))
SHARD_WITH_RECORD: Shard = (*SHARD, ([1.0, 0.0], 0))
OTHER_RECORD: Record = ([-1.0, 0.0], 1)
"""What turns it as well, in the other class."""
STEADY_SHARD: Shard = (([1.0, 0.0], 0), ([-1.0, 0.0], 0), ([0.0, 1.0], 1))
CHANGED_TEACHERS = (8, 9, 10)
"""Teachers that a record each of a person would turn."""


def turned_teacher_case() -> AuditCase:
    """One more record turns one of eleven teachers, which ends a tie of the rest, on each of the
    queries there are; the student's weights tell how many answers went which way.
    """
    public = [[1.0, 0.0]] * QUERIES
    more, less = (electorate(11, {10: shard}, public) for shard in (SHARD_WITH_RECORD, SHARD))
    return AuditCase({"teachers": 11}, more, less, first_weights_apart)


def one_answer_case() -> AuditCase:
    """The same with a single query, which is answered untested: one answer tells as much of its
    noise as there is to tell.
    """
    more, less = (electorate(11, {10: shard}, [[1.0, 0.0]]) for shard in (SHARD_WITH_RECORD, SHARD))
    return AuditCase({"teachers": 11, "check": "none"}, more, less, first_weights_apart)


def person_case() -> AuditCase:
    """A person turns one of eleven teachers, on each of the queries there are; were each record at
    the teacher that its own content names, they would turn three.
    """
    less = electorate(11, dict.fromkeys(CHANGED_TEACHERS, SHARD), [[1.0, 0.0]] * QUERIES)
    pair = _with_person(less, 11, [SHARD_WITH_RECORD[-1]] * len(CHANGED_TEACHERS))
    return AuditCase({"teachers": 11}, *pair, first_weights_apart, Budget(8.0))


def _with_person(
    less: Dataset, teachers: int, person_records: Sequence[Record]
) -> tuple[Dataset, Dataset]:
    """With a person whose records would fall to the TURNABLE teachers, one each, and without."""
    pairs = zip(CHANGED_TEACHERS, person_records, strict=True)
    x = np.stack([_falling_to(teacher, teachers, *record) for teacher, record in pairs])
    person_numbers = np.arange(len(less.x))
    more = dataclasses.replace(
        less,
        x=np.concatenate([less.x, x]),
        y=np.append(less.y, [label for _, label in person_records]),
        persons=np.append(person_numbers, [ADDED] * len(person_records)),
        fingerprint=f"{less.fingerprint} and a person with {person_records}",
    )
    return more, dataclasses.replace(less, persons=person_numbers)


def event_cases() -> list[EventCase]:
    """One more record turns one teacher on four of five queries; another teacher always votes for
    the first class, and seventy without records for each class alike.
    """
    public = [[1.0, 0.0]] * (QUERIES - 1) + [[-1.0, 0.0]]
    more, less = (
        electorate(72, {0: STEADY_SHARD, 1: shard}, public) for shard in (SHARD_WITH_RECORD, SHARD)
    )
    return _in_each_form(more, less)


def person_event_cases() -> list[EventCase]:
    """A person, with records in one class and in both, turns one of seventy-two teachers on four
    of five queries; were each record at the teacher that its own content names, they would turn
    three. As many teachers always vote for the first class.
    """
    public = [[1.0, 0.0]] * (QUERIES - 1) + [[-1.0, 0.0]]
    steady = dict.fromkeys(range(len(CHANGED_TEACHERS)), STEADY_SHARD)
    less = electorate(72, steady | dict.fromkeys(CHANGED_TEACHERS, SHARD), public)
    in_one = [SHARD_WITH_RECORD[-1]] * len(CHANGED_TEACHERS)
    in_both = [SHARD_WITH_RECORD[-1], OTHER_RECORD, SHARD_WITH_RECORD[-1]]
    found = (_in_each_form(*_with_person(less, 72, own)) for own in (in_one, in_both))
    return [case for cases in found for case in cases]


def _in_each_form(more: Dataset, less: Dataset) -> list[EventCase]:
    """With tests before the answers, and without."""
    tested_and_answered, answered_only = ("tests", "answers"), ("answers",)
    forms: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        ({}, tested_and_answered),
        ({"check": "none"}, answered_only),
    ]
    return [
        EventCase({"teachers": 72} | form, more, less, events, LARGE_BUDGET)
        for form, events in forms
    ]


def electorate(teachers: int, shards: Mapping[int, Shard], public: list) -> Dataset:
    """Records of which each falls to the teacher that it is meant for; an identity as the head."""
    x, y = [], []
    for teacher, shard in shards.items():
        for direction, label in shard:
            x.append(_falling_to(teacher, teachers, direction, label).tolist())
            y.append(label)
    head = Head(np.eye(2, dtype=np.float32), np.zeros(2, np.float32))
    return dataclasses.replace(records(x, y, public), head=lambda: head)


def _falling_to(teacher: int, teachers: int, direction: list[float], label: int) -> np.ndarray:
    """A record of that direction, of the first length that falls to the teacher: (2,) float32."""
    candidates = records(np.outer(LENGTHS, direction).tolist(), [label] * len(LENGTHS))
    return candidates.x[int(np.argmax(ensembles.shards(candidates, teachers, 0) == teacher))]


# ------------------------------------------------------------------------------ the three methods


def why_no_losses(params: Mapping[str, Any]) -> str:
    """Why there is no formula."""
    return (
        "No exact loss per record: a record affects only its teacher's votes, so computing the"
        " loss would require retraining a teacher for each record."
    )


def _method(
    key: str, title: str, summary: str, params: tuple[Param, ...], line_style: LineStyle
) -> Method:
    return Method(
        key=key,
        title=title,
        source=SOURCE,
        summary=summary,
        params=params,
        plan=partial(plan, key),
        fit=fit,
        line_style=line_style,
        why_no_losses=why_no_losses,
        queries=queries,
        cases=lambda: [turned_teacher_case()],
        person_cases=lambda: [person_case()],
        event_cases=event_cases,
        person_event_cases=person_event_cases,
        needs_public=True,
        record_ratio=lambda params: TEACHERS_PER_RECORD,
    )


PATE = _method(
    "pate",
    "PATE, teachers from scratch",
    "Small networks, each trained on its own part of the images, vote with noise on public"
    " images. A student learns from the answers.",
    COMMON,
    LineStyle(FOREST, "dashdot", "triangle-left"),
)
TRANSFER = _method(
    "transfer-pate",
    "Transfer-PATE, linear teachers",
    "Linear models, each trained on its own part of the features, vote with noise on public"
    " images. A student learns from the answers.",
    COMMON,
    LineStyle(MAGENTA, "solid", "pentagon"),
)
PROM = _method(
    "prom-pate",
    "Prom-PATE, label mapping (prompts optional)",
    "Teachers map the encoder's class scores to the private classes and vote with noise on public"
    " images. A visual prompt is optional.",
    (*COMMON, MAPPING, PROMPT, RATIO),
    LineStyle(OLIVE, "dashdot", "hourglass"),
)
