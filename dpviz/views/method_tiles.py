"""Tiles that the pages of one method share: accuracy, best guess of an attacker, public images."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dpviz import privacy
from dpviz.formatting import UNTESTED, percent_up, points
from dpviz.methods import METHODS
from dpviz.stats import Interval, difference
from dpviz.text import method_tiles as text
from dpviz.text.guarantee import WHY_GUESSES_DIFFER
from dpviz.text.template import render_text
from dpviz.text.trade_off import TILE_HELP, TILE_LABELS, TILE_NOTES
from dpviz.types import DataConfig, Guarantee
from dpviz.views import trade_off_page
from dpviz.views.data_draws import STEP
from dpviz.views.page_as_shown import Tile
from dpviz.views.page_config import draws_differ
from dpviz.views.phrases import bounded_range, guess_basis, score_text, title_in_sentence
from dpviz.views.trade_off_page import group_text

#: Subject of a guess by adjacency; all others are about one image.
_SUBJECTS = {
    privacy.ADD_REMOVE_PERSON: "person",
    privacy.REPLACE_PERSON: "replaced_person",
    privacy.REPLACE_IN_CLASS: "replaced_image",
}


def accuracy_tile(
    method: str,
    metric: str,
    rare: Sequence[str],
    config: DataConfig,
    accuracies: tuple[Interval, Interval],
    precise: bool,
) -> Tile:
    """Return the accuracy with noise, and the one without.

    Args:
        rare: names of the smallest classes, none where all have the same size; accuracies: with
            noise and without.
    """
    private, quiet = accuracies
    note, runs, more = text.UNTESTED_NOTE, "", ""
    if private.is_measured and quiet.is_measured:
        note = render_text(TILE_NOTES["quiet"], quiet=quiet)
        runs, more = basis(private, config)
    accuracy_help = render_text(
        TILE_HELP["balanced" if metric == "balanced" else "accuracy"],
        method=title_in_sentence(METHODS[method].title),
        group=group_text(metric, rare, config),
        interval=private,
    )
    runs_help = "" if private.draws else render_text(text.RUNS_HELP, runs=private.runs)
    return Tile(
        TILE_LABELS[metric],
        score_text(private, precise),
        note,
        " ".join(filter(None, (accuracy_help, runs_help, more))),
        runs=runs,
    )


def basis(point: Interval, config: DataConfig) -> tuple[str, str]:
    """Return the runs behind an accuracy, and what its help adds; nothing where all data draws are
    equal.
    """
    if not draws_differ(config):
        return "", ""
    if point.draws:
        draws = len(point.draws)
        more = render_text(text.DRAWS_HELP, draws=draws, runs=point.runs)
        return render_text(text.MEAN_OF_DRAWS, draws=draws), more
    most = render_text(text.ONE_DRAW_HELP, draws=STEP.draws)
    return render_text(text.ONE_DRAW, runs=point.runs), most


def weakest_guess(guarantees: Iterable[Guarantee]) -> tuple[str, str]:
    """Return the best guess under the weakest of some guarantees, and what it depends on; pending
    without any.
    """
    weakest = max(guarantees, key=privacy.success_bound, default=None)
    if weakest is None:
        return text.PENDING, ""
    return f"{percent_up(privacy.success_bound(weakest))}%", guess_basis(weakest)


def guess_tile(guarantee: Guarantee, method: str) -> Tile:
    """Return the success of the best possible attacker on a method, a key of ``METHODS``."""
    value = render_text("{guess:at_most}", guess=privacy.success_bound(guarantee))
    subject = _SUBJECTS.get(guarantee.adjacency, "image")
    bounded = bounded_range(guarantee, METHODS[method].title)
    help_text = f"{text.GUESS_HELP[subject]} {WHY_GUESSES_DIFFER} {bounded}".strip()
    return Tile(
        text.GUESS,
        value,
        METHODS[method].title,
        help_text,
        runs=guess_basis(guarantee),
        aside=text.GUESS_NOTE,
    )


def public_tile(
    public: Interval | None, method: str, private: Interval, config: DataConfig
) -> Tile:
    """Return the accuracy of public images alone; None while it is computed.

    Args:
        private: accuracy of the method, a key of ``METHODS``.
    """
    if public is None:
        label, help_text = TILE_LABELS["public"], TILE_HELP["public"]
        return Tile(label, text.PENDING, text.PENDING_NOTE, help_text)
    tile = trade_off_page.public_tile(public, {method: private})
    runs, more = basis(public, config)
    return replace(tile, runs=runs, help=f"{tile.help} {more}".rstrip())


def difference_text(first: Interval, second: Interval) -> str:
    """Return a difference of accuracies with its uncertainty: ``−18 ± 6 points``."""
    if not (first.is_measured and second.is_measured):
        return UNTESTED
    return points(first.mean - second.mean, difference(first, second).half)
