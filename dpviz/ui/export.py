"""What leaves the page: the table, its CSV, the settings as TOML, and the command that gives a number again."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.__main__ import flat
from dpviz.types import Result, RunSpec
from dpviz.ui.view import STOPS, View


def command(spec: RunSpec) -> str:
    """The shell command that prints this result."""
    words = ["python", "-m", "dpviz", "run", "--dataset", spec.dataset]
    words += ["--encoder", spec.encoder] if spec.encoder else []
    words += ["--public", spec.public] if spec.public else []
    words += ["--features", spec.features] if spec.features else []
    words += ["--method", spec.method, "--budget", repr(spec.budget.value), "--axis", spec.budget.axis]
    words += ["--delta", repr(spec.budget.delta), "--ir", repr(spec.ir), "--seed", str(spec.seed)]
    for name, value in spec.params:
        words += ["--param", f"{name}={value}"]
    return shlex.join([*words, "--json"])


def table_csv(results: Sequence[Result]) -> str:
    """All results as CSV, the columns of ``python -m dpviz sweep``."""
    rows = [flat(result) for result in results]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(name for row in rows for name in row)))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def sweep_toml(view: View) -> str:
    """The settings for ``python -m dpviz sweep``; JSON's words for text, numbers and lists are TOML's too."""
    fields = {"dataset": view.dataset, "encoder": view.encoder, "public": view.public, "axis": view.axis, "delta": view.delta}
    fields |= {"budgets": sorted({*STOPS[view.axis], view.budget}), "ir": view.ir}
    fields |= {"features": view.features or None}
    fields["seeds"] = list(range(view.first_seed, view.first_seed + view.seeds))
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items() if value is not None]
    for key in view.methods:
        lines += ["", f"[methods.{key}]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in dict(view.params).get(key, ())]
    return "\n".join(lines) + "\n"


def block(view: View, results: Sequence[Result], at_now: Sequence[Result], name: str) -> None:
    """Table, downloads and the command, as every page shows them.

    Args:
        name: of the files, without ending.
    """
    st.dataframe(pd.DataFrame([flat(r) for r in at_now]), hide_index=True, height=240)
    with st.container(horizontal=True):
        st.download_button("All runs as CSV", table_csv(results), f"{name}.csv", "text/csv", on_click="ignore", icon=":material/download:")
        st.download_button("Settings as TOML", sweep_toml(view), f"{name}.toml", "text/plain", on_click="ignore", icon=":material/download:")
    if at_now:
        first = at_now[0]
        st.caption(f"The first row again ({first.spec.method}, seed {first.spec.seed}), from a shell in the project's folder:")
        st.code(command(first.spec), language="bash", wrap_lines=True)
        st.caption(f"and all of them, with the TOML file: `python -m dpviz sweep {name}.toml --out {name}.csv`")
