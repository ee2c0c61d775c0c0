"""Notebooks: rich display of results, progress bars, and the cell magic ``%%dp_audit``.

``%load_ext dpviz.notebook`` loads displays and magic. A bar is given to a function:
``dpviz.sweep(specs, progress=progress_bar())``.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from html import escape
from typing import Any

from dpviz import api
from dpviz.audits.custom_verdict import FunctionAudit
from dpviz.experiments.result_files import reading_of
from dpviz.formatting import number_up
from dpviz.machine.fair_queue import Progress
from dpviz.methods import METHODS
from dpviz.text import notebook as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Guarantee, Plan, Result


def load_ipython_extension(shell: Any) -> None:
    """Register the displays and the magic; IPython calls this."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind, show in DISPLAYS.items():
        formatter.for_type(kind, show)
    shell.register_magic_function(
        lambda line, cell: dp_audit(line, cell, shell.user_ns), "cell", "dp_audit"
    )


def progress_bar() -> Progress:
    """Return a progress bar for one call of ``sweep``, ``attack`` or ``audit``.

    A notebook shows it as a widget if ipywidgets is installed, else as text.
    """
    from tqdm.auto import tqdm

    bar = tqdm(total=0)

    def report(stage: str, done: int, total: int) -> None:
        bar.set_description(stage, refresh=False)
        bar.total, bar.n = total, done
        bar.refresh()

    return report


def guarantee_html(guarantee: Guarantee) -> str:
    """Return a guarantee as an HTML table: notion, (ε, δ), ρ and its meaning."""
    rows = {
        text.GUARANTEE["notion"]: f"{guarantee.notion} {number_up(guarantee.value)}",
        text.GUARANTEE["epsilon"]: (
            f"({number_up(guarantee.epsilon_delta)}, {number_up(guarantee.delta)})"
        ),
        text.GUARANTEE["rho"]: number_up(guarantee.rho),
    }
    reading = reading_of(guarantee)
    rows |= {label: str(reading[name]) for name, label in text.READING.items() if name in reading}
    return _table(rows)


def plan_html(plan: Plan) -> str:
    """Return a plan as HTML: one row per event, and its guarantee."""
    rows = {name: str(event) for name, event in plan.events.items()}
    return _table(rows) + guarantee_html(plan.guarantee)


def result_html(result: Result) -> str:
    """Return a result as HTML: accuracies, and its guarantee."""
    spec, scores = result.spec, result.scores
    rows = {
        text.RESULT["method"]: METHODS[spec.method].title,
        text.RESULT["data"]: spec.dataset,
        text.RESULT["balanced"]: f"{100 * scores.balanced:.1f}%",
        text.RESULT["minority"]: f"{100 * scores.minority:.1f}%",
    }
    return _table(rows) + guarantee_html(result.guarantee)


def audit_html(audit: FunctionAudit) -> str:
    """Return an audit of a function as HTML: verdict, claim and bound."""
    verdict = text.AUDIT["broken" if audit.broken else "holds"]
    rows = {
        text.AUDIT["function"]: audit.name,
        text.AUDIT["verdict"]: verdict,
        text.AUDIT["claimed"]: f"{audit.converted:.4g}",
        text.AUDIT["bound"]: f"{audit.function.converted:.4g}",
    }
    return _table(rows)


DISPLAYS: dict[type, Callable[[Any], str]] = {
    Guarantee: guarantee_html,
    Plan: plan_html,
    Result: result_html,
    FunctionAudit: audit_html,
}


def _table(rows: dict[str, str]) -> str:
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th>"
        f"<td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in rows.items()
    )
    return f"<table>{cells}</table>"


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise DpvizError(render_text(text.BAD_OPTIONS, message=message))


def dp_audit(line: str, cell: str, names: dict[str, Any]) -> FunctionAudit:
    """Run a cell that defines a function, and audit that function against a claim.

    Args:
        line: function name, then ``--with DATA --without DATA`` as expressions, the claim
            (``--epsilon``, ``--delta``, ``--rho``, ``--mu``), ``--releases`` and ``--seconds``.
        cell: code; names: variables of the notebook, which the cell may read and change.

    Raises:
        DpvizError: for a wrong option, a function that the cell does not define, or a claim out of
            range.
    """
    options = _Options(prog="%%dp_audit", add_help=False)
    options.add_argument("function")
    options.add_argument("--with", dest="with_record", required=True)
    options.add_argument("--without", dest="without_record", required=True)
    for claim in ("epsilon", "delta", "rho", "mu"):
        options.add_argument(f"--{claim}", type=float)
    options.add_argument("--releases", type=int, default=5_000)
    options.add_argument("--seconds", type=float, default=60.0)
    given = options.parse_args(shlex.split(line))
    exec(compile(cell, "<dp_audit>", "exec"), names)
    function = names.get(given.function)
    if not callable(function):
        raise DpvizError(render_text(text.NO_FUNCTION, name=given.function))
    neighbors = [eval(words, names) for words in (given.with_record, given.without_record)]
    return api.audit(
        function,
        *neighbors,
        epsilon=given.epsilon,
        delta=given.delta,
        rho=given.rho,
        mu=given.mu,
        releases=given.releases,
        seconds=given.seconds,
    )
