"""Values and sentences of the guarantee calculator."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz import __version__, privacy
from dpviz.caches import cached
from dpviz.formatting import number_up, percent_up
from dpviz.privacy import calculator
from dpviz.privacy.calculator import Account, NotionValue, case_of
from dpviz.privacy.other_accountants import OtherEpsilon
from dpviz.privacy.stated_mechanisms import MAX_MIXED, Mechanism, PublishedGuarantee
from dpviz.text import calculator as text
from dpviz.text.template import render, render_text
from dpviz.types import DpvizError
from dpviz.views.page_as_shown import Tile

#: Deltas of the curve, from large to small.
DELTAS = np.array([float(f"1e-{places}") for places in range(1, 13)])
#: Priors of the chart.
PRIORS = np.array([0.01, 0.02, 0.03, *np.arange(0.05, 0.951, 0.025), 0.97, 0.98, 0.99])
#: Tabs in order, with their parts.
TABS = {
    "meaning": ("meaning",),
    "curves": ("prior", "curve", "trade_off", "person"),
    "split": ("split",),
    "compare": ("deployments", "libraries", "accuracy"),
    "table": ("table",),
}
#: Digits of ε at the levels Plain and Precise.
PLAIN_DIGITS, DIGITS = 3, 4
#: Rise of the best guess that the title calls a rise.
RISE = 0.01
#: Images per person in chart and table.
IMAGES = (1, 2, 3, 5, 10, 20)
#: Of two tiles: images of a person, up to so many steps, and the prior of an attacker who is sure.
MANY_IMAGES, MOST_STEPS, SURE = 10, 100_000, 0.9


def notion_sentences(account: Account) -> list[str]:
    """Return ρ and μ, or why there is none."""
    parts = ((text.RHO, account.rho), (text.MU, account.mu))
    return [_notion_text(templates, stated) for templates, stated in parts]


def _notion_text(templates: Mapping[str, str], stated: NotionValue) -> str:
    fields = {"value": stated.value, "bound": stated.bound}
    written = {name: "" if value is None else number_up(value) for name, value in fields.items()}
    return render_text(templates[stated.case], **written)


def assumptions(account: Account) -> list[str]:
    """Return what the guarantee assumes, and what it does with several images of a person."""
    return [*text.ASSUMPTIONS[_case(account)], group_text(account)]


def _case(account: Account) -> str:
    """Return the key of the texts on what is assumed."""
    if calculator.ignores_sampling(account.mechanism, account.for_person):
        return "unsampled"
    return case_of(account.mechanism)


def group_text(account: Account) -> str:
    """Return how the guarantee counts several images of a person."""
    mechanism, case = account.mechanism, _case(account)
    if isinstance(mechanism, PublishedGuarantee) and mechanism.unit == "person":
        return text.GROUPS["person"]
    if account.images == 1:
        return text.GROUPS["one"]
    return render_text(text.GROUPS.get(case, text.GROUPS["linear"]), most=MAX_MIXED)


def to_json(account: Account, others: Sequence[OtherEpsilon] = ()) -> dict[str, Any]:
    """Return everything about a stated mechanism; None where no value is valid."""
    guarantee = account.guarantee
    rho_note, mu_note = notion_sentences(account)
    epsilons = calculator.epsilon_curve(account.for_person, DELTAS)
    result: dict[str, Any] = {
        "mechanism": {"kind": account.mechanism.kind} | dataclasses.asdict(account.mechanism),
        "epsilon": account.epsilon,
        "delta": account.delta,
        "pure_epsilon": guarantee.value if guarantee.notion == "pure" else None,
        "rho": account.rho.value,
        "mu": account.mu.value,
        "best_guess": account.best_guess,
        "prior": account.prior,
        "images_per_person": account.images,
        "adjacency": guarantee.adjacency,
        "unit": guarantee.unit,
        "assumptions": assumptions(account),
        "rho_note": rho_note,
        "mu_note": mu_note,
        "source": guarantee.source,
        "curve": [
            {"delta": float(delta), "epsilon": float(epsilon)}
            for delta, epsilon in zip(DELTAS, epsilons, strict=True)
        ],
    }
    if others:
        result["libraries"] = [dataclasses.asdict(other) for other in others]
    return result


# ----------------------------------------------------------------------------------------- the page


def answer(account: Account, precise: bool) -> str:
    """Return the answer of the page in Markdown."""
    person = account.guarantee.adjacency == privacy.ADD_REMOVE_PERSON
    return text.ANSWERS["person" if person else "record"].fill(
        precise,
        guess=account.best_guess,
        before=max(account.prior, 1 - account.prior),
        epsilon=_epsilon(account, precise),
        delta=account.delta,
    )


def _epsilon(account: Account, precise: bool) -> str:
    """Return ε, rounded up."""
    return number_up(account.epsilon, DIGITS if precise else PLAIN_DIGITS)


def tiles(account: Account, precise: bool) -> list[Tile]:
    """Return ε and the best guess; precise: with ρ and μ, else with the guesses about a person of
    more images and by an attacker who is nearly sure.
    """
    guarantee, before = account.guarantee, max(account.prior, 1 - account.prior)
    note, help_text = (
        words.precise if precise else words.plain
        for words in (text.EPSILON_NOTE, text.EPSILON_HELP)
    )
    shown = [
        Tile(
            text.TILES["epsilon"],
            _epsilon(account, precise),
            render_text(note, delta=account.delta),
            render_text(
                help_text,
                adjacency=guarantee.adjacency,
                unit=guarantee.unit,
                delta=account.delta,
            ),
        ),
        Tile(
            text.TILES["guess"],
            f"{percent_up(account.best_guess)}%",
            render_text(text.GUESS_NOTE, before=before),
            render_text(text.GUESS_HELP, prior=account.prior),
        ),
    ]
    if precise:
        rho_help, mu_help = notion_sentences(account)
        rho, mu = (account.rho, rho_help), (account.mu, mu_help)
        return [*shown, _notion_tile("rho", *rho), _notion_tile("mu", *mu)]
    if other := _of_more_images(account):
        fields = {"images": other.images, "prior": other.prior}
        shown.append(_guess_tile("person", other.best_guess, before, **fields))
    guess = float(calculator.best_guesses(account, np.array([SURE]))[0])
    return [*shown, _guess_tile("sure", guess, SURE, prior=SURE)]


def _guess_tile(key: str, guess: float, before: float, **fields: float) -> Tile:
    return Tile(
        render_text(text.TILES[key], **fields),
        f"{percent_up(guess)}%",
        render_text(text.GUESS_NOTE, before=before),
        render_text(text.GUESS_HELPS[key], **fields),
    )


def _of_more_images(account: Account) -> Account | None:
    """Return the account of a person with ten images; None where no guarantee covers them, where
    the person has as many already, or where it takes seconds.
    """
    if account.images >= MANY_IMAGES or not images_matter(account):
        return None
    return next((other for other in by_images(account) if other.images == MANY_IMAGES), None)


def _notion_tile(key: str, stated: NotionValue, help_text: str) -> Tile:
    value = text.NO_VALUE if stated.value is None else number_up(stated.value)
    return Tile(text.TILES[key], value, text.NOTION_NOTES[stated.case], help_text)


def finding(guesses: np.ndarray) -> str:
    """Return the title of the chart in Markdown.

    Args:
        guesses: best guesses at ``PRIORS``.
    """
    gains = guesses - np.maximum(PRIORS, 1 - PRIORS)
    place = int(np.argmax(gains))
    prior = float(PRIORS[place])
    return render(text.FINDING, gain=percent_up(float(gains[place])), prior=prior)


def images_finding(accounts: Sequence[Account], precise: bool) -> str:
    """Return the title of the chart of images per person in Markdown.

    Args:
        accounts: by images per person, from few to many.
    """
    rise = accounts[-1].best_guess - accounts[0].best_guess
    return text.IMAGES_FINDINGS["rises" if rise >= RISE else "level"].fill(precise)


def definition_rows(account: Account, precise: bool = True) -> list[tuple[str, str]]:
    """Return what a reader must know about the guarantee, as term and text.

    Args:
        precise: with ρ, μ and the name of the notion.
    """
    guarantee, (rho, mu) = account.guarantee, notion_sentences(account)
    epsilon = _epsilon(account, precise)
    values = {
        "epsilon": render_text(text.EPSILON_ROW, epsilon=epsilon, delta=account.delta),
        "guess": render_text(text.GUESS_ROW, guess=account.best_guess, prior=account.prior),
        "rho": rho,
        "mu": mu,
        "adjacency": guarantee.adjacency,
        "unit": guarantee.unit,
        "assumptions": "; ".join(text.ASSUMPTIONS[_case(account)]),
        "person": group_text(account),
        "public": guarantee.public,
        "source": guarantee.source,
    }
    if precise:
        return [(text.ROWS[key], value) for key, value in values.items()]
    terms = text.ROWS | text.ROWS_PLAIN
    return [(terms[key], value) for key, value in values.items() if key not in ("rho", "mu")]


def by_images(account: Account) -> list[Account]:
    """Return the accounts of a person by number of images, that of ``account`` among them, as far
    as there is a guarantee.
    """
    delta = account.delta or None
    if isinstance(account.mechanism, PublishedGuarantee) and account.mechanism.notion == "approx":
        delta = None
    accounts = []
    for images in sorted({*IMAGES, account.images}):
        try:
            accounts.append(_account(account.mechanism, delta, account.prior, images))
        except DpvizError:
            break  # the group's delta is too large, for all further numbers as well
    return accounts


@cached(64)
def _account(mechanism: Mechanism, delta: float | None, prior: float, images: int) -> Account:
    return calculator.calculate(mechanism, delta, prior, images)


def images_matter(account: Account) -> bool:
    """Return whether the guarantee depends on the images of a person, and is computed quickly."""
    mechanism = account.mechanism
    is_slow = getattr(mechanism, "steps", 0) > MOST_STEPS
    protects_person = isinstance(mechanism, PublishedGuarantee) and mechanism.unit == "person"
    return not (is_slow or protects_person)


def person_rows(account: Account) -> list[dict[str, str]]:
    """Return ε, δ and the best guess by images per person, as far as there is a guarantee."""
    rows = []
    for other in by_images(account):
        cells = {
            "images": str(other.images),
            "epsilon": number_up(other.epsilon),
            "delta": number_up(other.delta),
            "guess": f"{percent_up(other.best_guess)}%",
        }
        rows.append({text.PERSON_COLUMNS[name]: cell for name, cell in cells.items()})
    return rows


def library_rows(account: Account, others: Sequence[OtherEpsilon]) -> list[dict[str, str]]:
    """Return ε of the same release by each library."""
    own = OtherEpsilon("own", __version__, account.epsilon, account.delta)
    return [_library_row(other) for other in (own, *others)]


def _library_row(other: OtherEpsilon) -> dict[str, str]:
    known = other.epsilon is not None
    cells = {
        "library": text.LIBRARIES.get(other.library, text.OWN_LIBRARY),
        "version": other.version,
        "epsilon": number_up(other.epsilon) if other.epsilon is not None else "",
        "delta": number_up(other.delta) if known else "",
        "note": text.LIBRARY_NOTES[other.library] if known else other.reason,
    }
    return {text.LIBRARY_COLUMNS[name]: cell for name, cell in cells.items()}


def read_values(library: str, values: Sequence[tuple[str, float]]) -> str:
    """Return what was read from a pasted configuration, in Markdown."""
    written = ", ".join(f"{name} = {value:g}" for name, value in values)
    template = text.READ_LIBRARY if library else text.READ
    return render(template, library=library, values=written)


def code(account: Account) -> str:
    """Return Python code that gives the same numbers."""
    delta = account.delta or None
    mechanism = account.mechanism
    if isinstance(mechanism, PublishedGuarantee) and mechanism.notion == "approx":
        delta = None
    written = repr(mechanism).replace("inf", 'float("inf")')
    return "\n".join(
        (
            "import dpviz",
            "",
            f"mechanism = dpviz.{written}",
            f"account = dpviz.calculate(mechanism, {delta}, prior={account.prior},"
            f" images={account.images})",
            "print(account.epsilon, account.best_guess, account.rho, account.mu)",
        )
    )
