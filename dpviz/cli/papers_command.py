"""``papers``: check the claims of the five papers."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.machine.output_files import check_place, write
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpviz.papers.model import Claim
    from dpviz.papers.rules import Rule
    from dpviz.papers.verdicts import TimedVerdict

HELP = text.COMMANDS["papers"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add claims, data sets and output options."""
    parser.add_argument("--paper", action="append", default=[], help=text.PAPERS_HELP["paper"])
    parser.add_argument("--claim", action="append", default=[], help=text.PAPERS_HELP["claim"])
    parser.add_argument("--dataset", action="append", default=[], help=text.PAPERS_HELP["dataset"])
    for name in ("keep", "stored", "rules"):
        parser.add_argument(f"--{name}", action="store_true", help=text.PAPERS_HELP[name])
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help=text.PAPERS_HELP["pages"])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Check the claims, and print or store the verdicts."""
    from dpviz import papers
    from dpviz.papers import listed, verdicts
    from dpviz.papers.model import ENCODERS, PAPERS, THEORY

    grounds = _require_known("data set", args.dataset, (*ENCODERS, THEORY))
    claims = [
        c for key in _require_known("paper", args.paper, tuple(PAPERS)) for c in papers.claims(key)
    ]
    if args.claim:
        claims = _select(args.claim, claims)
    if args.rules:
        _print_rules(claims, args.json)
        return
    if args.pages:
        check_place(args.pages / "index.md")
    results = []
    for result in _stored(claims, grounds) if args.stored else _check(claims, grounds):
        results.append(result)
        if args.keep and not args.stored:
            verdicts.keep([result])
        if not args.json:
            print(_line(result), flush=True)
    if args.pages:
        for name, content in listed.pages(papers.claims(), *verdicts.stored()).items():
            write(args.pages / name, content.encode())
    if args.json:
        print_json([dataclasses.asdict(result) for result in results])
    elif any(result.ground != THEORY for result in results):
        print(text.RARE_CLASSES)


def _check(claims: list[Claim], grounds: tuple[str, ...]) -> Iterator[TimedVerdict]:
    from dpviz.papers import verdicts

    return verdicts.judge(verdicts.tries(claims, grounds), progress)


def _stored(claims: list[Claim], grounds: tuple[str, ...]) -> Iterator[TimedVerdict]:
    from dpviz.papers import verdicts

    stored_verdicts, _ = verdicts.stored()
    pairs = [(claim.key, ground) for claim, ground in verdicts.tries(claims, grounds)]
    return (stored_verdicts[pair] for pair in pairs if pair in stored_verdicts)


def _print_rules(claims: list[Claim], as_json: bool) -> None:
    from dpviz.papers import rules

    checked = [claim for claim in claims if claim.check]
    if as_json:
        print_json({claim.key: dataclasses.asdict(claim.rule) for claim in checked})
        return
    for claim in checked:
        print(render_text(text.PAPERS["claim"], claim=claim.key, text=claim.says))
        print(render_text(text.PAPERS["rule"], text=claim.rule.words))
        print(_failure(claim.rule))
    needed = {claim.rule.premise for claim in checked}
    for key, premise in rules.premises().items():
        if key in needed:
            fields = {"key": key, "text": premise.says, "source": premise.source}
            print(render_text(text.PAPERS["premise"], **fields))


def _failure(rule: Rule) -> str:
    """Return the sentence that says when a claim fails by its rule."""
    case = "other" if rule.seeds else "exact"
    template = text.CLAIM_FAILS.get(rule.direction, text.CLAIM_FAILS[case])
    return render_text(template, direction=rule.direction)


def _line(verdict: TimedVerdict) -> str:
    return render_text(
        text.PAPERS["verdict"],
        claim=verdict.claim,
        ground=verdict.ground,
        outcome=verdict.outcome,
        seconds=f"{verdict.seconds:g}",
        reason=verdict.because,
    )


def _require_known(option: str, names: list[str], known_names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in known_names:
            raise DpvizError(f"Unknown {option} {name!r}. Use one of {', '.join(known_names)}.")
    return tuple(names) or known_names


def _select(keys: list[str], claims: list[Claim]) -> list[Claim]:
    by_key = {claim.key: claim for claim in claims}
    for key in keys:
        if key not in by_key:
            raise DpvizError(
                f"Unknown claim {key!r}. docs/papers and the Papers page list all claims."
            )
    return [by_key[key] for key in keys]
