"""Tabs of the Tuning page: costs, settings that matter, all trials, all methods, assumptions."""

from __future__ import annotations

import streamlit as st

from dpviz.experiments import fair_tuning, reproduce
from dpviz.experiments.result_files import PRIVATE
from dpviz.experiments.tuning import Tuned
from dpviz.plots.setting_maps import Trials
from dpviz.text import tuning as text
from dpviz.ui.frame import about_numbers
from dpviz.ui.live import session_cost
from dpviz.ui.tuning import answer, controls, storage
from dpviz.ui.widgets import cards, charts, export, tuned_control
from dpviz.ui.widgets.choices import tabs


def draw(study: Tuned, shown: Trials | None, key: str) -> None:
    """Draw the tabs and the open one.

    Args:
        shown: the chart of all trials; None where it is not shown.
    """
    storage.remember(study)
    keys = ["prices"]
    keys += ["curtain"] if study.costs.holds else ["slices"] * (shown is not None)
    keys += ["fair", "assumptions", *([] if study.costs.holds else ["table"]), "storage", "about"]
    old = {name: name for name in ("curtain", "slices", "table") if name in keys}
    match tabs({name: text.TABS[name] for name in keys}, old=old):
        case "prices":
            answer.prices(study)
        case "slices" if shown is not None:
            importances(shown, key)
        case "curtain":
            curtain(study, key)
        case "fair":
            tuned_control.button(study.search, fair_tuning.METHODS, study.search.budget)
            tuned_control.table(study.search)
        case "assumptions":
            st.markdown("\n".join(f"- {line}" for line in text.ASSUMPTIONS))
        case "table":
            downloads(study, key)
        case "storage":
            storage.draw(key)
        case "about":
            about_numbers.draw(controls.view_of(study.search))


def curtain(study: Tuned, key: str) -> None:
    """Draw all trials where only the best may be shown: a private view, priced by composition from
    then on.
    """
    session_cost.note_trials(study)
    st.warning(text.CURTAIN, icon=":material/visibility_lock:")
    if study.best is None:
        cards.private_view()
        answer.all_shown(study)
    else:
        shown = answer.trials(study, key)
        answer.all_shown(study)
        importances(shown, key)
    downloads(study, key)


def importances(shown: Trials, key: str) -> None:
    """Draw how much each setting explains, and the score against each setting."""
    figure = shown.importances()
    if figure is None:
        st.caption(text.TOO_FEW)
    else:
        alt, caption = text.IMPORTANCE_ALT, text.IMPORTANCE_CAPTION
        charts.show(figure, alt, f"{key}-importance", caption)
    charts.show(shown.slices(), text.SLICES_ALT, f"{key}-slices", text.SLICES_CAPTION)


def downloads(study: Tuned, key: str) -> None:
    """Draw all trials as a table with CSV, and the command."""
    metric = study.search.metric
    column = f"{PRIVATE}.{metric}" if study.search.scores_privately else metric
    rows = [
        {
            "trial": place + 1,
            **trial.params,
            column: trial.score,
            "seed": study.search.spec(trial=place).seed,
        }
        for place, trial in enumerate(study.trials)
    ]
    export.table(rows, key, text.TABLE_TITLE)
    export.code_block(reproduce.tune_command(study.search))
    st.caption(text.STORED_NOTE)
