"""Answers, tiles and figures of the Attacks page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dpviz import privacy
from dpviz.diagnostics import attack_bound
from dpviz.diagnostics.attack_by_shots import Slope
from dpviz.diagnostics.attack_statistics import Informed
from dpviz.diagnostics.low_fpr import Rate
from dpviz.diagnostics.membership_attack import Attack
from dpviz.diagnostics.shadow_attack import TITLES, ShadowAttack
from dpviz.formatting import budget_at_level, budget_text, listed, literal, percent_up
from dpviz.plots.icon_arrays import FIGURES, IconArray
from dpviz.text import attackers_view as text
from dpviz.text.guarantee import WHY_GUESSES_DIFFER
from dpviz.text.template import render, render_text
from dpviz.types import Budget, Guarantee
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis

#: Two standard errors on either side.
ERRORS = 2
#: Success limits from here on are no limit in practice.
NEARLY_ALWAYS = 0.999
#: Share of right guesses below which an attack is only slightly better than chance.
SLIGHTLY = 0.6
#: Panels beside each other.
MAX_PANELS = 5
_HYPOTHESES = {
    privacy.ADD_REMOVE: "add_remove",
    privacy.REPLACE_IN_CLASS: "replace",
    privacy.ADD_REMOVE_PERSON: "add_remove_person",
    privacy.REPLACE_PERSON: "replace_person",
}


@dataclass(frozen=True)
class Limit:
    """The weakest of some guarantees: its methods, and the success and belief that it allows.

    Attributes:
        methods: names of all methods with this limit; guarantee: of the first.
        right: largest share of right guesses from ``prior``; even: the same from one half.
    """

    methods: tuple[str, ...]
    guarantee: Guarantee
    prior: float
    right: float
    even: float

    @property
    def whom(self) -> str:
        """The methods, for Markdown."""
        return listed([literal(title) for title in self.methods])


def weakest(guarantees: Mapping[str, Guarantee], prior: float) -> Limit | None:
    """Return the weakest guarantee by the success that it allows; None without any.

    Args:
        guarantees: by name of the method in a sentence; prior: of the attacker, in (0, 1).
    """
    if not guarantees:
        return None
    rights = {
        title: attack_bound.success_bound(guarantee, prior)
        for title, guarantee in guarantees.items()
    }
    top = max(rights.values())
    titles = tuple(title for title, right in rights.items() if top - right < 1e-6)
    guarantee = guarantees[titles[0]]
    return Limit(titles, guarantee, prior, top, attack_bound.success_bound(guarantee))


# ------------------------------------------------------------------------------- attack by the loss


def loss_answer(
    precise: bool, limit: Limit | None, quiet: Attack | None, budget: Budget, unit: str
) -> str:
    """Return the answer on attacks by loss threshold.

    Args:
        limit: of the weakest guarantee; quiet: the attack without noise, None if unknown.
        unit: ``picture`` or ``person``.
    """
    if limit is None:
        return text.ANSWERS["none"].fill(precise)
    exposed = quiet.easiest if quiet else None
    case = "compared" if exposed else "limit"
    if limit.prior != 0.5:
        case = "prior"
    if limit.right > NEARLY_ALWAYS:
        case = "weak"
    elif unit == "person":
        case += "_person"
    return text.ANSWERS[case].fill(
        precise,
        limit=limit.right,
        prior=limit.prior,
        quiet=exposed.right if exposed else math.nan,
        budget=budget_text(budget),
        at=budget_at_level(budget, precise=False),
        method=limit.methods[0],
    )


def loss_finding(precise: bool, limit: Limit | None, noisy: Attack | None, title: str) -> str:
    """Return the finding above the figures of the attack by loss threshold, about the most exposed
    images or people.

    Args:
        title: of the attacked method.
    """
    exposed = noisy.easiest if noisy else None
    if exposed is None:
        return text.FINDINGS["limit" if limit else "quiet"].fill(precise)
    case = "better"
    if _is_chance(exposed):
        case = "chance"
    elif limit and exposed.right - ERRORS * exposed.unsure > limit.even:
        case = "above"
    elif exposed.right < SLIGHTLY:
        case = "slightly"
    return text.FINDINGS[case].fill(
        precise, noisy=exposed.right, method=title, limit=limit.even if limit else 1.0
    )


def loss_panels(
    limit: Limit | None,
    noisy: Attack | None,
    quiet: Attack | None,
    running: bool,
    precise: bool = False,
) -> list[IconArray]:
    """Return the panels of 100 guesses: any attack, about anyone, and one attack with and without
    noise, about the most exposed.

    Args:
        running: attacks that are missing are being computed.
    """
    panels = []
    if limit:
        most = percent_up(limit.even)
        name = text.PANELS["limit"].fill(precise)
        possible = math.ceil(FIGURES * limit.even - 1e-6) - FIGURES // 2
        is_part = math.floor(FIGURES * limit.even + 1e-6) - FIGURES // 2 < possible
        panels.append(
            IconArray(
                name,
                "",
                render_text(text.PANEL_NOTES["limit"], right=most),
                {"middle": FIGURES // 2, "ring": possible - is_part, "part": int(is_part)},
                render_text(text.PANEL_ALTS["limit"], title=name, right=most),
                round=True,
            )
        )
    for key, attack in (("noisy", noisy), ("quiet", quiet)):
        if attack or running:
            found = attack.easiest if attack else None
            panels.append(_measured_panel(text.PANELS[key].fill(precise), found, running))
    return panels


def _measured_panel(title: str, found: Informed | None, running: bool) -> IconArray:
    if found is None:
        note = text.PANEL_NOTES["running" if running else "few"]
        alt = render_text(text.PANEL_ALTS["few"], title=title)
        return IconArray(title, "", note, {}, alt, round=True)
    right = render_text("{right:of_100}", right=found.right)
    count = round(FIGURES * found.right)
    low, high = _interval(found)
    half = FIGURES // 2
    beyond = "pale" if _is_chance(found) else "strong"
    return IconArray(
        title,
        "",
        render_text(text.PANEL_NOTES["measured"], right=found.right, low=low, high=high),
        {"middle": min(count, half), beyond: max(count - half, 0)},
        render_text(text.PANEL_ALTS["measured"], title=title, right=right),
        round=True,
    )


def guesses_legend(panels: Sequence[IconArray]) -> dict[str, str]:
    """Return the words of the kinds of guesses that are drawn."""
    drawn = {kind for panel in panels for kind, count in panel.counts.items() if count} | {"rest"}
    return {kind: words for kind, words in text.GUESSES_LEGEND.items() if kind in drawn}


def passes_limit(limit: Limit | None, noisy: Attack | None) -> bool:
    """Return whether the interval of an attack passes the limit, which its mean does not."""
    if limit is None or noisy is None or noisy.easiest is None:
        return False
    return noisy.easiest.right <= limit.even < _interval(noisy.easiest)[1]


def _is_chance(found: Informed) -> bool:
    """Return whether a measured success rate is not significantly above chance."""
    return found.right - 0.5 <= ERRORS * found.unsure


def _interval(found: Informed) -> tuple[float, float]:
    """Return the interval of a measured success rate, within 0 and 1."""
    half = ERRORS * found.unsure
    return max(found.right - half, 0.0), min(found.right + half, 1.0)


def _heading(title: str) -> str:
    """Return the name of a method in a sentence as it is alone."""
    name = title.removeprefix("the ")
    return f"{name[0].upper()}{name[1:]}"


def guess_tile(limit: Limit) -> Tile:
    """Return the tile of the attacker's best guess."""
    help_text = text.TILE_GUESS_HELP[_HYPOTHESES.get(limit.guarantee.adjacency, "add_remove")]
    title = limit.methods[0].removeprefix("the ")
    return Tile(
        text.TILE_GUESS,
        f"{percent_up(limit.right)}%",
        _heading(title),
        f"{help_text} {WHY_GUESSES_DIFFER} {render_text(text.TILE_GUESS_METHOD, method=title)}",
        runs=guess_basis(limit.guarantee),
        aside=render_text(text.TILE_GUESS_NOTE, chance=max(limit.prior, 1 - limit.prior)),
    )


def loss_tiles(
    limit: Limit | None,
    title: str,
    noisy: Attack | None,
    quiet: Attack | None,
    unit: str,
    precise: bool,
) -> list[Tile]:
    """Return the tiles of the attack by loss threshold on the method ``title``, one per panel of
    ``loss_panels``.
    """
    made = []
    if limit:
        most = render_text(text.TILE_ANY_VALUE, right=percent_up(limit.right))
        names = {"label": text.PANELS["limit"].fill(precise), "note": text.TILE_ANY_NOTE}
        made.append(replace(guess_tile(limit), value=most, **names))
    made += [
        _exposed_tile(case, attack, title, unit, precise)
        for case, attack in (("noisy", noisy), ("quiet", quiet))
        if attack
    ]
    return made


def _exposed_tile(case: str, attack: Attack, title: str, unit: str, precise: bool) -> Tile:
    """Return an attack's success on the most exposed, with its average in the help."""
    found = attack.easiest
    value, note, aside = text.NOT_MEASURED, text.PANEL_NOTES["few"], ""
    if found:
        low, high = _interval(found)
        shown = text.TILE_EXPOSED_VALUE.precise if precise else text.TILE_EXPOSED_VALUE.plain
        value = render_text(shown, right=found.right, low=low, high=high)
        note = text.TILE_EXPOSED_NOTE[unit]
        if case == "quiet":
            note, aside = text.TILE_QUIET_NOTE, note
    help_text = render_text(text.TILE_EXPOSED_HELP[case, unit], method=title)
    if attack.everyone:
        average = render_text(text.TILE_AVERAGE[unit], right=attack.everyone.right)
        help_text = f"{help_text} {average}"
    return Tile(text.PANELS[case].fill(precise), value, note, help_text, aside=aside)


# ------------------------------------------------------------------------- attacks by shadow models

TOO_FEW = text.TOO_FEW


@dataclass(frozen=True)
class AttackSummary:
    """What one attack finds on one method.

    Attributes:
        title: of the method, as in a sentence; private: has a guarantee; attack: key of ``TITLES``.
        name: of the method, as a heading.
    """

    title: str
    private: bool
    result: ShadowAttack
    attack: str
    name: str = ""

    @property
    def rate(self) -> Rate | None:
        """The rate at 1% false positives."""
        return self.result.results[self.attack].overall[-1]

    @property
    def minority_rate(self) -> Rate | None:
        """The same among the rare classes."""
        return self.result.results[self.attack].minority[-1]

    @property
    def is_limited(self) -> bool:
        """Whether a guarantee limits what is found."""
        return self.private and self.rate is not None and self.rate.most < 1


def share_percent(share: float) -> str:
    """Return a share in percent, to two or three significant digits: ``4.6``, ``0.24``, ``100``."""
    return f"{100 * share:.{2 if share < 0.1 else 3}g}"


def rate_limit(share: float) -> str:
    """Return the limit of a guarantee on a rate, rounded up."""
    if share == 1:
        return text.IMAGE_PANEL_NOTES["open"]
    places = 2 if share < 0.1 else 1
    return f"{math.ceil(100 * 10**places * share - 1e-6) / 10**places:g}%"


def rate_text(rate: Rate | None) -> str:
    """Return a rate with its interval: ``4.6% (4.1–5.1)``."""
    if rate is None:
        return TOO_FEW
    return f"{share_percent(rate.tpr)}% ({share_percent(rate.low)}–{share_percent(rate.high)})"


def lead(summaries: Sequence[AttackSummary]) -> AttackSummary:
    """Return the summary that the answer is about: the private method that leaks most, else the
    first with a rate.
    """
    known = [summary for summary in summaries if summary.rate]
    private = [summary for summary in known if summary.private]
    if private:
        return max(private, key=lambda s: (s.rate.above, s.rate.tpr) if s.rate else (False, 0.0))
    return (known or list(summaries))[0]


def low_fpr_answer(precise: bool, summaries: Sequence[AttackSummary], unit: str) -> str:
    """Return the answer on an attack by shadow models."""
    summary = lead(summaries)
    case = _low_fpr_case(summary) + ("_person" if unit == "person" else "")
    if (rate := summary.rate) is None:
        return text.ANSWERS_LOW_FPR[case].fill(precise)
    return text.ANSWERS_LOW_FPR[case].fill(
        precise,
        found=f"{share_percent(rate.tpr)}%",
        rate=rate_text(rate),
        limit=rate_limit(rate.most),
        attack=TITLES[summary.attack],
        method=summary.title,
    )


def _low_fpr_case(summary: AttackSummary) -> str:
    if (rate := summary.rate) is None:
        return "few"
    if not summary.is_limited:
        return "open"
    if rate.above:
        return "above"
    return "blind" if rate.low <= rate.fpr else "found"


def low_fpr_plain(summaries: Sequence[AttackSummary], unit: str) -> str:
    """Return the plain answer, as the shell prints it."""
    return low_fpr_answer(False, summaries, unit)


def low_fpr_precise(summaries: Sequence[AttackSummary], unit: str = "picture") -> str:
    """Return the precise answer, as the shell prints it."""
    return low_fpr_answer(True, summaries, unit)


def low_fpr_finding(precise: bool, summaries: Sequence[AttackSummary]) -> str:
    """Return the finding above the figures of an attack by shadow models."""
    rates = [s.rate.tpr for s in summaries if not s.private and s.rate]
    if not rates:
        return text.FINDINGS_LOW_FPR["private"].fill(precise)
    found = f"{share_percent(max(rates))}%"
    return text.FINDINGS_LOW_FPR["open"].fill(precise, found=found)


def low_fpr_panels(summaries: Sequence[AttackSummary]) -> list[IconArray]:
    """Return a panel of 100 members for each method, private ones first, at most ``MAX_PANELS``."""
    private = [summary for summary in summaries if summary.private]
    others = [summary for summary in summaries if not summary.private][-2:]
    return [_member_panel(s) for s in private[: MAX_PANELS - len(others)] + others]


def _member_panel(summary: AttackSummary) -> IconArray:
    rate = summary.rate
    case = "few" if rate is None else "limit" if summary.is_limited else "open"
    found = TOO_FEW if rate is None else f"{share_percent(rate.tpr)}%"
    most = rate_limit(rate.most) if rate else ""
    counts = {}
    if rate:
        counts["strong"] = min(max(round(FIGURES * rate.tpr), 0), FIGURES)
        if summary.is_limited:
            possible = math.ceil(FIGURES * rate.most - 1e-6)
            counts["ring"] = max(possible - counts["strong"], 0)
    return IconArray(
        summary.name,
        found,
        render_text(text.IMAGE_PANEL_NOTES[case], limit=most),
        counts,
        render_text(text.IMAGE_PANEL_ALTS[case], method=summary.name, rate=found, limit=most),
    )


def low_fpr_tiles(limit: Limit | None, summaries: Sequence[AttackSummary]) -> list[Tile]:
    """Return the tiles of an attack by shadow models."""
    made = [guess_tile(limit)] if limit else []
    first = lead(summaries)
    known = first.rate
    note = text.TILE_FOUND_NOTE_OPEN
    if known and first.is_limited:
        note = render_text(text.TILE_FOUND_NOTE, limit=rate_limit(known.most))
    names = [first.result.class_names[c] for c in first.result.minority]
    made += [
        Tile(
            render_text(text.TILE_FOUND, attack=TITLES[first.attack]),
            rate_text(known),
            note,
            render_text(text.TILE_FOUND_HELP, method=first.title),
        ),
        Tile(
            text.TILE_RARE,
            rate_text(first.minority_rate),
            text.TILE_RARE_NOTE,
            render_text(text.TILE_RARE_HELP, classes=names),
        ),
    ]
    loose = [s for s in summaries if not s.private and s.rate and s is not first]
    if loose:
        top = max(loose, key=lambda s: s.rate.tpr if s.rate else 0.0)
        made.append(
            Tile(
                text.TILE_OPEN,
                rate_text(top.rate),
                render_text(text.TILE_OPEN_NOTE, method=top.name),
                text.TILE_OPEN_HELP,
            )
        )
    return made


def slope_text(title: str, found: Slope | None) -> str:
    """Return how the gain of an attack falls with the images per class, in Markdown."""
    if found is None:
        return render(text.SLOPES["few"], method=title)
    slope = f"{found.slope:.2f} ({found.low:.2f} to {found.high:.2f})".replace("-", "−")
    case = "agrees" if found.published else "differs"
    return render(text.SLOPES[case], method=title, slope=slope)
