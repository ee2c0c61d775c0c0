"""``certify``: check a method from outside before its results are trusted or released."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Any

from dpviz.cli.output import print_json, progress
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError, Method
from dpviz.types.checks import quoted

HELP = text.COMMANDS["certify"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the method and the output format."""
    parser.add_argument("method", metavar="METHOD", help=text.CERTIFY_HELP["method"])
    parser.add_argument("--json", action="store_true", help=text.JSON_HELP)


def command(args: argparse.Namespace) -> int:
    """Run the contract checks and the quick audits of one method. Return 1 if one fails."""
    from dpviz import audits
    from dpviz.audits import method_checks
    from dpviz.experiments import method_verdicts

    method = _method(args.method)
    verdict = method_verdicts.keep(method, method_checks.check(method, progress))
    failures, rows = list(verdict.failures), 0
    if not failures:
        for row in next(iter(audits.audit_all(audits.QUICK_RUNS, [method.key]))):
            rows += 1
            if not (row.holds and row.variant_caught):
                case = "missed" if row.holds else "above"
                fields = {
                    "event": row.event,
                    "claimed": f"{row.claimed:.4g}",
                    "audited": f"{row.audited:.4g}",
                }
                failures.append(render_text(text.CERTIFY[case], **fields))
    if args.json:
        print_json(_as_json(method, verdict.code, failures, rows))
    else:
        name = "failed" if failures else "passed"
        print(render_text(text.CERTIFY[name], method=method.title, key=method.key, audits=rows))
        for reason in failures:
            print(render_text(text.CERTIFY["reason"], reason=reason))
    return 1 if failures else 0


def _as_json(method: Method, code: str, failures: list[str], rows: int) -> dict[str, Any]:
    return {
        "method": method.key,
        "title": method.title,
        "certified": not failures,
        "failures": failures,
        "audits": rows,
        "code": code,
    }


def _method(name: str) -> Method:
    """Return a method of the table, or ``module:NAME``, which joins the table.

    Raises:
        DpvizError: for an unknown method, or a module that cannot be imported.
    """
    from dpviz.methods import METHODS, get

    module_name, colon, attribute = name.partition(":")
    if not colon:
        return get(name)
    if not all(part.isidentifier() for part in [*module_name.split("."), attribute]):
        raise DpvizError(f"The method must be a key or MODULE:NAME, got {quoted(name)}.")
    sys.path.insert(0, str(Path.cwd()))
    try:
        method = getattr(importlib.import_module(module_name), attribute)
    except Exception as error:  # code from outside may raise anything
        message = " ".join(str(error).split())[:300] or "no message"
        raise DpvizError(
            f"{quoted(name)} cannot be imported: {type(error).__name__}: {message}."
        ) from error
    finally:
        sys.path.pop(0)
    if not isinstance(method, Method):
        raise DpvizError(f"{quoted(name)} must be a Method, got {type(method).__name__}.")
    if METHODS.setdefault(method.key, method) is not method:
        raise DpvizError(f"The key {quoted(method.key)} is taken by another method. Rename it.")
    return method
