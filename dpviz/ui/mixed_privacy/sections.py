"""Views of the AdaMix page below its main chart; each draws its chart and returns its table."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz.data import public_compared, public_title, shares_classes
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics.preset_comparison import (
    PRIVATE,
    accuracy,
    accuracy_orders,
    error,
    gain,
    run_path,
)
from dpviz.experiments import reproduce, result_files
from dpviz.formatting import budget_text, rounded, subset
from dpviz.lazy_imports import pandas as pd
from dpviz.methods import adamix
from dpviz.methods.adamix_presets import PRESETS
from dpviz.methods.components.mixed_gradients import Path
from dpviz.plots.adamix import BoostCurve, StepTrace, boost_text
from dpviz.plots.comparisons import PresetBars
from dpviz.stats import Interval
from dpviz.text import mixed_privacy as text
from dpviz.text.template import render
from dpviz.types import Result
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.mixed_privacy import answer, attacked_section, curves_section, public_or_private
from dpviz.ui.mixed_privacy.controls import MixedView, by_link_name, possible_presets
from dpviz.ui.widgets import cards, charts, export, section_tabs, training_curves
from dpviz.ui.widgets.choices import segments
from dpviz.views import mixed_privacy_page

KEY = "mixed-privacy"
FEW_SHOTS = (1, 2, 5, 10)
Rows = list[dict[str, Any]]
Accuracies = Mapping[Any, Interval]


def _setting_text(view: MixedView, metric: str, *notes: str) -> None:
    fields = {"budget": budget_text(view.budget), "subset": subset(view)}
    setting = render(text.SETTING, group=text.GROUPS[metric], **fields)
    bars = detail_level.bands(view.seeds, bars=True)
    st.caption(" ".join([setting, bars, text.SEED_DRAWS, *notes]))


# ---------------------------------------------------------------------------------------- ablations


def parts(view: MixedView, metric: str) -> Rows:
    """Draw every method of the paper at this budget."""
    words = st.empty()

    def chart(results: Mapping[str, list[Result]]) -> PresetBars:
        accuracies = {
            (name, ""): accuracy(results[name], metric) for name in PRESETS if name in results
        }
        return PresetBars.from_accuracies(accuracies, metric)

    groups = {name: view.runs(name) for name in possible_presets(PRESETS, view.features)}
    results = long_work.results(
        f"{KEY}-parts", groups, lambda slot, partial: slot.plot(chart(partial))
    )
    sentences = part_sentences({name: accuracy(runs, metric) for name, runs in results.items()})
    classes = mixed_privacy_page.class_count(results.values())
    words.markdown("  \n".join(sentences + mixed_privacy_page.few_classes(classes)))
    _setting_text(view, metric, text.PARTS_NOTE)
    return chart(results).table()


def part_sentences(accuracies: Accuracies) -> list[str]:
    """Return what AdaMix loses without each part, compared seed by seed and tested together."""
    if "AdaMix" not in accuracies:
        return []
    precise = detail_level.precise()
    if not accuracies["AdaMix"].is_measured:
        return [text.ANSWERS["untested"].fill(precise)]
    pairs = {
        name: (accuracies["AdaMix"], accuracies[name]) for name in text.PARTS if name in accuracies
    }
    return [
        text.PART_VERDICTS[sign].fill(
            precise, part=text.PARTS[name], change=gain(*pairs[name]) / 100
        )
        for name, sign in sorted(accuracy_orders(pairs).items(), key=lambda each: -each[1])
    ]


# ------------------------------------------------------------------------------- number of examples


def boosts(view: MixedView, metric: str) -> Rows:
    """Draw the performance boost of the selected methods against public examples."""
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
    words.markdown(boost_sentence(shown, view))
    _setting_text(view, metric, text.BOOST_NOTE)
    return [
        {"preset": name, "shots": n, "boost": boost_text(v), "low": v.low, "high": v.high}
        for name, values in shown.lines
        for n, v in zip(shown.shots, values, strict=True)
    ]


def boost_sentence(shown: BoostCurve, view: MixedView) -> str:
    """Return whether the lead's boost falls with more public examples."""
    values = dict(shown.lines).get(view.lead, ())
    if not values:
        return ""
    known = [v.value for v in values if v.defined]
    falls = all(a > b for a, b in itertools.pairwise(known))
    case = "unknown" if len(known) < 2 else "falls" if falls else "varies"
    first, last = boost_text(values[0]), boost_text(values[-1])
    return render(text.BOOST[case], lead=view.lead, first=first, last=last)


# ----------------------------------------------------------------------------------- training steps


_traced = page_caches.cached_by_content(60, text.TRACING)(run_path)


def path(view: MixedView, metric: str) -> Rows:
    """Draw the steps of one run."""
    traced = by_link_name(
        n for n in possible_presets(PRIVATE, view.features) if PRESETS[n].method == adamix.KEY
    )
    first = next((key for key, name in traced.items() if name == view.lead), "AdaMix")
    name = traced[segments(text.RUN_OF, traced, first, "run")]
    cards.private_view()
    spec = view.run(name, view.first_seed)
    try:
        seen = _traced(spec)
    except ValueError as error:
        page_parts.refusals([str(error)])
        return []
    training_curves.draw({name: spec}, metric, f"{KEY}-training")
    shown = StepTrace.from_path(seen)
    st.markdown(_path_sentences(name, seen))
    charts.plot(shown, f"{KEY}-steps")
    st.caption(render(text.STEPS_CAPTION, seed=spec.seed, steps=shown.steps))
    export.code_block(reproduce.run_command(spec))
    return shown.table()


def _path_sentences(name: str, seen: Path) -> str:
    begin, end = (seen.noise[i] / max(seen.signal[i], 1e-12) for i in (0, -1))
    return render(
        text.STEPS,
        name=name,
        first=float(seen.clipped[0]),
        last=float(seen.clipped[-1]),
        kept=float(seen.kept_share.mean()),
        begin=rounded(begin, 2),
        end=rounded(end, 2),
    )


# -------------------------------------------------------------------------------------- public sets


def domains(view: MixedView, metric: str) -> Rows:
    """Draw the same methods with public examples from several public sets."""
    if view.encoder is None:
        st.info(text.OWN_PUBLIC)
        return []
    available = public_compared(view.dataset, view.public)
    keys = sorted(available, key=lambda key: key != HELD_ASIDE)
    titles = {key: public_title(key) for key in keys if shares_classes(view.dataset, key)}
    groups = {
        (name, key): view.runs(name, public=key) for key in titles for name in view.line_names
    }
    words = st.empty()

    def chart(results: Mapping[Any, list[Result]]) -> PresetBars:
        pairs = [
            (name, key) for name in view.line_names for key in titles if (name, key) in results
        ]
        accuracies = {
            (name, titles[key]): accuracy(results[name, key], metric) for name, key in pairs
        }
        return PresetBars.from_accuracies(accuracies, metric)

    results = long_work.results(
        f"{KEY}-domains", groups, lambda slot, partial: slot.plot(chart(partial))
    )
    accuracies = {key: accuracy(runs, metric) for key, runs in results.items()}
    words.markdown(_domain_list(accuracies, titles, view.lead))
    notes = [render(text.DOMAINS_NOTE, shots=view.shots)]
    if "glyphs" in titles:
        notes.append(text.SHIFTED_NOTE)
    _setting_text(view, metric, *notes)
    return chart(results).table()


def _domain_list(accuracies: Accuracies, titles: Mapping[str, str], lead: str) -> str:
    """Return what private images add to public ones, by public set."""
    pairs = {
        title: (accuracies[lead, key], accuracies["Only-Public", key])
        for key, title in titles.items()
        if (lead, key) in accuracies and ("Only-Public", key) in accuracies
    }
    precise = detail_level.precise()
    items = [
        text.DOMAINS[sign].fill(precise, title=title, change=-gain(*pairs[title]) / 100)
        for title, sign in accuracy_orders(pairs).items()
    ]
    if not items:
        return ""
    return "\n".join([render(text.DOMAINS_OF, lead=lead), "", *(f"- {item}" for item in items)])


#: What draws each view of a tab, by its key in the link; guarantees need the page's results.
SECTIONS: Mapping[str, Callable[[MixedView, str], Rows]] = {
    "parts": parts,
    "curves": curves_section.section,
    "steps": path,
    "attacked": attacked_section.section,
    "bounds": curves_section.bounds,
    "boost": boosts,
    "domain": domains,
    "records": public_or_private.section,
}
#: Views of each tab.
TABS = {
    name: (title, {key: text.VIEWS[key] for key in keys})
    for name, title, keys in (
        ("compare", text.TABS["compare"], ("compare",)),
        ("parts", text.TABS["parts"], ("parts", "curves", "steps")),
        ("public", text.TABS["public"], ("boost", "domain", "records")),
        ("attacked", text.TABS["attacked"], ("attacked",)),
        ("bounds", text.TABS["bounds"], ("bounds",)),
    )
} | {
    key: (text.TABS[key], {key: text.TABS[key]}) for key in (section_tabs.TABLE, section_tabs.ABOUT)
}

# ------------------------------------------------------------------------------------------- export


def block(results: Mapping[str, Sequence[Result]], now: Mapping[str, Sequence[Result]]) -> None:
    """Draw table and CSV of the main chart, and the command of each method's first run."""

    def frame(runs_by_method: Mapping[str, Sequence[Result]]) -> pd.DataFrame:
        unique = {(name, r.spec): r for name, runs in runs_by_method.items() for r in runs}
        rows = [{"preset": name} | result_files.row(r) for (name, _), r in unique.items()]
        return pd.DataFrame(rows)

    export.show(frame(now))
    export.csv(text.TABLE_CHART, frame(results), f"{KEY}.csv")
    st.caption(text.TABLE_COMMANDS)
    commands = "\n".join(reproduce.run_command(runs[0].spec) for runs in now.values())
    export.code_block(commands)


def about(view: MixedView, origin: str, fall: str) -> None:
    """Draw where the numbers come from, what differs here from other pages, and why the accuracy
    falls, ``fall``, where it does.
    """
    held = text.ABOUT_HELD if view.public == HELD_ASIDE else ""
    st.markdown(" ".join(filter(None, [text.ABOUT, held, fall])))
    about_numbers.draw(view)
    st.caption(origin)


def compare(
    results: answer.Results, view: MixedView, metric: str, comparison: answer.PublicComparison
) -> None:
    """Draw guarantees and cost, and compare with the paper and with public images."""
    precise = detail_level.precise()
    sentences = [
        comparison.sentence(results, view, metric, precise),
        answer.elsewhere_sentence(KEY, view, metric, precise),
        *answer.order_sentences(results, view, metric),
    ]
    st.markdown(" ".join(filter(None, sentences)))
    answer.guarantees(answer.at_now(results, view), view, metric)


def details(
    results: answer.Results,
    view: MixedView,
    metric: str,
    comparison: answer.PublicComparison,
    fall: str,
) -> None:
    """Draw the tabs below the main chart, the open one alone."""
    page_parts.current_page().view = view
    runs = [r for runs in results.values() for r in runs] + list(comparison.public)
    origin = page_parts.origin(runs)  # before the views, whose results are others
    match section_tabs.open_view(TABS, "mix", text.VIEW):
        case "compare":
            compare(results, view, metric, comparison)
        case section_tabs.TABLE:
            block(results, answer.at_now(results, view))
        case section_tabs.ABOUT:
            about(view, origin, fall)
        case chosen:
            rows = SECTIONS[chosen](view, metric)
            section_tabs.table_fold(rows, f"{KEY}-look", text.TABLE_VIEW)
