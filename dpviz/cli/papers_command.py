"""``papers``: what the five papers claim, tried."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.machine.output_files import check_place, write
from dpviz.types import DpvizError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dpviz.papers.model import Claim
    from dpviz.papers.verdicts import TimedVerdict

HELP = "try the claims of the five papers, or print the rules and the stored verdicts"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Which claims, on which data, and where to keep what is found."""
    parser.add_argument("--paper", action="append", default=[], help="of this paper alone")
    parser.add_argument("--claim", action="append", default=[], help="this claim alone, by its key")
    parser.add_argument(
        "--dataset",
        action="append",
        default=[],
        help="on this data set alone; theory for what is about none",
    )
    parser.add_argument(
        "--keep", action="store_true", help="keep the verdicts where the page Papers reads them"
    )
    parser.add_argument(
        "--stored", action="store_true", help="print the stored verdicts instead of trying anew"
    )
    parser.add_argument(
        "--rules", action="store_true", help="print how each claim's outcome is decided"
    )
    parser.add_argument("--page", type=Path, help="write the list of all claims, as Markdown, here")
    options.wants_json(parser, "print JSON")


def command(args: argparse.Namespace) -> None:
    """Try the claims, and print or keep the verdicts."""
    from dpviz import papers
    from dpviz.papers import listed, verdicts
    from dpviz.papers.model import ENCODERS, PAPERS, THEORY

    grounds = _require_known("data set", args.dataset, (*ENCODERS, THEORY))
    claims = [
        c for key in _require_known("paper", args.paper, tuple(PAPERS)) for c in papers.claims(key)
    ]
    if args.claim:
        claims = _select(args.claim, claims)
    if args.page:
        check_place(args.page)
    if args.rules:
        _print_rules(claims, args.json)
        return
    results = []
    for result in _stored(claims, grounds) if args.stored else _check(claims, grounds):
        results.append(result)
        if args.keep and not args.stored:
            verdicts.keep([result])
        if not args.json:
            print(_line(result), flush=True)
    if args.page:
        text = listed.page(papers.claims(), *verdicts.stored()).encode()
        write(args.page, text)
    if args.json:
        print_json([dataclasses.asdict(result) for result in results])


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
    for key, premise in rules.premises().items():
        print(f"Premise {key}: {premise.says} Source: {premise.source}")
    for claim in checked:
        print(f"{claim.key}: {claim.rule.words}")


def _line(verdict: TimedVerdict) -> str:
    outcome = f"{verdict.outcome} ({verdict.seconds:g} s)"
    return f"{verdict.claim} on {verdict.ground}: {outcome}. {verdict.because}"


def _require_known(option: str, names: list[str], known_names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in known_names:
            raise DpvizError(
                f"There is no {option} {name!r} here; use one of {', '.join(known_names)}."
            )
    return tuple(names) or known_names


def _select(keys: list[str], claims: list[Claim]) -> list[Claim]:
    by_key = {claim.key: claim for claim in claims}
    for key in keys:
        if key not in by_key:
            raise DpvizError(
                f"There is no claim {key!r}; the file docs/papers.md and the page Papers list them."
            )
    return [by_key[key] for key in keys]
