"""Tries of what the Prom-PATE paper reads off its tables: whose student is right more often.

Two ways: the PATE methods at equal budgets, by their own rule for T, noise and queries, which reads
no votes; and students of one ensemble's answers where the methods have no such student. A seed
draws shards, queries and noise; a difference is told with seeds and test records together, paired,
all differences of one claim at once (Holm).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpviz.diagnostics import vote_answers, vote_students
from dpviz.diagnostics.teacher_polls import Poll, counted
from dpviz.diagnostics.vote_students import PIXELS, Course, Marks
from dpviz.methods.parts.teachers import Ensemble
from dpviz.papers.model import CANNOT_TELL, DOES_NOT, HOLDS, Ground, Verdict
from dpviz.privacy.vote_ledger import Setting
from dpviz.run import experiment
from dpviz.stats import Interval, accuracy, band, difference, signs
from dpviz.types import Budget, RunSpec, Scores
from dpviz.words import number, percent, spread

SEEDS = 5
EPSILON = 3.0
PUBLIC = {"mnist5k": "held-aside", "clothes": "clothes-public"}
TEACHERS = {"mnist5k": 100, "clothes": 20}
"""So many that each has tens of records; queries come from the same set, or from other people."""
SOURCES = {"mnist5k": ("scatter", "glyphnet"), "clothes": ("glyphnet", "lite0-128")}
"""A source model that knows less of such pictures, and the shipped one."""
SAME = 0.03
"""Difference up to which two ways to learn are called nearly equal."""

Row = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""A method, its settings, and facts of the data that differ from the ground's own."""
TRANSFER: Row = ("transfer-pate", {}, {})
MAPPED: Row = ("prom-pate", {}, {})


def point(ground: Ground, row: Row, budget: float = EPSILON) -> Interval:
    """Accuracy of a PATE method's students at a budget."""
    method, params, facts = row
    material = ground.material(**{"public": PUBLIC[ground.dataset]} | dict(facts))
    own = {"teachers": TEACHERS[ground.dataset]} if "pate" in method else {}
    specs = [
        RunSpec(
            **material.facts,
            method=method,
            budget=Budget(budget),
            params=tuple((own | dict(params) | ({"draw": seed} if own else {})).items()),
            seed=seed,
        )
        for seed in range(SEEDS)
    ]
    return accuracy(experiment.sweep(specs), "overall")


def higher(
    lower: Callable[[Ground], Row], upper: Callable[[Ground], Row], words: tuple[str, str]
) -> Callable[[Ground], Verdict]:
    """A check that holds where ``upper`` is clearly right more often than ``lower``; ``words`` name
    the two.
    """

    def check(ground: Ground) -> Verdict:
        return told([(point(ground, lower(ground)), point(ground, upper(ground)))], words, ground)

    return check


def told(
    pairs: Sequence[tuple[Interval, Interval]], words: tuple[str, str], ground: Ground
) -> Verdict:
    """Of pairs of a lower and an upper accuracy, all in one verdict."""
    found = signs(dict(enumerate(pairs)), paired=True)
    up, down = (sum(sign == side for sign in found.values()) for side in (1, -1))
    outcome = DOES_NOT if down else HOLDS if up == len(pairs) else CANNOT_TELL
    return Verdict(outcome, _because(pairs, words, ground))


def _because(
    pairs: Sequence[tuple[Interval, Interval]], words: tuple[str, str], ground: Ground
) -> str:
    said = [
        f"Right with {words[1]}: {percent(b)} ({spread(b)}); with {words[0]}: {percent(a)}"
        f" ({spread(a)});"
        f" {100 * gap.apart:+.1f} ± {100 * gap.half:.1f} points"
        for a, b in pairs
        for gap in (difference(a, b, paired=True),)
    ]
    return f"{'; '.join(said)}. {_settings(ground)}"


def _settings(ground: Ground) -> str:
    return (
        f"{TEACHERS[ground.dataset]} teachers unless said, ({number(EPSILON)}, 1e-5)-DP whatever"
        f" the votes, queries from {PUBLIC[ground.dataset]}, {SEEDS} draws of shards, queries and"
        " noise and the test records together."
    )


def _same(row: Row) -> Callable[[Ground], Row]:
    return lambda ground: row


def _many(ground: Ground, times: int) -> Row:
    return ("transfer-pate", {"teachers": TEACHERS[ground.dataset] * times}, {})


mapping_above_linear = higher(
    _same(TRANSFER), _same(MAPPED), ("linear teachers", "a label mapping without its prompt")
)
transfer_above_scratch = higher(
    _same(("pate", {}, {})), _same(TRANSFER), ("teachers from scratch", "linear teachers")
)
more_teachers = higher(
    lambda ground: _many(ground, 1),
    lambda ground: _many(ground, 5),
    ("as many teachers", "5 times as many"),
)
above_the_probe = higher(
    _same(("noisy-gd", {}, {})), _same(MAPPED), ("the private probe", "mapped teachers' student")
)
better_source = higher(
    lambda ground: ("transfer-pate", {}, {"encoder": SOURCES[ground.dataset][0]}),
    lambda ground: ("transfer-pate", {}, {"encoder": SOURCES[ground.dataset][1]}),
    ("an encoder that knows less of such pictures", "the shipped one"),
)


def without_prompts(check: Callable[[Ground], Verdict]) -> Callable[[Ground], Verdict]:
    """A claim about prompts, tried without them: what is found says nothing of prompts."""

    def tried(ground: Ground) -> Verdict:
        found = check(ground)
        return Verdict(
            CANNOT_TELL,
            f"{found.because} Prompts themselves train for minutes: `python -m benchmarks.pate`"
            " tries them on mnist5k, where their difference to linear teachers is within noise.",
        )

    return tried


def one_layer(ground: Ground) -> Verdict:
    """One layer beats two, and a random mapping."""
    rows = [("prom-pate", {"mapping": kind}, {}) for kind in ("random-map", "fc2", "fc1")]
    random, two, one = (point(ground, row) for row in rows)
    return told(
        [(random, one), (two, one)], ("a random mapping, then two layers", "one layer"), ground
    )


def alike(ground: Ground) -> Verdict:
    """FixMatch and FreeMatch differ little."""
    fix, free = (
        point(ground, ("transfer-pate", {"student": kind}, {}))
        for kind in ("fixmatch", "freematch")
    )
    gap = difference(fix, free, paired=True)
    outcome = CANNOT_TELL
    if abs(gap.apart) + gap.half < SAME:
        outcome = HOLDS
    elif abs(gap.apart) - gap.half > SAME:
        outcome = DOES_NOT
    words = ("FixMatch", "FreeMatch")
    more = f" Little is {100 * SAME:g} points here. On features, views are noise."
    return Verdict(outcome, _because([(fix, free)], words, ground) + more)


# ------------------------------------------------------------ students that the methods do not have


def _marks(ground: Ground, kind: str, sees: str, seeds: int) -> list[Marks]:
    """Students of so many draws of one ensemble's kind at noise of a fifth of the teachers."""
    count = TEACHERS[ground.dataset]
    by = Setting(0.6 * count, 0.4 * count, 0.2 * count, 1e-5)
    material = ground.material(public=PUBLIC[ground.dataset])
    courses = [
        Course(Poll(material, Ensemble(kind, count, seed)), by, 150, "supervised", sees, (seed,))
        for seed in range(seeds)
    ]
    silent = lambda what, done, total: None
    return [vote_students.taught(material, course, silent) for course in courses]


def _together(marks: Sequence[Marks]) -> Interval:
    scores: tuple[Scores, ...] = tuple(score for one in marks for score in one.scores)
    return band(scores, "overall")


def pretrained_student(ground: Ground) -> Verdict:
    """A student on an encoder beats one from scratch, taught by the same answers."""
    seen, pixels = (_marks(ground, "fc1", sees, 3) for sees in ("", PIXELS))
    words = ("a small network from scratch on pixels", "a linear student on the encoder")
    found = told([(_together(pixels), _together(seen))], words, ground)
    answered = sum(one.answered[0] for one in seen) / 3
    return Verdict(
        found.outcome,
        f"{found.because.partition('. ')[0]}. Taught by the same {answered:.0f} answers of"
        f" {TEACHERS[ground.dataset]} mapped teachers at T 60 %, σ₁ 40 % and σ₂ 20 % of them; 3"
        " draws and the test records together.",
    )


def sanitised_pays(ground: Ground) -> Verdict:
    """Whether the sanitised epsilon is below what holds whatever the votes."""
    count, silent = 250, lambda what, done, total: None
    material = ground.material(public=PUBLIC[ground.dataset])
    votes, _ = counted(material, Ensemble("linear", count), silent)
    by = Setting(0.5 * count, 0.3 * count, 0.2 * count, 1e-5)
    grown = vote_answers.growth(vote_answers.answer(votes.counts[:200], by, 0))
    whatever, looked = grown.independent[-1], grown.dependent[-1]
    said = (
        f"{grown.answered[-1]} of {grown.queries[-1]} queries answered by {count} linear teachers"
        f" at T {by.threshold:g}, σ₁ {by.sigma1:g}, σ₂ {by.sigma2:g}: ε is {looked:.3g} by the"
        f" votes (not releasable), {whatever:.3g} exactly whatever the votes"
    )
    if not grown.sanitised:
        return Verdict(CANNOT_TELL, f"{said}; the conditions of smooth sensitivity hold nowhere.")
    mean, sd = grown.sanitised[-1], grown.spread[-1]
    outcome = HOLDS if mean + 2 * sd < whatever else DOES_NOT if mean > whatever else CANNOT_TELL
    return Verdict(outcome, f"{said}, and {mean:.3g} ± {sd:.2g} once sanitised.")
