"""``attack``: membership inference attacks on one method, as on the Attacks page."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from dpviz.cli import options
from dpviz.cli.output import print_json, progress
from dpviz.experiments.result_files import PRIVATE, REPLAY, plain
from dpviz.formatting import percent_up
from dpviz.privacy.trade_off import true_positive_bound
from dpviz.text import cli as text
from dpviz.text.template import render_text
from dpviz.types import MAX_SEED, DpvizError, RunSpec

HELP = text.COMMANDS["attack"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add data, budget, attack and shadow-model options."""
    options.material(parser)
    options.budget(parser)
    parser.add_argument(
        "--attack",
        default="lira",
        help=text.ATTACK_HELP["attack"],
    )
    parser.add_argument("--shadows", default="64", help=text.ATTACK_HELP["shadows"])
    parser.add_argument("--seed", default="0", help=text.ATTACK_HELP["seed"])
    parser.add_argument("--gamma", default="1", help=text.ATTACK_HELP["gamma"])
    options.params(parser)
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Attack one method and print the result."""
    from dpviz.diagnostics import shadow_attack
    from dpviz.methods import get
    from dpviz.types.checks import check_range, check_whole

    get(args.method)
    if args.attack not in shadow_attack.TITLES:
        titles = ", ".join(shadow_attack.TITLES)
        raise DpvizError(f"Attack must be one of {titles}, got {args.attack!a}.")
    fields = options.fields(args) | {"params": options.assigned(args)}
    spec = RunSpec(**fields, seed=check_whole("Seed", args.seed, 0, MAX_SEED))
    shadows = check_whole("Shadow models", args.shadows, 8, 512)
    gamma = check_range("Gamma", args.gamma, 1e-6, 1e6)
    result = shadow_attack.attack(spec, shadows, gamma, progress)
    if args.json:
        print_json(plain(_as_json(result, args.attack, spec)))
    else:
        print("\n".join(_lines(result, args.attack, spec)))


def _as_json(result: Any, attack: str, spec: RunSpec) -> dict[str, Any]:
    from dpviz.diagnostics.shadow_attack import RATES

    attack_result = result.results[attack]
    rates = lambda values: [rate and dataclasses.asdict(rate) for rate in values]
    return {
        "attack": attack,
        "shadows": result.shadows,
        **spec.non_default_fields,
        "method": spec.method,
        "budget": dataclasses.asdict(spec.budget),
        "seed": spec.seed,
        "params": dict(spec.params),
        "purpose": REPLAY,
        "guarantee": dataclasses.asdict(result.guarantee),
        "false_alarms": list(RATES),
        "most": true_positive_bound(result.guarantee, RATES).tolist(),
        PRIVATE: {
            "judged": dataclasses.asdict(result.judged),
            "auc": attack_result.auc,
            "auc_error": attack_result.error,
            "overall": rates(attack_result.overall),
            "minority_classes": list(result.minority),
            "minority": rates(attack_result.minority),
            "classes": [
                {"class": name, "records": count, "rates": rates(values)}
                for name, count, values in zip(
                    result.class_names, result.counts, attack_result.classes, strict=True
                )
            ],
            "most_exposed": [dataclasses.asdict(record) for record in attack_result.exposed],
        },
    }


def _lines(result: Any, attack: str, spec: RunSpec) -> list[str]:
    from dpviz.diagnostics.shadow_attack import RATES, TITLES
    from dpviz.methods import METHODS

    overall = result.results[attack].overall
    return [
        text.ATTACK["head"],
        render_text(
            text.ATTACK["title"],
            attack=TITLES[attack],
            method=METHODS[spec.method].title,
            shadows=result.shadows,
            judged=result.judged.number,
        ),
        *(_rate_line(fpr, rate) for fpr, rate in zip(RATES, overall, strict=True)),
        text.ATTACK["interval"],
        text.REPLAY_SENTENCE,
    ]


def _rate_line(fpr: float, rate: Any) -> str:
    """Return the true positive rate at a false positive rate, beside the limit of the guarantee."""
    if rate is None:
        return render_text(text.ATTACK["few"], fpr=f"{100 * fpr:g}%")
    case = "unlimited" if rate.most >= 1 else "above" if rate.above else "within"
    return render_text(
        text.ATTACK[case],
        fpr=f"{100 * fpr:g}%",
        tpr=f"{100 * rate.tpr:.3g}% ({100 * rate.low:.3g}–{100 * rate.high:.3g})",
        limit=f"{percent_up(rate.most, 2)}%",
    )
