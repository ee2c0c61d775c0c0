"""The closer looks of the page "Mixed privacy"; each draws its chart, says what it shows, and
returns its table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.data import DATASETS, public_there
from dpviz.diagnostics import adamix_steps as steps
from dpviz.diagnostics.adamix_steps import errors, order
from dpviz.methods.adamix_presets import PRESETS
from dpviz.plots import adamix_trace, boost_by_public_shots, preset_errors
from dpviz.run import experiment, reproduce, result_files
from dpviz.run.jobs import Group
from dpviz.types import Result, RunSpec
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.mixed_privacy import controls as page
from dpviz.ui.mixed_privacy.controls import PRIVATE, Mixed
from dpviz.ui.widgets import cards, charts, export, text
from dpviz.ui.widgets.choices import choice
from dpviz.words import METRIC_WORDS, at, minus

KEY = "mixed-privacy"
LOOKS = {
    "parts": "Which part helps",
    "boost": "More public shots",
    "steps": "Step by step",
    "domain": "Public pictures from elsewhere",
}
FEW_SHOTS = (1, 2, 5, 10)
Rows = list[dict[str, Any]]


def choose() -> str:
    """Which closer look: a key of ``LOOKS``."""
    return choice(
        st.segmented_control,
        "A closer look",
        LOOKS,
        "parts",
        "mix",
        required=True,
        label_visibility="collapsed",
    )


def show(look: str, mixed: Mixed, metric: str) -> Rows:
    """The chosen look; returns its table."""
    return {"parts": parts, "boost": boosts, "steps": path, "domain": domains}[look](mixed, metric)


def _collect(
    name: str, wanted: Mapping[Any, Group], draw: Callable[[dict[Any, list[Result]]], None]
) -> dict[Any, list[Result]]:
    """The results by key of ``wanted``, with progress and a stop; what is there is drawn as it
    comes.
    """
    status, place = st.empty(), st.empty()

    def there(job: Any) -> dict[Any, list[Result]]:
        return {key: job.done[group] for key, group in wanted.items() if group in job.done}

    def again(job: Any) -> None:
        with place.container():
            draw(there(job), f"-{len(job.done)}")

    job = long_work.collect(
        f"{KEY}-{name}", list(wanted.values()), status, again, begin=lambda: None
    )
    text.refusals(job.errors.values())
    found = there(job)
    if found:
        with place.container():
            draw(found, "")
        st.caption(text.origin([r for mine in found.values() for r in mine]))
    return found


def _now(mixed: Mixed, more: str, metric: str) -> str:
    view = mixed.view
    return (
        f"Error: 100 % minus records {METRIC_WORDS[metric]}, at"
        f" {at(view.budget)}, IR {view.ir:g}. Intervals: 95 % over N ="
        f" {view.seeds} seeds of noise and shots. {more}"
    )


# ---------------------------------------------------------------------------------------- ablations


def parts(mixed: Mixed, metric: str) -> Rows:
    """Every preset of the paper at this budget."""
    wanted = {name: page.cells(mixed, name, (mixed.view.budget.value,)) for name in PRESETS}
    words = st.empty()

    def chart(found: dict[str, list[Result]]) -> preset_errors.ErrorBars:
        return preset_errors.info(
            {(name, ""): errors(found[name], metric) for name in PRESETS if name in found}, metric
        )

    def draw(found: dict[str, list[Result]], stage: str) -> None:
        shown = chart(found)
        charts.show(preset_errors.figure(shown), preset_errors.alt(shown), f"{KEY}-parts{stage}")

    found = _collect("parts", wanted, draw)
    words.markdown(_parts_answer({name: errors(mine, metric) for name, mine in found.items()}))
    st.caption(
        _now(
            mixed,
            "Each bar is a preset of the AdaMix paper; no-… leaves one part out. PPGD is left out:"
            " the paper does not give its steps.",
            metric,
        )
    )
    return preset_errors.table(chart(found))


def _parts_answer(said: Mapping[str, tuple[float, ...]]) -> str:
    """Which parts help, hurt or cannot be told, compared seed by seed."""
    if "AdaMix" not in said:
        return ""
    names = {
        "no-init": "the public start",
        "no-clip-adapt": "the adaptive threshold",
        "no-projection": "the projection",
    }
    verdicts: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for name, what in names.items():
        if name in said:
            gain = 100 * (sum(said[name]) - sum(said["AdaMix"])) / len(said[name])
            verdicts[order(said["AdaMix"], said[name])].append(
                f"{what} ({difference(gain)} points of error without it)"
            )
    told = {
        1: "What helps here: {}.",
        -1: "What **hurts** here, against the paper: {}.",
        0: "Within noise: {}.",
    }
    return " ".join(told[s].format("; ".join(verdicts[s])) for s in (1, -1, 0) if verdicts[s])


def difference(points: float) -> str:
    """Points with their sign: +7, −5, ±0."""
    return minus(f"{points:+.0f}") if round(points) else "±0"


# -------------------------------------------------------------------------------------------- shots


def boosts(mixed: Mixed, metric: str) -> Rows:
    """Performance Boost of the presets drawn, against shots."""
    shots = sorted({*FEW_SHOTS, mixed.shots})
    wanted = {
        (name, n): page.cells(mixed, name, (mixed.view.budget.value,), shots=n)
        for n in shots
        for name in mixed.drawn
    }
    words = st.empty()

    def chart(found: dict[Any, list[Result]]) -> boost_by_public_shots.BoostCurve:
        whole = {n for n in shots if all((name, n) in found for name in mixed.drawn)}
        said = {key: errors(mine, metric) for key, mine in found.items() if key[1] in whole}
        return boost_by_public_shots.info(said, mixed.presets, mixed.shots)

    def draw(found: dict[Any, list[Result]], stage: str) -> None:
        shown = chart(found)
        if shown.shots:
            charts.show(
                boost_by_public_shots.figure(shown),
                boost_by_public_shots.alt(shown),
                f"{KEY}-boost{stage}",
            )

    shown = chart(_collect("boost", wanted, draw))
    words.markdown(_boost_answer(shown, mixed))
    st.caption(_now(mixed, _BOOST, metric))
    return [
        {
            "preset": name,
            "shots": n,
            "boost": boost_by_public_shots.words(v),
            "low": v.low,
            "high": v.high,
        }
        for name, values in shown.lines
        for n, v in zip(shown.shots, values, strict=True)
    ]


_BOOST = (
    "Performance Boost = (error of Only-Public − paragon) / (error of the private run − paragon):"
    " above 1 the private records paid off, below 1 public examples alone do better. Undefined"
    " where the private run is within half a point of the paragon or cannot be told from it: the"
    " ratio would be a division by nothing. Intervals are Fieller's."
)


def _boost_answer(shown: boost_by_public_shots.BoostCurve, mixed: Mixed) -> str:
    values = dict(shown.lines).get(mixed.lead, ())
    if not values:
        return ""
    told = ", ".join(
        f"**{boost_by_public_shots.words(v)}** with {n}"
        for n, v in zip(shown.shots, values, strict=True)
    )
    known = [v.value for v in values if v.defined]
    falls = len(known) > 1 and all(a > b for a, b in itertools.pairwise(known))
    paper = (
        "falls as shots are added, as in the paper"
        if falls
        else "does not fall steadily as shots are added, as it does in the paper"
    )
    return f"Boost of {mixed.lead} by public shots a class: {told}." + (
        f" Its mean {paper}." if len(known) > 1 else ""
    )


# -------------------------------------------------------------------------------------------- steps


@page_caches.remembered(60, "Running it once more, watching …")
def _path(spec: RunSpec, content: str) -> Any:
    return steps.path(spec)


def path(mixed: Mixed, metric: str) -> Rows:
    """One run, watched."""
    name = choice(
        st.segmented_control,
        "The run of",
        {n: n for n in PRIVATE},
        mixed.lead,
        "run",
        required=True,
    )
    cards.private_view()
    one = page.spec(mixed, name, mixed.view.budget.value, mixed.seeds[0])
    try:
        seen = _path(one, experiment.prepared(one).fingerprint)
    except ValueError as error:
        text.refusals([str(error)])
        return []
    shown = adamix_trace.info(seen)
    st.markdown(_path_answer(name, seen))
    charts.show(adamix_trace.figure(shown), adamix_trace.alt(shown), f"{KEY}-steps")
    st.caption(
        f"Seed {one.seed}, {shown.steps} steps. The threshold and the rank energy come from public"
        " shots; all else is read from private records. Gradients have length at most √2. Without"
        " projection the kept shares are 100 %."
    )
    st.code(reproduce.run_command(one), language="bash", wrap_lines=True)
    return adamix_trace.table(shown)


def _path_answer(name: str, seen: Any) -> str:
    first, last = (seen.noise[i] / max(seen.signal[i], 1e-12) for i in (0, -1))
    return (
        f"{name} clips **{100 * seen.clipped[0]:.0f} %** of the records at the first step and"
        f" **{100 * seen.clipped[-1]:.0f} %** at the last, its projection keeps"
        f" **{100 * seen.kept.mean():.0f} %** of the private signal's energy on average, and noise"
        f" is **{first:.2g} ×** the signal at first, **{last:.2g} ×** at last."
    )


# ------------------------------------------------------------------------------------------ domains


def domains(mixed: Mixed, metric: str) -> Rows:
    """The same presets with public shots from the same and from other domains."""
    if mixed.view.encoder is None:
        st.info(
            "This data brings one public set of its own; choose a set of pictures to compare"
            " several."
        )
        return []
    titles = {
        key: DATASETS[key].title
        for key in ("held-aside", *public_there(mixed.view.dataset))
        if key != "letters"
    }
    wanted = {
        (name, key): page.cells(mixed, name, (mixed.view.budget.value,), public=key)
        for key in titles
        for name in mixed.drawn
    }
    words = st.empty()

    def chart(found: dict[Any, list[Result]]) -> preset_errors.ErrorBars:
        said = {
            (n, titles[k]): errors(found[n, k], metric)
            for n in mixed.drawn
            for k in titles
            if (n, k) in found
        }
        return preset_errors.info(said, metric)

    def draw(found: dict[Any, list[Result]], stage: str) -> None:
        shown = chart(found)
        charts.show(preset_errors.figure(shown), preset_errors.alt(shown), f"{KEY}-domains{stage}")

    found = _collect("domain", wanted, draw)
    words.markdown(
        _domain_answer(
            {key: errors(mine, metric) for key, mine in found.items()}, titles, mixed.lead
        )
    )
    more = (
        "Held aside: the private set loses 20 records a class, which become public; drawn and UCI"
        " digits are a shifted domain."
    )
    st.caption(
        _now(
            mixed,
            f"{mixed.shots} public shots a class (fewer where there are no more). {more}",
            metric,
        )
    )
    return preset_errors.table(chart(found))


def _domain_answer(
    said: Mapping[tuple[str, str], tuple[float, ...]], titles: Mapping[str, str], lead: str
) -> str:
    """What private records add to public ones, by public set."""
    told = []
    for key, title in titles.items():
        if (lead, key) in said and ("Only-Public", key) in said:
            mine, public = said[lead, key], said["Only-Public", key]
            gain = 100 * (sum(public) - sum(mine)) / len(mine)
            tied = ", within noise" if order(mine, public) == 0 else ""
            told.append(f"{title}: **{difference(gain)} points**{tied}")
    return (
        f"What {lead} takes off the error of its public shots alone: {'; '.join(told)}."
        if told
        else ""
    )


# ------------------------------------------------------------------------------------------- export


def block(found: Mapping[str, list[Result]], now: Mapping[str, list[Result]]) -> None:
    """Table and CSV of the main chart, and the command of each preset's first run."""

    def frame(some: Mapping[str, list[Result]]) -> pd.DataFrame:
        unique = {(name, r.spec): r for name, mine in some.items() for r in mine}
        return pd.DataFrame(
            [{"preset": name} | result_files.row(r) for (name, _), r in unique.items()]
        )

    export.show(frame(now))
    st.download_button(
        "All runs as CSV",
        frame(found).to_csv(index=False),
        f"{KEY}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )
    st.caption("The first seed of each preset again, from a shell in the project's folder:")
    st.code(
        "\n".join(reproduce.run_command(mine[0].spec) for mine in now.values()),
        language="bash",
        wrap_lines=True,
    )


def about(mixed: Mixed) -> None:
    """What differs here from the other pages."""
    held = (
        "; one exception is that held-aside pictures were private ones once"
        if mixed.view.public == "held-aside"
        else ""
    )
    st.caption(
        "On this page, unlike the others, a seed draws the public shots as well as the noise, and"
        " presets are compared seed by seed (paired 95 % t-interval), since they share them."
        f" Public shots cost no privacy: they are taken to be known to all{held}. Learning rates"
        " were chosen on the default data, which nobody pays for. Label prototypes are the mean of"
        " a class's shots, which for drawn characters are pictures of its name."
    )
