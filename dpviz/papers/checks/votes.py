"""Tries of what the Prom-PATE paper reads off its tables: whose student is right more often.

Two ways: the PATE methods at equal budgets, by their own rule for T, noise and queries, which reads
no votes; and students of one ensemble's answers where the methods have no such student. A seed
draws shards, queries and noise; a difference is told with seeds and test records together, paired,
all differences of one claim at once (Holm).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpviz.diagnostics import vote_answers, vote_students
from dpviz.diagnostics.pate_votes import Poll, count_votes
from dpviz.diagnostics.vote_answers import Growth
from dpviz.diagnostics.vote_students import PIXELS, Course, Marks
from dpviz.experiments import experiment
from dpviz.formatting import number
from dpviz.methods.components.teachers import Ensemble
from dpviz.papers import rules
from dpviz.papers.checks.comparisons import (
    NEARLY,
    accuracies,
    accuracy_text,
    compare,
    exact_points_text,
    nearly,
    order_encoders,
)
from dpviz.papers.checks.vote_theory import PRINTED_SANITISED
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, NOT_TRIED, Ground, Verdict
from dpviz.privacy.vote_ledger import Setting
from dpviz.stats import Interval, band, difference, measured
from dpviz.types import Budget, RunSpec, Scores

SEEDS = rules.protocol("prompts").seeds
EPSILON = 3.0
PUBLIC = {"mnist5k": "held-aside", "clothes": "clothes-public"}
#: On every data set: the fewest in the paper (Table 6). Queries come from the same set, or from
#: other people.
TEACHERS = 100
#: A method, its settings, and facts of the data that differ from the ground's own.
Row = tuple[str, Mapping[str, Any], Mapping[str, Any]]
#: What the lower and the upper of each pair is called.
Words = Sequence[tuple[str, ...]]
SCRATCH: Row = ("pate", {}, {})
TRANSFER: Row = ("transfer-pate", {}, {})
MAPPED: Row = ("prom-pate", {}, {})


def point(ground: Ground, row: Row, budget: float = EPSILON) -> Interval:
    """Accuracy of a method's classifiers at a budget: a PATE method's students, or a rival's."""
    method, params, facts = row
    material = ground.material(**{"public": PUBLIC[ground.dataset]} | dict(facts))
    own = {"teachers": TEACHERS} if "pate" in method else {}
    specs = [
        RunSpec(
            **material.facts,
            method=method,
            budget=Budget(budget),
            params=tuple((own | dict(params) | ({"split_draw": seed} if own else {})).items()),
            seed=seed,
        )
        for seed in range(SEEDS)
    ]
    return accuracies({"": specs}, "overall")[""]


def higher(
    rows: Callable[[Ground], Sequence[tuple[Row, Row]]],
    words: Callable[[Ground], Words] | tuple[str, str],
    budgets: Sequence[float] = (EPSILON,),
) -> Callable[[Ground], Verdict]:
    """A check that holds where the second of each pair of ``rows`` is told to be right more often
    at every budget; ``words`` name the two, of every pair or of each.
    """

    def check(ground: Ground) -> Verdict:
        pairs = [
            (point(ground, lower, budget), point(ground, upper, budget))
            for budget in budgets
            for lower, upper in rows(ground)
        ]
        row_words: Words = words(ground) if callable(words) else [words] * len(rows(ground))
        pair_names = [
            tuple(
                f"{word} at ε {number(b)}" if len(budgets) > 1 else word for word in words_of_pair
            )
            for b in budgets
            for words_of_pair in row_words
        ]
        headcounts = sorted(
            {
                params.get("teachers", TEACHERS)
                for pair in rows(ground)
                for method, params, _ in pair
                if "pate" in method
            }
        )
        return pair_verdict(pairs, pair_names, _settings(ground, budgets, headcounts))

    return check


def pair_verdict(
    pairs: Sequence[tuple[Interval, Interval]],
    words: Words,
    settings: str,
) -> Verdict:
    """Of pairs of a lower and an upper accuracy, all in one verdict: it holds where every upper one
    is above, and does not where one is shown to be below.
    """
    outcome = compare(dict(enumerate(pairs)), paired=True).outcome
    return Verdict(outcome, f"{_because(pairs, words)}. {settings}")


def _because(pairs: Sequence[tuple[Interval, Interval]], words: Words) -> str:
    texts = [
        f"{upper} {accuracy_text(b)}, with {lower} {accuracy_text(a)},"
        f" {exact_points_text(difference(a, b, paired=True))}"
        for (a, b), (lower, upper) in zip(pairs, words, strict=True)
    ]
    return f"Accuracy with {'; with '.join(texts)}"


def _settings(
    ground: Ground, budgets: Sequence[float] = (EPSILON,), headcounts: Sequence[int] = ()
) -> str:
    counts = headcounts or [TEACHERS]
    levels = " and ".join(f"({number(budget)}, 1e-5)" for budget in budgets)
    ruled = "; ".join(_ruled(ground, budget, count) for budget in budgets for count in counts)
    return (
        f"{levels}-DP for any votes, IR 1, queries from {PUBLIC[ground.dataset]}. By the methods'"
        f" rule, which reads no votes, {ruled}. Test accuracy, {SEEDS} draws of shards, queries"
        " and noise, and the test records, compared in pairs (Holm-corrected)."
    )


def _ruled(ground: Ground, budget: float, count: int) -> str:
    """T, noise and queries that a PATE method plans at a budget with so many teachers."""
    facts = ground.material(public=PUBLIC[ground.dataset]).facts
    params = (("teachers", count),)
    spec = RunSpec(**facts, method=TRANSFER[0], budget=Budget(budget), params=params)
    notes = experiment.planned(spec).notes
    return (
        f"at ε {number(budget)} with {count} teachers T = {number(notes['threshold'])}, σ₁ ="
        f" {number(notes['sigma1'])}, σ₂ = {number(notes['sigma2'])} votes, {notes['queries']}"
        f" queries and up to {notes['answers_at_most']} answered"
    )


def _for_all(lower: Row, upper: Row) -> Callable[[Ground], Sequence[tuple[Row, Row]]]:
    return lambda ground: [(lower, upper)]


def _headcounts(ground: Ground) -> list[tuple[Row, Row]]:
    """Each number of teachers below the next."""
    counts = _counts(ground)
    rows: list[Row] = [("transfer-pate", {"teachers": count}, {}) for count in counts]
    return list(itertools.pairwise(rows))


#: Numbers of teachers, as multiples of TEACHERS.
TEACHER_FACTORS = (1, 2, 5)


def _counts(ground: Ground) -> list[int]:
    return [TEACHERS * factor for factor in TEACHER_FACTORS]


def _vote_counts(ground: Ground) -> Words:
    return [(f"{a}", f"{b} teachers") for a, b in itertools.pairwise(_counts(ground))]


transfer_above_scratch = higher(
    _for_all(SCRATCH, TRANSFER), ("teachers from scratch", "linear teachers")
)


def without_prompts(check: Callable[[Ground], Verdict]) -> Callable[[Ground], Verdict]:
    """A claim about re-teachers, tried without prompts: the result says nothing of re-teachers."""

    def mapping_check(ground: Ground) -> Verdict:
        verdict = check(ground)
        return Verdict(
            NOT_TRIED,
            "Tried with linear teachers, or label mappings without prompts, which says nothing"
            f" about re-teachers. {verdict.because} Ensembles with prompts train for minutes;"
            " `python -m benchmarks.pate` tries them on mnist5k.",
        )

    return mapping_check


mapping_beside_linear = without_prompts(
    higher(_for_all(TRANSFER, MAPPED), ("linear teachers", "a label mapping without its prompt"))
)
mapping_above_scratch = without_prompts(
    higher(
        _for_all(SCRATCH, MAPPED), ("teachers from scratch", "a label mapping without its prompt")
    )
)
more_teachers = without_prompts(higher(_headcounts, _vote_counts, (1.0,)))


def _beside_the_probe(*budgets: float) -> Callable[[Ground], Verdict]:
    words = ("the private probe", "mapped teachers' student")
    return without_prompts(higher(_for_all(("noisy-gd", {}, {}), MAPPED), words, budgets))


beside_the_probe_at_1 = _beside_the_probe(1.0, 2.0)
#: At the budgets of Tables 4 and 21.
beside_the_probe_at_4 = _beside_the_probe(4.0, 8.0)


@without_prompts
def better_source(ground: Ground) -> Verdict:
    """Of two source models that learned, the one on which a linear classifier without noise is
    right more often makes the better teachers.
    """
    sources = order_encoders(ground, "overall")
    if not sources.better:
        return Verdict(CANNOT_TELL, f"{sources.text}: the better source is undecided.")
    names = sources.worse, sources.better
    lower, upper = (point(ground, ("transfer-pate", {}, {"encoder": name})) for name in names)
    verdict = pair_verdict([(lower, upper)], [names], _settings(ground))
    return Verdict(verdict.outcome, f"{sources.text}. {verdict.because}")


@without_prompts
def one_layer(ground: Ground) -> Verdict:
    """One layer beats two, and a random mapping."""
    random, double, single = (
        point(ground, ("prom-pate", {"mapping": kind}, {})) for kind in ("random-map", "fc2", "fc1")
    )
    return pair_verdict(
        [(random, single), (double, single)],
        [("a random mapping", "one layer"), ("two layers", "one layer")],
        _settings(ground),
    )


def students_differ_little(ground: Ground) -> Verdict:
    """FixMatch and FreeMatch differ little."""
    fix, free = (
        point(ground, ("transfer-pate", {"student": kind}, {}))
        for kind in ("fixmatch", "freematch")
    )
    gap, margin = difference(fix, free, paired=True), nearly(fix.wrong, free.wrong)
    outcome = CANNOT_TELL
    if abs(gap.gap) + gap.half < margin:
        outcome = HOLDS
    elif abs(gap.gap) - gap.half > margin:
        outcome = DOES_NOT
    text = _because([(fix, free)], [("FixMatch", "FreeMatch")])
    return Verdict(
        outcome,
        f"{text}. {_settings(ground)} {NEARLY}. On features, views are noise.",
    )


# ------------------------------------------------------------ students that the methods do not have


DRAWS = 3
#: T, σ₁ and σ₂ as shares of the teachers, and queries.
SHARES, TAUGHT = (0.6, 0.4, 0.2), 150
#: Kinds of teachers, and how they are called.
TEACH = {"fc1": "mapped", "linear": "linear", "scratch": "scratch"}


def _marks(ground: Ground, kind: str, sees: str) -> list[Marks]:
    """Students of each draw of one kind of ensemble, at noise of a fifth of the teachers."""
    threshold, sigma1, sigma2 = (share * TEACHERS for share in SHARES)
    noise = Setting(threshold, sigma1, sigma2, 1e-5)
    material = ground.material(public=PUBLIC[ground.dataset])
    courses = [
        Course(
            Poll(material, Ensemble(kind, TEACHERS, seed)),
            noise,
            TAUGHT,
            "supervised",
            sees,
            (seed,),
        )
        for seed in range(DRAWS)
    ]
    silent = lambda stage, step, total: None
    return [vote_students.taught(material, course, silent) for course in courses]


def _pooled(marks: Sequence[Marks]) -> Interval:
    scores: tuple[Scores, ...] = tuple(score for mark in marks for score in mark.scores)
    return band(scores, "overall")


def _taught_by(ground: Ground, text: str) -> str:
    return (
        f"{text} of {TEACHERS} teachers to {TAUGHT} queries at IR 1, T 60%, σ₁ 40% and σ₂ 20% of"
        f" them; {DRAWS} draws and the test records, compared in pairs (Holm-corrected)."
    )


def _answers(marks: Sequence[Marks]) -> float:
    return sum(mark.answered[0] for mark in marks) / len(marks)


def pretrained_students(ground: Ground) -> Verdict:
    """Whatever the teachers learn, a student on an encoder beats one from scratch that is taught by
    the same answers.
    """
    features, pixels = (
        {kind: _marks(ground, kind, sees) for kind in TEACH} for sees in ("", PIXELS)
    )
    taught = [kind for kind in TEACH if all(mark.answered[0] for mark in features[kind])]
    answers = ", ".join(f"{TEACH[kind]} {_answers(features[kind]):.0f}" for kind in TEACH)
    settings = _taught_by(
        ground, f"Mapped teachers are re-teachers without prompts. Answers: {answers},"
    )
    if not taught:
        return Verdict(CANNOT_TELL, f"A draw without an answer for each kind. {settings}")
    verdict = pair_verdict(
        [(_pooled(pixels[kind]), _pooled(features[kind])) for kind in taught],
        [
            (
                "a small network from scratch on pixels",
                f"a linear student of {TEACH[kind]} teachers",
            )
            for kind in taught
        ],
        settings,
    )
    if verdict.outcome == HOLDS and len(taught) < len(TEACH):
        return Verdict(CANNOT_TELL, f"{verdict.because} A kind without answers is not compared.")
    return verdict


@without_prompts
def more_public_data(ground: Ground) -> Verdict:
    """Pre-trained teachers and student beat pre-trained teachers alone, and these beat neither."""
    marks = [
        _marks(ground, kind, sees)
        for kind, sees in (("scratch", PIXELS), ("fc1", PIXELS), ("fc1", ""))
    ]
    unused, by_teachers, by_both = map(_pooled, marks)
    answers = ", ".join(f"{_answers(own):.0f}" for own in marks)
    return pair_verdict(
        [(unused, by_teachers), (by_teachers, by_both)],
        [
            ("no use of public data", "public data used once, by teachers"),
            ("the one use", "public data used twice, by teachers and student"),
        ],
        _taught_by(ground, f"Answers, from no use to two: {answers},"),
    )


#: Teachers, T, σ₁, σ₂: as in Table 9, at its shares with fewer teachers, and with more noise.
ENSEMBLES = ((1000, 600, 200, 50), (250, 150, 50, 12.5), (250, 150, 100, 50))
QUERIES, TRIES = 200, 3


def sanitised_costs(ground: Ground) -> Verdict:
    """How far the expected sanitised epsilon is above the one read off the votes, by each of some
    settings, over draws of shards and noise: a measurement, as the paper states no limit.
    """
    texts, ratios = [], []
    for count, threshold, sigma1, sigma2 in ENSEMBLES:
        noise = Setting(threshold, sigma1, sigma2, 1e-5)
        growths = [_growth(ground, count, noise, seed) for seed in range(TRIES)]
        place = f"{count:,} linear teachers, T {threshold:g}, σ₁ {sigma1:g}, σ₂ {sigma2:g}"
        if not all(growth.sanitised for growth in growths):
            texts.append(f"{place}: the conditions of smooth sensitivity do not hold")
            continue
        times = measured([growth.sanitised[-1] / growth.dependent[-1] for growth in growths])
        ratios.append(times.mean)
        votes, whatever, mean = (
            sum(values) / TRIES
            for values in zip(
                *((g.dependent[-1], g.independent[-1], g.sanitised[-1]) for g in growths),
                strict=True,
            )
        )
        texts.append(
            f"{place}: ε {votes:.3g} by the votes (not releasable), {mean:.3g} in expectation once"
            f" sanitized, {times.mean:.2f} ({times.low:.2f}–{times.high:.2f}) times it, and"
            f" {whatever:.3g} exactly for any votes"
        )
    printed = [clean / votes for votes, clean in PRINTED_SANITISED]
    ratio_text = f"; here it is {min(ratios):.2f} to {max(ratios):.2f} times" if ratios else ""
    return Verdict(
        NOT_TRIED,
        f"The paper prints a sanitized ε {min(printed):.2f} to {max(printed):.2f} times as large"
        f" and states no limit, so this is a measurement without a verdict{ratio_text}. The"
        " release costs the exact divergence of two neighbors' releases (row “cost of the"
        f" sanitized ε”). {'; '.join(texts)}. {QUERIES} queries at IR 1, for the paper's 1,000,"
        f" and {TRIES} draws of shards, queries and noise.",
    )


def _growth(ground: Ground, count: int, noise: Setting, seed: int) -> Growth:
    material = ground.material(public=PUBLIC[ground.dataset])
    silent = lambda stage, step, total: None
    votes, _ = count_votes(material, Ensemble("linear", count, seed), silent)
    return vote_answers.growth(vote_answers.answer(votes.counts[:QUERIES], noise, seed))
