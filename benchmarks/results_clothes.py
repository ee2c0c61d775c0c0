"""The tables of docs/measured/clothes.md: every method on contributed photos, with a guarantee per
image and per person, and the claims of papers.

    python -m benchmarks.results_clothes            print the tables
    python -m benchmarks.results_clothes --write    put them into docs/measured

Budgets are on the zCDP axis. Figures are means over data draws and noise seeds (``_tables``) with
half of their 95% interval, which covers draws, seeds and test records. What is stored is not
computed again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from benchmarks import _dppl_claims
from benchmarks._dppl_claims import Unmet
from benchmarks._measured import OWN, printed_or_put
from benchmarks._tables import (
    FEWER_DRAWS,
    Claim,
    NotBelow,
    Table,
    epsilons,
    progress,
    run_counts,
    table_specs,
    told,
)
from dpviz.experiments import experiment
from dpviz.methods import METHODS
from dpviz.types import Budget, DataConfig, Result, RunSpec

DATASET, ENCODER, WEAKER = "clothes", "lite0-128", "lite0"
BUDGETS = (0.1, 1.0, 10.0)
SLOW = ("dp-newton",)
"""Left out where one cell takes a minute: fifty eigendecompositions in 1,280 dimensions."""
PICTURE: dict[str, dict[str, Any]] = {
    "original sizes": {},
    "IR 10": {"ir": 10},
    "IR 50": {"ir": 50},
    "80 per class": {"records": 80},
}
"""Settings with a guarantee per image; the smallest class has 80 images."""
MANY = (1, 5, 20)
PERSON: dict[str, dict[str, Any]] = {
    **{f"K = {k}": {"unit": "person", "per_person": k} for k in MANY},
    "K = all": {"unit": "person"},
}
"""Settings with a guarantee per person, of whom at most K images are kept."""
PLACES: dict[str, dict[str, Any]] = PICTURE | PERSON
CLIP = "noisy-gd person=clip"
TOLD = ("dppl-mean", "dppl-mean-projected", "dppl-public", "noisy-gd", CLIP, "transfer-pate")
"""Rows of the short table."""
DPPL, OTHERS = "### What the DPPL papers claim", "### What papers claim about guarantees per person"
WORSE: dict[str, dict[str, Any]] = {
    f"{place}, {WEAKER}": PICTURE[place] for place in ("original sizes", "IR 50")
}
"""The same at fewer pixels."""
SHARED = ("dataset", "encoder", "public", "draw")
"""Facts that do not tell places of an encoder apart."""
ENCODER_BUDGET = 1.0
"""Budget at which encoders are compared."""


def collect() -> list[Result]:
    """All cells, from the store where they are there."""
    wanted = [spec for facts in PLACES.values() for spec in _specs(ENCODER, facts, BUDGETS)]
    wanted += [
        spec for facts in WORSE.values() for spec in _specs(WEAKER, facts, (ENCODER_BUDGET,))
    ]
    return experiment.sweep(wanted, progress=progress)


def _specs(encoder: str, facts: dict, budgets: Iterable[float]) -> list[RunSpec]:
    material, values = DataConfig(DATASET, encoder, **facts), [Budget(b, "zcdp") for b in budgets]
    settings: list[tuple[str, dict[str, Any]]] = [(m, {}) for m in _rows()]
    settings += [("noisy-gd", {"person": "clip"})] if "unit" in facts else []
    return [
        spec
        for method, params in settings
        for spec in table_specs(material, method, values, params, FEWER_DRAWS)
    ]


def _rows() -> list[str]:
    return [key for key in METHODS if key not in SLOW]


def place(spec: RunSpec) -> str:
    """Which of the places a run is in."""
    facts_of_spec = {
        key: value for key, value in spec.non_default_fields.items() if key not in SHARED
    }
    places = PLACES if spec.encoder == ENCODER else WORSE
    return next(name for name, facts in places.items() if facts == facts_of_spec)


def row(spec: RunSpec) -> str:
    """The method, and who is clipped where it is not each record."""
    return CLIP if dict(spec.params).get("person") == "clip" else spec.method


# ------------------------------------------------------------------------------------------- claims


def claims(balanced: Table, minority: Table) -> dict[str, Claim | Unmet]:
    """What the DPPL papers claim, and what is claimed of persons."""
    by_claim = _dppl_claims.claims(
        balanced,
        minority,
        BUDGETS,
        list(PICTURE),
        "80 per class",
        ["original sizes", "IR 10", "IR 50"],
        "original sizes, IR 10 and 50",
        DATASET,
        SLOW,
    )
    encoders = list(zip(("original sizes", "IR 50"), WORSE, strict=True))
    name = f"A better encoder helps every method ({ENCODER} against {WEAKER}, ρ {ENCODER_BUDGET:g})"
    by_claim[name] = _dppl_claims.better_encoder(balanced, encoders, ENCODER_BUDGET, SLOW)
    return by_claim | _of_persons(balanced, minority)


def _of_persons(balanced: Table, minority: Table) -> dict[str, Claim]:
    every = list(product(PERSON, BUDGETS))
    most, few = "K = all", [f"K = {k}" for k in MANY]
    private = [m for m in _dppl_claims.PRIVATE if m not in SLOW]
    noisier = [m for m in private if not _at_once(m)]
    at_once = [*(m for m in private if _at_once(m)), CLIP]
    baselines = [m for m in _dppl_claims.BASELINES if m not in SLOW] + [CLIP]
    inner, ends = few[1:], (few[0], most)
    return {
        "A guarantee per person costs accuracy for every K (original sizes per image against the"
        " best K; our own statement)": Claim(
            balanced,
            [
                (("original sizes", m, b), balanced.best((p, m, b) for p in PERSON))
                for m, b in product(private, BUDGETS)
            ],
            [(("original sizes", m, b), (p, m, b)) for m, (p, b) in product(private, every)],
        ),
        "With noise for K records, some K between one and all does best"
        " (Amin et al. 2019; the better of K = 5 and 20 against 1 and all)": Claim(
            balanced,
            [
                (balanced.best((p, m, b) for p in inner), (end, m, b))
                for m, b, end in product(noisier, BUDGETS, ends)
            ],
            [((p, m, b), (end, m, b)) for p, m, b, end in product(inner, noisier, BUDGETS, ends)],
        ),
        "Clipping each person's summed gradient beats noise for K records (Charles et al. 2025;"
        " the linear probe)": Claim(
            balanced,
            [((p, CLIP, b), (p, "noisy-gd", b)) for p, b in every if p != few[0]],
        ),
        "Votes and per-person clipping do not lose with the images per person (all against one"
        " each; our own statement)": NotBelow(
            balanced, [((most, m, b), (few[0], m, b)) for m, b in product(at_once, BUDGETS)]
        ),
        "DPPL-Public beats DPPL-Mean with a guarantee per person (our own, as the papers state for"
        " small budgets)": Claim(
            balanced, [((p, "dppl-public", b), (p, "dppl-mean", b)) for p, b in every]
        ),
        "Prototypes beat the baselines on the minority with a guarantee per person (best of each"
        " family; our own)": _dppl_claims.families(
            minority, _dppl_claims.PROTOTYPES, baselines, every
        ),
    }


def _at_once(key: str) -> bool:
    """Whether a method's noise does not grow with the records of a person."""
    method = METHODS[key]
    return method.record_ratio(method.check({})) > 0


# ------------------------------------------------------------------------------------------- output


def report() -> str:
    """Tables and claims as markdown."""
    results = collect()
    balanced, minority = (Table(results, score, place, row) for score in ("balanced", "minority"))
    parts = [_setting(results), _story(balanced)]
    for head, places, rows, budgets in (
        ("Guarantee per image", PICTURE, _rows(), BUDGETS),
        ("Guarantee per person", PERSON, [*_rows(), CLIP], BUDGETS),
        (f"Guarantee per image, encoder `{WEAKER}`", WORSE, _rows(), (ENCODER_BUDGET,)),
    ):
        named = {name: name.removesuffix(f", {WEAKER}") for name in places}
        parts += [
            f"## {head}",
            _what_is_left(results, places),
            *(table.markdown(rows, named, budgets) for table in (balanced, minority)),
        ]
    parts += [
        "## Claims of papers",
        "A difference counts if it is significant over draws, noise seeds and test records, with"
        " Holm's correction for all comparisons of this list. The correction includes the"
        " comparisons from which a best value was picked. Balanced accuracies are compared between"
        " settings; minority accuracies are not, since the rare classes differ. Methods run at"
        " default settings; the papers searched theirs. Claims on DPPL-Public need a public set"
        " that is broad or has none of the private classes. These data do not meet that premise.",
        _by_source(claims(balanced, minority)),
    ]
    return "\n\n".join(parts)


def _by_source(some: dict[str, Claim | Unmet]) -> str:
    """The claims with their verdicts, all told together: the DPPL papers', others', our own."""
    by_title: dict[str, list[str]] = {DPPL: [], OTHERS: [], OWN: []}
    for said, line in zip(some, told(some).splitlines(), strict=True):
        ours, others = "our own" in said, "et al." in said
        by_title[OWN if ours else OTHERS if others else DPPL].append(line)
    return "\n\n".join(f"{title}\n\n" + "\n".join(lines) for title, lines in by_title.items())


def _setting(results: list[Result]) -> str:
    most = next(r for r in results if r.spec.unit == "person" and not r.spec.per_person)
    return (
        f"`{DATASET}`, encoder `{ENCODER}`, {run_counts(METHODS, FEWER_DRAWS)}, mean ± half of its"
        f" 95% interval, which covers draws, seeds and {sum(most.scores.hits.tested):,} test"
        " records, ρ-zCDP axis, default settings, public set `clothes-public`. Made by `python -m"
        f" benchmarks.results_clothes --write`. ρ 0.1, 1 and 10 are {epsilons(BUDGETS)} at δ = 1e-5"
        " for Gaussian noise. Left out: `dp-newton`, since one cell takes a minute in 1,280"
        " dimensions. With a guarantee per person, methods without privacy show the cost of leaving"
        " images out. `K = all` plans for 573 images, the largest number of one person. This bound"
        " is read from the private data, and the guarantee does not cover it. Votes and"
        f" `{CLIP}` need no K."
    )


def _story(balanced: Table) -> str:
    """Accuracy of some methods at one budget, by K."""
    lines = [
        f"| balanced, % at ρ {ENCODER_BUDGET:g} | per image | {' | '.join(PERSON)} |",
        "| --- |" + " ---: |" * (1 + len(PERSON)),
    ]
    for name in TOLD:
        cells = [balanced.text("original sizes", name.split()[0], ENCODER_BUDGET)]
        cells += [balanced.text(p, name, ENCODER_BUDGET) for p in PERSON]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    public = balanced.text("original sizes", "only-public", ENCODER_BUDGET)
    return "\n".join(lines) + (
        "\n\nThe labeled public images alone (`only-public`) give"
        f" {public}. A private method below this value gains nothing from the private images."
    )


def _what_is_left(results: list[Result], places: Iterable[str]) -> str:
    """How many records each place has, and which classes are its minority."""
    said = []
    for name in places:
        one = next(r for r in results if place(r.spec) == name)
        names = experiment.prepared(one.spec).class_names
        few = ", ".join(names[c] for c in one.minority_classes)
        said.append(
            f"{name.removesuffix(f', {WEAKER}')}: {sum(one.class_counts):,}, classes of"
            f" {min(one.class_counts):,} to {max(one.class_counts):,}, minority {few}"
        )
    return f"Private records: {'; '.join(said)}."


if __name__ == "__main__":
    printed_or_put("clothes", __doc__, report)
