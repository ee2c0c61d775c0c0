"""The closer looks of "Mixed privacy"; each draws its chart, says what it shows, and returns its
table.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title, shares_classes
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics.preset_comparison import PRIVATE, error, gain, orders, run_path
from dpviz.formatting import METRIC_WORDS, budget_text, minus, subset
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.methods.components.mixed_gradients import Path
from dpviz.plots.adamix import BoostCurve, StepTrace, boost_text
from dpviz.plots.comparisons import ErrorBars
from dpviz.run import reproduce, result_files
from dpviz.stats import Interval
from dpviz.types import Result
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.mixed_privacy import attacked_section, curves_section, public_or_private
from dpviz.ui.mixed_privacy.controls import MixedView, by_link_name, possible_presets
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views.mixed_privacy_page import few_classes
from dpviz.views.phrases import untested

KEY = "mixed-privacy"
FEW_SHOTS = (1, 2, 5, 10)
Rows = list[dict[str, Any]]
Errors = Mapping[Any, Interval]


def _setting_text(view: MixedView, metric: str, addition: str) -> None:
    st.caption(
        f"Error: 100% minus records {METRIC_WORDS[metric]}, at"
        f" {budget_text(view.budget)}, {subset(view)}."
        f" {detail_level.bands(view.seeds, bars=True)} A seed draws noise and public shots."
        f" {addition}"
    )


def difference(points: float) -> str:
    """Points with their sign: +7, −5, ±0."""
    return minus(f"{points:+.0f}") if round(points) else "±0"


# ---------------------------------------------------------------------------------------- ablations


def parts(view: MixedView, metric: str) -> Rows:
    """Every preset of the paper at this budget."""
    words = st.empty()

    def chart(results: Mapping[str, list[Result]]) -> ErrorBars:
        errors = {(name, ""): error(results[name], metric) for name in PRESETS if name in results}
        return ErrorBars.from_errors(errors, metric)

    groups = {name: view.runs(name) for name in possible_presets(PRESETS, view.features)}
    results = long_work.results(
        f"{KEY}-parts", groups, lambda slot, partial: slot.plot(chart(partial))
    )
    helps = _parts_text({name: error(runs, metric) for name, runs in results.items()})
    words.markdown(f"{helps} {few_classes(results.values())}".strip())
    addition = (
        "Each bar is a preset of the AdaMix paper; from zero, at fixed clip and unprojected leave"
        " one part out. PPGD is our reading of Wang & Zhou 2020, by its abstract: a private head"
        " clipped at the shots' mean gradient, to which the shots' head is then drawn."
    )
    _setting_text(view, metric, addition)
    return chart(results).table()


def _parts_text(errors: Errors) -> str:
    """Which parts help, hurt or cannot be told, compared seed by seed, all together."""
    if "AdaMix" not in errors:
        return ""
    if not errors["AdaMix"].is_measured:
        return untested()
    names = {
        "AdaMix from zero": "the public start",
        "AdaMix at fixed clip": "the adaptive threshold",
        "AdaMix unprojected": "the projection",
    }
    pairs = {name: (errors["AdaMix"], errors[name]) for name in names if name in errors}
    verdicts: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for name, sign in orders(pairs).items():
        more = difference(gain(*pairs[name]))
        verdicts[sign].append(f"{names[name]} ({more} points of error without it)")
    templates = {
        1: "What helps here: {}.",
        -1: "What **hurts** here: {}.",
        0: "Within noise: {}.",
    }
    return " ".join(templates[s].format("; ".join(verdicts[s])) for s in (1, -1, 0) if verdicts[s])


# -------------------------------------------------------------------------------------------- shots


def boosts(view: MixedView, metric: str) -> Rows:
    """Performance Boost of the presets drawn, against shots."""
    shots = sorted({*FEW_SHOTS, view.shots})
    groups = {(name, n): view.runs(name, shots=n) for n in shots for name in view.line_names}
    words = st.empty()

    def chart(results: Mapping[Any, list[Result]]) -> BoostCurve:
        whole = {n for n in shots if all((name, n) in results for name in view.line_names)}
        errors = {key: error(runs, metric) for key, runs in results.items() if key[1] in whole}
        return BoostCurve.from_errors(errors, view.presets, view.shots)

    def draw(slot: charts.Slot, partial: Mapping[Any, list[Result]]) -> None:
        if chart(partial).shots:
            slot.plot(chart(partial))

    shown = chart(long_work.results(f"{KEY}-boost", groups, draw))
    words.markdown(_boost_answer(shown, view))
    _setting_text(view, metric, BOOST)
    words_of = boost_text
    return [
        {"preset": name, "shots": n, "boost": words_of(v), "low": v.low, "high": v.high}
        for name, values in shown.lines
        for n, v in zip(shown.shots, values, strict=True)
    ]


BOOST = (
    "Performance Boost = (error of Only-Public − paragon) / (error of the private run − paragon):"
    " above 1 the private records paid off, below 1 public examples alone do better. Undefined"
    " where the private run is within half a point of the paragon or cannot be told from it: the"
    " ratio would be a division by nothing. Intervals are Fieller's."
)


def _boost_answer(shown: BoostCurve, view: MixedView) -> str:
    values = dict(shown.lines).get(view.lead, ())
    if not values:
        return ""
    text = ", ".join(
        f"**{boost_text(v)}** with {n}" for n, v in zip(shown.shots, values, strict=True)
    )
    known = [v.value for v in values if v.defined]
    paper = (
        "falls as shots are added, as in the paper"
        if all(a > b for a, b in itertools.pairwise(known))
        else "does not fall steadily as shots are added, as it does in the paper"
    )
    return f"Boost of {view.lead} by public shots a class: {text}." + (
        f" Its mean {paper}." if len(known) > 1 else ""
    )


# -------------------------------------------------------------------------------------------- steps


_traced = page_caches.cached_by_content(60, "Running it once more, watching …")(run_path)


def path(view: MixedView, metric: str) -> Rows:
    """One run, watched."""
    watched = by_link_name(
        n for n in possible_presets(PRIVATE, view.features) if PRESETS[n].method == adamix.KEY
    )
    first = next((key for key, name in watched.items() if name == view.lead), "AdaMix")
    name = watched[segments("The run of", watched, first, "run")]
    cards.private_view()
    spec = view.run(name, view.first_seed)
    try:
        seen = _traced(spec)
    except ValueError as error:
        page_parts.refusals([str(error)])
        return []
    shown = StepTrace.from_path(seen)
    st.markdown(_path_answer(name, seen))
    charts.plot(shown, f"{KEY}-steps")
    st.caption(
        f"Seed {spec.seed}, {shown.steps} steps. The threshold and the rank energy come from public"
        " shots; all else is read from private records. Gradients have length at most √2. Without"
        " projection the kept shares are 100%."
    )
    export.code_block(reproduce.run_command(spec))
    return shown.table()


def _path_answer(name: str, seen: Path) -> str:
    first, last = (seen.noise[i] / max(seen.signal[i], 1e-12) for i in (0, -1))
    return (
        f"{name} clips **{100 * seen.clipped[0]:.0f}%** of the records at the first step and"
        f" **{100 * seen.clipped[-1]:.0f}%** at the last, its projection keeps"
        f" **{100 * seen.kept_share.mean():.0f}%** of the private signal's energy on average,"
        f" and noise is **{first:.2g} ×** the signal at first, **{last:.2g} ×** at last."
    )


# ------------------------------------------------------------------------------------------ domains


def domains(view: MixedView, metric: str) -> Rows:
    """The same presets with public shots from the same and from other domains."""
    if view.encoder is None:
        st.info(
            "This data brings one public set of its own; choose a set of pictures to compare"
            " several."
        )
        return []
    available = public_compared(view.dataset, view.public)
    keys = sorted(available, key=lambda key: key != HELD_ASIDE)
    titles = {key: public_title(key) for key in keys if shares_classes(view.dataset, key)}
    groups = {
        (name, key): view.runs(name, public=key) for key in titles for name in view.line_names
    }
    words = st.empty()

    def chart(results: Mapping[Any, list[Result]]) -> ErrorBars:
        pairs = [
            (name, key) for name in view.line_names for key in titles if (name, key) in results
        ]
        errors = {(name, titles[key]): error(results[name, key], metric) for name, key in pairs}
        return ErrorBars.from_errors(errors, metric)

    results = long_work.results(
        f"{KEY}-domains", groups, lambda slot, partial: slot.plot(chart(partial))
    )
    errors = {key: error(runs, metric) for key, runs in results.items()}
    words.markdown(_domain_answer(errors, titles, view.lead))
    shifted = " Drawn and UCI digits are a shifted domain." if "glyphs" in titles else ""
    addition = (
        f"{view.shots} public shots a class (fewer where there are no more). Images held"
        f" aside are public and no longer private.{shifted}"
    )
    _setting_text(view, metric, addition)
    return chart(results).table()


def _domain_answer(errors: Errors, titles: Mapping[str, str], lead: str) -> str:
    """What private records add to public ones, by public set."""
    pairs = {
        title: (errors[lead, key], errors["Only-Public", key])
        for key, title in titles.items()
        if (lead, key) in errors and ("Only-Public", key) in errors
    }
    texts = [
        f"{title}: **{difference(gain(*pairs[title]))} points**{'' if sign else ', within noise'}"
        for title, sign in orders(pairs).items()
    ]
    return (
        f"What {lead} takes off the error of its public shots alone: {'; '.join(texts)}."
        if texts
        else ""
    )


SECTIONS = {
    "parts": ("Which part helps", parts),
    "curves": ("One setting, over all budgets", curves_section.section),
    "attacked": ("Who is found out", attacked_section.section),
    "bounds": ("What the theorems allow", curves_section.bounds),
    "boost": ("More public shots", boosts),
    "steps": ("Step by step", path),
    "domain": ("Public pictures from elsewhere", domains),
    "records": ("N public or N private", public_or_private.section),
}

# ------------------------------------------------------------------------------------------- export


def block(results: Mapping[str, list[Result]], now: Mapping[str, list[Result]]) -> None:
    """Table and CSV of the main chart, and the command of each preset's first run."""

    def frame(runs_by_preset: Mapping[str, list[Result]]) -> pd.DataFrame:
        unique = {(name, r.spec): r for name, runs in runs_by_preset.items() for r in runs}
        rows = [{"preset": name} | result_files.row(r) for (name, _), r in unique.items()]
        return pd.DataFrame(rows)

    export.show(frame(now))
    export.csv("All runs as CSV", frame(results), f"{KEY}.csv")
    st.caption("The first seed of each preset again, from a shell in the project's folder:")
    commands = "\n".join(reproduce.run_command(runs[0].spec) for runs in now.values())
    export.code_block(commands)


def about(view: MixedView) -> None:
    """What differs here from the other pages."""
    held = (
        ". Images held aside come from the private set itself, which is smaller by as many"
        if view.public == HELD_ASIDE
        else ""
    )
    st.caption(
        "On this page, unlike the others, a seed draws the public shots as well as the noise, and"
        " presets are compared seed by seed as well as record by record, since they share them."
        f" Public shots cost no privacy: they are taken to be known to all{held}. Learning rates"
        " were chosen on the default data, which nobody pays for. Label prototypes are the mean of"
        " a class's shots, which for drawn characters are pictures of its name."
    )
