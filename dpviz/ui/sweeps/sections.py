"""Tabs of the Sweeps page: results, settings, panels, all sweeps, a new sweep, files."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.experiments import result_files, sweep_files, sweep_process
from dpviz.experiments.sweep_files import LIST_FACTS, Status
from dpviz.formatting import plain
from dpviz.plots.settings import RecordsCurve
from dpviz.stats import Interval, accuracy
from dpviz.text import maps
from dpviz.text import run_table as table_text
from dpviz.text import sweeps as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError, Result, RunSpec
from dpviz.ui.frame import about_numbers, detail_level, page_parts, public_demo, visitor
from dpviz.ui.live import session_cost
from dpviz.ui.sweeps import answer, controls, run_rows
from dpviz.ui.sweeps.answer import SweepChart, rare
from dpviz.ui.sweeps.controls import STARTED, age_text
from dpviz.ui.widgets import cards, charts, export, panel_controls
from dpviz.ui.widgets.choices import choice, segments, tabs
from dpviz.views import maps_page, panels, panels_in_words, run_table, sweeps_page
from dpviz.views.sweep_form import SweepForm
from dpviz.views.sweeps_page import SweepLines, drawable
from dpviz.views.two_sweeps import TwoSweeps

#: Sweeps that the tab lists.
MAX_SHOWN = 10
#: Session key of the form as TOML, with which the TOML input starts.
FORM_CONTENT = "sweeps:form"


def draw(shown: SweepChart, sweeps: Sequence[Status], key: str) -> None:
    """Draw the tabs and the open one."""
    results, lines, metric = shown.opened.results, shown.lines, shown.metric
    varied = panels.varied(_matching_runs(results, lines))
    compares = any(sweeps_page.varied_settings(results, method) for method in lines.titles)
    counts = len({result.spec.records for result in lines.all_counts}) > 1
    hidden = {"settings": not compares, "panels": not varied, "records": not counts}
    titles = {name: title for name, title in text.TABS.items() if not hidden.get(name)}
    old = {"cas": "settings", "crow": "settings", "cm": "settings", "table": "files"}
    origin = page_parts.origin(results)
    match tabs(titles, old={name: tab for name, tab in old.items() if tab in titles}):
        case "results":
            run_rows.draw(shown, key)
        case "settings":
            compared(shown, key)
        case "panels":
            side_by_side(shown, varied, key)
        case "records":
            by_records(lines, metric, key)
        case "two":
            two_sweeps(shown, sweeps, key)
        case "guarantees":
            answer.guarantees(shown)
        case "sweeps":
            all_sweeps(sweeps, shown.status, shown.opened.invalid)
        case "new":
            new_sweep()
        case "files":
            files(shown, key)
        case "about":
            st.caption(origin)
            about_numbers.draw(lines.view)


def draw_empty(sweeps: Sequence[Status], picked: Status) -> None:
    """Draw the tabs of a sweep without stored results."""
    titles = {name: text.TABS[name] for name in ("sweeps", "new")}
    if tabs(titles, "begin") == "sweeps":
        all_sweeps(sweeps, picked, Counter())
    else:
        new_sweep()


def visible_sweeps() -> list[Status]:
    """Return the sweeps that this visitor may see."""
    link = st.query_params.get("sweep")
    return sweep_process.visible_to(visitor.is_own, link, visitor.my_uploads())


# ----------------------------------------------------------------------------- results, compared


def side_by_side(shown: SweepChart, varied: Mapping[str, Any], key: str) -> None:
    """Draw accuracy over the budget in panels, over one or two facts that the sweep varies."""
    results, lines = shown.opened.results, shown.lines
    with st.container(horizontal=True, vertical_alignment="bottom"):
        across, down = panel_controls.orders(varied)
    kept = _matching_runs(results, lines, {across, down})
    chart = panels.of_results(drawable(kept), across, down, shown.metric)
    sentences = (
        panels_in_words.precise(chart, lines.budget),
        panels_in_words.plain(chart, lines.budget),
    )
    st.markdown(detail_level.at_level(*sentences))
    charts.plot(chart, f"{key}-grid", lines.budget)
    st.caption(text.PANELS)
    rows = panels_in_words.ranks(chart, lines.budget)
    if any(len(ranking_rows) > 1 for ranking_rows in rows.values()):
        alone = panels_in_words.public_alone(chart, lines.budget)
        table = panels_in_words.table(rows, public=alone)
        export.table(table, f"{key}-ahead", text.RANKING)
        st.caption(panels_in_words.text.LETTERS)


def two_sweeps(shown: SweepChart, sweeps: Sequence[Status], key: str) -> None:
    """Draw the choice of a second sweep, and both joined on shared settings."""
    others = {
        status.key: controls.title(status) for status in sweeps if status.key != shown.status.key
    }
    if not others:
        st.caption(table_text.NO_SECOND)
        return
    chosen = choice(st.selectbox, table_text.SECOND, others, next(iter(others)), "with")
    status = next(status for status in sweeps if status.key == chosen)
    results = answer.opened(status).results
    if not results:
        st.caption(render(table_text.NOTHING_STORED, name=status.name))
        return
    session_cost.count(result.spec for result in results)
    first, second = (run_table.rows(side) for side in (shown.opened.results, results))
    joined = TwoSweeps.from_rows(first, second, shown.metric)
    st.markdown(render(table_text.SIDES, first=shown.status.name, second=status.name))
    if joined.pairs:
        export.table(joined.table(), f"{key}-two", table_text.PAIRS_CSV)
        st.caption(joined.caption())
    else:
        st.caption(table_text.NO_PAIRS)


def _matching_runs(
    results: Sequence[Result], lines: SweepLines, free: set[str] | None = None
) -> list[Result]:
    """Return runs with the selected settings and data; ``free`` facts may differ, all if None."""
    settings = {(r.spec.method, r.spec.params) for r in lines.results}
    same = [r for r in results if (r.spec.method, r.spec.params) in settings]
    first = lines.results[0].spec
    free = {*LIST_FACTS} if free is None else free | ({"per_person"} if "unit" in free else set())
    fixed = [name for name in LIST_FACTS if name not in free]
    return [r for r in same if all(getattr(r.spec, f) == getattr(first, f) for f in fixed)]


def ranking(points: Mapping[str, Interval]) -> None:
    """Draw the compared settings from the highest, with letters for groups."""
    if len(points) < 2:
        return
    rows = panels_in_words.ranked({"all": points})["all"]
    with st.expander(text.RANKING):
        export.draw(panels_in_words.ranking_rows(rows, {key: key for key in points}, "setting"))
        st.caption(text.LETTERS)


def by_records(lines: SweepLines, metric: str, key: str) -> None:
    """Draw accuracy over images per class."""
    points = {
        line: {n: accuracy(runs, metric) for n, runs in results.items()}
        for line, results in lines.by_records.items()
    }
    result = lines.results[0]
    chance = 1 / len(result.class_counts)
    chart = RecordsCurve.from_points(points, metric, result.spec.records, chance)
    charts.plot(chart, f"{key}-records")
    st.caption(f"{text.RECORDS} {text.RECORDS_KEPT}")


def compared(shown: SweepChart, key: str) -> None:
    """Draw a method's settings: two as a map, one as lines over the budget, all as parallel axes;
    the same as a table below.
    """
    lines = shown.lines
    comparison = controls.compared(shown.opened.results, lines)
    if comparison is None:
        return
    if isinstance(comparison, RunSpec):
        rows = _all_settings(shown, comparison, key)
    else:
        chart = comparison.map(shown.metric)
        words = maps_page.compared(chart, comparison, rare(lines))
        st.markdown(detail_level.at_level(*words))
        if comparison.columns:
            charts.plot(chart, f"{key}-compared")
        else:
            charts.plot(comparison.lines(shown.metric), f"{key}-compared", lines.budget)
        if not chart.fact:
            st.caption(f"{text.COMPARED} {maps.UNPAID}")
            ranking({chart.cell_text(cell): point for cell, point in chart.points.items()})
        rows = chart.table()
    if rows:
        export.table(rows, f"{key}-compared", text.FILES["compared"])


def _all_settings(shown: SweepChart, spec: RunSpec, key: str) -> list[dict[str, Any]]:
    """Draw every setting of a method as a line across all that varies."""
    cards.private_view()
    budget = shown.lines.budget
    chart = sweeps_page.parallel_chart(shown.opened.results, spec, budget, shown.metric)
    st.markdown(sweeps_page.all_settings(chart, spec, budget, detail_level.precise()))
    charts.plot(chart, f"{key}-all")
    st.caption(text.LINES if chart.fact else f"{text.LINES} {maps.UNPAID}")
    if not chart.fact:
        ranking({chart.setting_text(place): p for place, p in chart.first.items()})
    return chart.table()


# ---------------------------------------------------------------------------------- all sweeps


def progress(picked: Status) -> None:
    """Draw the progress of a running sweep, refreshed every two seconds."""
    if picked.current_state != "running":
        return

    @st.fragment(run_every=2)
    def row() -> None:
        now = sweep_files.load(picked.key)
        if now is None or now.current_state != "running" or (now.done and not picked.done):
            st.rerun()
        _row(now, "now")

    with st.container(key="running-sweep"):
        row()


def all_sweeps(sweeps: Sequence[Status], picked: Status, invalid: Counter[str]) -> None:
    """Draw all sweeps with their progress, but for the selected one while it runs above.

    Args:
        picked: the selected sweep; invalid: its skipped runs by reason.
    """
    above = picked.key if picked.current_state == "running" else ""
    if skipped := sweeps_page.skipped_text(invalid, text.SKIPPED_DONE):
        st.warning(skipped, icon=":material/skip_next:")
    live = [s.key for s in sweeps if s.current_state == "running"]

    @st.fragment(run_every=2 if live else None)
    def rows() -> None:
        now = visible_sweeps()
        if live and not any(s.key in live and s.current_state == "running" for s in now):
            st.rerun()
        now = [status for status in now if status.key != above]
        for status in now[:MAX_SHOWN]:
            _row(status)
        if not now:
            st.caption(text.NO_OTHER)
        if len(now) > MAX_SHOWN:
            st.caption(render(text.OLDER, count=len(now) - MAX_SHOWN))

    with st.container(key="all-sweeps"):
        rows()


def _row(status: Status, name: str = "") -> None:
    """Draw a sweep's progress, with its button; ``name`` keeps two rows of one sweep apart."""
    left, right = st.columns([3, 2], vertical_alignment="center")
    share = status.done / status.total if status.total else 0.0
    left.progress(min(share, 1.0), answer.progress_text(status))
    running = status.current_state == "running"
    with right.container(horizontal=True, vertical_alignment="center"):
        started = render(text.STARTED, age=age_text(status.started), place=status.where)
        st.caption(started, width="content")
        if sweep_process.may_end(status, visitor.is_own):
            st.button(
                text.STOP if running else text.FORGET,
                key=f"{'stop' if running else 'forget'}{name}-{status.key}",
                on_click=sweep_process.stop if running else sweep_process.forget,
                args=(status.key, visitor.is_own),
                help=text.STOP_HELP if running else text.FORGET_HELP,
            )
    if running and status.stage.startswith("Waiting"):
        st.caption(render(text.STAGE, stage=status.stage))
    if status.current_state == "failed":
        page_parts.refusals([status.stage])


# ----------------------------------------------------------------------------------- new sweep


@dataclass(frozen=True)
class NewSweep:
    """A sweep that can be started.

    Attributes:
        content: its TOML, "" where it cannot run; name: of its file; button: words of the button;
        plan: words beside the button; form: the form, if it is not given as TOML.
    """

    content: str | bytes
    name: str
    button: str = text.START
    plan: str = ""
    form: SweepForm | None = None


def new_sweep() -> None:
    """Draw the form of a new sweep, or its TOML."""
    if public_demo.closed("sweeps"):
        return
    with st.container(key="new-sweep"):
        _start(_described(narrow=False))
        st.caption(answer.limits_text())


def first_sweep() -> None:
    """Draw the form in the side bar, and stored runs of its sweep as an example."""
    if public_demo.closed("sweeps"):
        return
    with st.sidebar:
        described = _described(narrow=True)
    _start(described, hint=text.FORM_ON_PHONES)
    found, form = None, described.form
    if form and described.content and form.dataset == answer.EXAMPLE_DATA:
        stored = answer.earlier_runs(str(described.content), int(time.time() / 60))
        found = answer.draw_example(stored, tuple(form.methods), form.runs)
    if found is None:
        st.info(text.PREVIEW, icon=":material/show_chart:")
        st.caption(answer.limits_text())


def _described(narrow: bool) -> NewSweep:
    """Draw the form or the TOML; ``narrow`` in the side bar."""
    way = segments(text.WAY, text.WAYS, "form", "way", label_visibility="collapsed")
    return _fields(narrow) if way == "form" else _toml()


def _fields(narrow: bool) -> NewSweep:
    """Draw the fields of the form."""
    filled, name, errors = controls.form(narrow)
    page_parts.refusals(errors)
    content, ready = filled.toml(), not errors and 0 < filled.runs <= sweep_process.MAX_CELLS
    st.session_state[FORM_CONTENT] = content
    if filled.runs > sweep_process.MAX_CELLS:
        limit = sweep_process.MAX_CELLS
        page_parts.refusals([render_text(text.TOO_MANY, runs=filled.runs, limit=limit)])
    seconds, plan = _seconds(filled), text.EMPTY_FORM if not filled.runs else ""
    if ready:
        plan = f"{filled.plan()} {filled.expected_time(seconds)}".rstrip()
    kept = content if ready else ""
    return NewSweep(kept, f"{name}.toml", filled.start(seconds), plan, filled)


def _seconds(filled: SweepForm) -> dict[str, tuple[float, ...]]:
    """Return the seconds of stored runs on the data of a sweep, by method."""
    encoder = filled.encoders[0] if filled.encoders else None
    return answer.run_seconds(filled.dataset, encoder, int(time.time() / 60))


def _toml() -> NewSweep:
    """Draw a file and a text as TOML; the text is at first that of the form."""
    file = st.file_uploader(text.TOML_FILE, type="toml", key="sweep-file", max_upload_size=1)
    typed = st.text_area(
        text.TOML_TEXT,
        st.session_state.get(FORM_CONTENT, sweeps_page.EXAMPLE),
        key="sweep-text",
        height=230,
        max_chars=sweep_process.MAX_CHARACTERS,
        help=text.TOML_LISTS,
    )
    export.download(text.FILES["toml"], typed, text.TOML_NAME, "text/plain")
    if file:
        return NewSweep(file.getvalue(), file.name)
    return NewSweep(typed, text.TOML_NAME)


def _start(described: NewSweep, hint: str = "") -> None:
    """Draw the runs that are skipped, and the button that starts a sweep.

    Args:
        hint: words for phones.
    """
    content = described.content
    invalid = _invalid(content)
    if skipped := sweeps_page.skipped_text(invalid, text.SKIPPED):
        st.warning(skipped, icon=":material/skip_next:")
    with st.container(key="sweep-start", horizontal=True, vertical_alignment="center"):
        with st.container():
            st.caption(described.plan)
            if hint:
                st.html(f'<p class="dp-swipe">{plain(hint)}</p>')
        is_pressed = st.button(
            described.button, key="sweep-begin", type="primary", disabled=not content
        )
    if not is_pressed:
        return
    given = content.encode() if isinstance(content, str) else content
    try:
        st.session_state[STARTED] = sweep_process.begin(
            given, described.name, visitor.visitor_name()
        )
    except DpvizError as error:
        page_parts.refusals([str(error)])
        return
    st.rerun()


def _invalid(content: str | bytes) -> Counter[str]:
    """Return runs with an invalid value by reason; none where the content is no sweep at all."""
    invalid: Counter[str] = Counter()
    try:
        decoded = content.decode() if isinstance(content, bytes) else content
        sweep_files.parse(decoded, text.TOML_NAME, sweep_process.MAX_CELLS, invalid)
    except (DpvizError, UnicodeDecodeError):  # the button says why
        return Counter()
    return invalid


# --------------------------------------------------------------------------------------- files


def files(shown: SweepChart, key: str) -> None:
    """Draw the runs of the chart, downloads, and the command."""
    rows = [result_files.row(result) for result in shown.lines.results]
    export.table(rows, f"{key}-shown", text.FILES["shown"])
    with st.container(horizontal=True):
        results = result_files.as_csv(shown.opened.results)
        export.download(text.FILES["all"], results, f"{key}.csv")
        export.download(text.FILES["toml"], shown.status.text, f"{key}.toml", "text/plain")
    st.code(command(key), language="bash")


def command(key: str) -> str:
    """Return the shell command of a sweep whose file is called ``key``."""
    return f"python -m dpviz sweep {key}.toml --out {key}.csv"
