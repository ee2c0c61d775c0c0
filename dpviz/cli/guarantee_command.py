"""``guarantee``: guarantee of a stated mechanism."""

from __future__ import annotations

import argparse
import math
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.cli import options
from dpviz.cli.output import print_json
from dpviz.experiments.result_files import plain
from dpviz.formatting import exact
from dpviz.machine.output_files import new_file
from dpviz.text import calculator as words
from dpviz.text import cli as text
from dpviz.text import registry
from dpviz.text.template import render_text
from dpviz.types import DpvizError
from dpviz.types.checks import quoted

if TYPE_CHECKING:
    from dpviz.privacy.calculator import Account
    from dpviz.privacy.other_accountants import OtherEpsilon
    from dpviz.privacy.stated_mechanisms import Mechanism

HELP = text.COMMANDS["guarantee"]
#: Options that state a mechanism, one of which is needed, and those that only some of them use.
MECHANISMS = (
    *("sigma", "laplace_scale", "exponential", "queries", "epsilon", "rho", "mu", "config"),
)
DETAILS = {
    "sample_rate": ("sigma",),
    "steps": ("sigma", "laplace_scale", "exponential"),
    "answered": ("queries",),
    "sigma1": ("queries",),
    "sigma2": ("queries",),
}
#: Options by the name of their value in errors.
VALUE_OPTIONS = {
    words.NAMES["sigma"]: "--sigma",
    words.NAMES["rate"]: "--sample-rate",
    words.NAMES["steps"]: "--steps",
    words.NAMES["scale"]: "--laplace-scale",
    words.NAMES["queries"]: "--queries",
    words.NAMES["answered"]: "--answered",
    words.NAMES["sigma1"]: "--sigma1",
    words.NAMES["sigma2"]: "--sigma2",
    words.NAMES["epsilon"]: "--epsilon",
    "ρ": "--rho",
    "μ": "--mu",
    words.NAMES["delta"]: "--delta",
    words.NAMES["images"]: "--images",
    words.NAMES["prior"]: "--prior",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the mechanism, what to compute, and ``--json``."""
    for name in (*MECHANISMS, *DETAILS, "delta", "prior", "images"):
        parser.add_argument(f"--{name.replace('_', '-')}", help=text.GUARANTEE_HELP[name])
    parser.add_argument("--compare", action="store_true", help=text.GUARANTEE_HELP["compare"])
    parser.add_argument("--registry", type=Path, help=text.GUARANTEE_HELP["registry"])
    parser.add_argument("--product-type", help=text.GUARANTEE_HELP["product_type"])
    options.wants_json(parser)


def command(args: argparse.Namespace) -> None:
    """Print the guarantee of a mechanism, and write its registry entry if asked for."""
    from dpviz.privacy import calculator, other_accountants

    _check_product(args)
    names = VALUE_OPTIONS | ({words.NAMES["epsilon"]: "--exponential"} if args.exponential else {})
    with options.naming_option({} if args.config else names):
        mechanism, delta, read = _mechanism(args)
    with options.naming_option(names):
        account = calculator.calculate(
            mechanism,
            delta,
            0.5 if args.prior is None else args.prior,
            1 if args.images is None else args.images,
        )
    others = []
    if args.compare:
        others = other_accountants.other_epsilons(account.for_person, account.delta)
    drafted = _write_entry(account, args.registry, args.product_type) if args.registry else []
    if args.json:
        print_json(plain(_json(account, others)))
        for line in drafted:
            print(line, file=sys.stderr)
        return
    for line in [*read, *_lines(account, others), *drafted]:
        print(line)


def _check_product(args: argparse.Namespace) -> None:
    """Check the file and the product type of a registry entry, before anything is computed."""
    if args.registry is None:
        if args.product_type is not None:
            raise DpvizError(registry.PRODUCT_ALONE)
        return
    from dpviz.experiments import registry_card
    from dpviz.experiments.registry_file import PRODUCTS

    registry_card.check_name(args.registry)
    choices = ", ".join(PRODUCTS)
    if args.product_type is None:
        raise DpvizError(render_text(registry.PRODUCT_NEEDED, choices=choices))
    asked = args.product_type.casefold()
    product = next((one for one in PRODUCTS if one.casefold() == asked), None)
    if product is None:
        fields = {"given": quoted(args.product_type), "choices": choices}
        raise DpvizError(render_text(registry.OTHER_PRODUCT, **fields))
    args.product_type = product


def _write_entry(account: Account, path: Path, product: str) -> list[str]:
    """Write the registry entry of a guarantee to a new file; return what is left to fill in."""
    from dpviz.experiments import registry_card, registry_file
    from dpviz.views import calculator_page

    entry = registry_card.guarantee_entry(
        account, calculator_page.assumptions(account), path, date.today(), product
    )
    with new_file(path, "--registry") as draft:
        draft.write(registry_file.write(entry).encode())
    return [registry_file.fill_in_text(entry, path)]


def _mechanism(args: argparse.Namespace) -> tuple[Mechanism, float | None, list[str]]:
    """Return the stated mechanism, delta, and a line on what was read from a file."""
    from dpviz.privacy import stated_mechanisms as mechanisms

    stated = [name for name in MECHANISMS if getattr(args, name) is not None]
    if len(stated) != 1:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in MECHANISMS)
        raise DpvizError(render_text(words.ONE_MECHANISM, number=len(stated), names=names))
    (kind,) = stated
    for name, users in DETAILS.items():
        if getattr(args, name) is not None and kind not in users:
            raise DpvizError(
                render_text(
                    words.OTHER_OPTION, name=name.replace("_", "-"), kind=kind.replace("_", "-")
                )
            )
    value, delta = getattr(args, kind), args.delta
    steps = 1 if args.steps is None else args.steps
    if kind == "config":
        return _configured(value, delta)
    if kind == "sigma":
        rate = 1.0 if args.sample_rate is None else args.sample_rate
        return mechanisms.NoisySteps(value, rate, steps), delta, []
    if kind == "laplace_scale":
        return mechanisms.LaplaceNoise(value, steps), delta, []
    if kind == "exponential":
        return mechanisms.ExponentialChoice(value, steps), delta, []
    if kind == "queries":
        if args.answered is None or args.sigma2 is None:
            raise DpvizError(words.NO_PATE)
        sigma1 = math.inf if args.sigma1 is None else args.sigma1
        votes = mechanisms.TeacherVotes(value, args.answered, sigma1, args.sigma2)
        return votes, delta, []
    if kind == "epsilon" and delta is not None:
        return mechanisms.PublishedGuarantee("approx", value, delta), None, []
    notion = {"epsilon": "pure", "rho": "zcdp", "mu": "gdp"}[kind]
    return mechanisms.PublishedGuarantee(notion, value), delta, []


def _configured(name: str, delta: str | None) -> tuple[Mechanism, float | None, list[str]]:
    from dpviz.machine.user_files import read_text
    from dpviz.privacy import calculator, pasted_configuration
    from dpviz.privacy.stated_mechanisms import PublishedGuarantee

    most = pasted_configuration.MAX_BYTES
    if name == "-":
        content = sys.stdin.buffer.read(most + 1).decode("utf-8", "replace")
    else:
        content = read_text(Path(name), most, words.FILE_KIND)
    pasted = pasted_configuration.read(content)
    values = ", ".join(f"{name} = {value:g}" for name, value in pasted.values)
    read = [render_text(text.GUARANTEE["read"], values=values)]
    chosen = pasted.delta if delta is None else delta
    if isinstance(stated := pasted.mechanism, PublishedGuarantee):
        chosen = None
        if delta is not None and calculator.checked_delta(delta) != stated.delta:
            fields = {"epsilon": exact(stated.value), "delta": exact(stated.delta)}
            raise DpvizError(render_text(words.OWN_DELTA, **fields))
    return pasted.mechanism, chosen, read  # type: ignore[return-value]


def _json(account: Account, others: list[OtherEpsilon]) -> dict[str, object]:
    from dpviz.views import calculator_page

    return calculator_page.to_json(account, others)


def _lines(account: Account, others: list[OtherEpsilon]) -> list[str]:
    from dpviz.views import calculator_page

    guarantee = account.guarantee
    fields = {
        "epsilon": account.epsilon,
        "delta": account.delta,
        "guess": account.best_guess,
        "prior": account.prior,
        "adjacency": guarantee.adjacency,
        "unit": guarantee.unit,
    }
    lines = [render_text(text.GUARANTEE["epsilon"], **fields)]
    if guarantee.notion == "pure" and account.delta:
        lines.append(render_text(text.GUARANTEE["pure"], epsilon=guarantee.value))
    lines += [render_text(text.GUARANTEE[key], **fields) for key in ("guess", "reading")]
    lines += calculator_page.notion_sentences(account)
    lines += [
        render_text(text.GUARANTEE["assumption"], text=assumption)
        for assumption in calculator_page.assumptions(account)
    ]
    for other in others:
        case = (
            "other" if other.epsilon is not None else "no_other" if other.version else "no_library"
        )
        lines.append(
            render_text(
                text.GUARANTEE[case],
                library=words.LIBRARIES[other.library],
                version=other.version,
                epsilon=other.epsilon,
                delta=other.delta,
                reason=other.reason,
            )
        )
    return lines
