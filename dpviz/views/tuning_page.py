"""Cases and fields of the Tuning page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from dpviz.caches import cached
from dpviz.diagnostics import attack_bound
from dpviz.experiments import tuning, tuning_again
from dpviz.experiments.tuning import Tuned
from dpviz.experiments.tuning_again import Merit
from dpviz.methods import METHODS
from dpviz.stats import Interval
from dpviz.text import tuning as text
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee
from dpviz.views.experiment_tiles import group, public_tiles
from dpviz.views.page_as_shown import Tile
from dpviz.views.phrases import guess_basis, score_text, title_in_sentence

#: Cases of the answer with fresh runs, by the sign of the winner's difference from the default.
RERUN_CASES = {-1: "rerun worse", 0: "rerun level", 1: "rerun better"}


def answers(study: Tuned, merit: Merit | None, rare: Sequence[str] = ()) -> tuple[str, str]:
    """Return the answer, precise and plain.

    Args:
        merit: scores of winner and default on fresh noise; None where they are not shown.
        rare: names of the rare classes.
    """
    case = _case(study, merit)
    if study.best is None:
        return (text.ANSWERS[case].fill(False),) * 2
    best, search = study.trials[study.best], study.search
    fields = {
        "trials": len(study.trials),
        "settings": render_text(text.SETTING_COUNT, trials=len(study.trials)),
        "cost": study.cost,
        "guess": guess_after(study, best.guarantee),
        "one": attack_bound.success_bound(best.guarantee),
        "score": best.score,
    }
    if merit:
        fields["winner"] = merit.winner
    precise, plain = (
        text.ANSWERS[case].fill(level, **fields, group=group(search.metric, rare, level))
        for level in (True, False)
    )
    return precise, plain


def running(study_method: str) -> str:
    """Return the answer while trials run."""
    return text.ANSWERS["running"].fill(
        False, method=title_in_sentence(METHODS[study_method].title)
    )


def _case(study: Tuned, merit: Merit | None) -> str:
    """Return a key of ``text.ANSWERS``."""
    if study.best is None:  # the number of trials stays secret where the best alone is shown
        return "nothing" if study.costs.holds else "zero"
    if study.search.scores_privately:
        return "private score"
    if study.costs.holds:
        return "best alone"
    return RERUN_CASES[merit.sign] if merit else "all"


def tiles(study: Tuned, merit: Merit | None, public: Interval | None, precise: bool) -> list[Tile]:
    """Return the tiles: winner, default or cost, best guess, public images."""
    if study.best is None:
        return []
    best = study.trials[study.best]
    points = {study.search.method: merit.winner} if merit else {}
    accuracies = [_winner(best.score, merit, study.costs.holds, precise)]
    accuracies += [_default(merit, precise)] if merit else []
    accuracies += public_tiles(points, public)
    shown = [replace(tile, runs=text.ONE_DRAW) for tile in accuracies]
    if not merit:
        shown.insert(1, _cost(study))
    return [*shown[:2], _guess(study, best.guarantee), *shown[2:]]


def _winner(score: float, merit: Merit | None, secret: bool, precise: bool) -> Tile:
    if merit is None:
        note = text.NOTES["secret"] if secret else text.WINNER_ONCE.fill(precise)
        value = render_text("{score:percent}", score=score)
        return Tile(text.TILES["winner"], value, note, text.TILE_HELP["winner once"])
    return Tile(
        text.TILES["winner"],
        score_text(merit.winner, precise),
        text.WINNER_NOTE.fill(precise, score=score, runs=merit.winner.runs),
        text.WINNER_HELP.fill(precise, runs=merit.winner.runs),
    )


def _default(merit: Merit, precise: bool) -> Tile:
    return Tile(
        text.TILES["default"],
        score_text(merit.default, precise),
        text.DIFFERENCES[merit.sign].fill(precise),
        text.DEFAULT_HELP.fill(precise),
    )


def _cost(study: Tuned) -> Tile:
    return Tile(
        text.TILES["cost"],
        render_text("{cost:number}", cost=study.cost),
        render_text(text.NOTES["cost"], one=study.costs.one),
        render_text(text.TILE_HELP["cost"], delta=study.search.budget.delta),
    )


def _guess(study: Tuned, guarantee: Guarantee) -> Tile:
    one, after = attack_bound.success_bound(guarantee), guess_after(study, guarantee)
    help_text = text.TILE_HELP["private" if study.search.scores_privately else "guess"]
    value, note = text.NO_LIMIT, render_text(text.NOTES["no limit"], one=one)
    if after < 1:
        value = render_text("{guess:at_most}", guess=after)
        note = render_text(text.NOTES["guess"], one=one)
    runs = guess_basis(_guarantee_after(study, guarantee))
    return Tile(text.TILES["guess"], value, note, help_text, runs=runs)


def chart_title(study: Tuned, merit: Merit | None) -> str:
    """Return the finding above the chart of trials."""
    assert study.best is not None
    best = study.trials[study.best]
    case = RERUN_CASES[merit.sign] if merit else "waiting"
    is_secret = study.costs.holds  # the number of trials
    if case == "rerun level" and study.best == 0 and len(study.trials) > 1 and not is_secret:
        case = "rerun first default" if _is_default(study) else "rerun first"
    return render(
        text.CHART_TITLES[case],
        trials=len(study.trials),
        one=attack_bound.success_bound(best.guarantee),
        guess=guess_after(study, best.guarantee),
        score=best.score,
    )


def chart_subtitle(study: Tuned, precise: bool) -> str:
    """Return the cost of all trials and of private selection, "" where it could not cost less;
    the precise answer has that of all trials.
    """
    selected = min(study.costs.selected.values(), default=math.inf)
    if study.costs.holds or study.search.scores_privately or selected >= study.cost:
        return ""
    return text.SUBTITLE_SELECTION.fill(precise, selected=selected, cost=study.cost)


def _is_default(study: Tuned) -> bool:
    """Return whether the best trial has the method's default settings."""
    assert study.best is not None
    own = {param.name: param.default for param in METHODS[study.search.method].params}
    return own | study.trials[study.best].params == own


def caption(study: Tuned, has_scores_below: bool, precise: bool) -> str:
    """Return how to read the chart, in Markdown: its marks and the notions of the best guess."""
    assert study.best is not None
    best = study.trials[study.best].guarantee
    sentences = [text.CAPTION.fill(precise)] + [text.CAPTION_BELOW] * has_scores_below
    one, after = guess_basis(best), guess_basis(_guarantee_after(study, best))
    if one and after and one != after:
        sentences.append(render(text.CAPTION_NOTIONS, one=one, after=after))
    return " ".join(sentences)


def guess_after(study: Tuned, guarantee: Guarantee) -> float:
    """Return an attacker's best guess after the search: the smallest bound that holds."""
    return attack_bound.success_bound(_guarantee_after(study, guarantee))


def _guarantee_after(study: Tuned, guarantee: Guarantee) -> Guarantee:
    """Return the guarantee of the search with the smallest best guess.

    zCDP adds up over trials, and so do squared μ where all are Gaussian.
    """
    # ``sampled`` holds the releases of one trial
    guarantee = replace(guarantee, sampled=None)
    cost = replace(guarantee, notion="approx", value=study.cost)
    if study.costs.holds or study.cost == math.inf:
        return cost
    guarantees = [trial.guarantee for trial in study.trials]
    rho = math.fsum(guarantee.rho for guarantee in guarantees)
    holds = [cost, replace(guarantee, notion="zcdp", value=rho)]
    if all(guarantee.notion == "gdp" for guarantee in guarantees):
        mu = math.hypot(*(guarantee.value for guarantee in guarantees))
        holds.append(replace(guarantee, notion="gdp", value=mu))
    return min(holds, key=attack_bound.success_bound)


#: Most numbers of trials between which the line of the best guess is drawn.
MAX_GUESSES = 12


@cached(8)
def guesses(study: Tuned) -> tuple[tuple[int, float], ...]:
    """Return an attacker's best guess by number of trials shown, from one to all; none where it is
    not limited.
    """
    assert study.best is not None
    guarantee, count = study.trials[study.best].guarantee, len(study.trials)
    if guess_after(study, guarantee) == 1:
        return ()
    numbers = sorted({round(count ** (i / (MAX_GUESSES - 1))) for i in range(1, MAX_GUESSES)} - {1})
    after = [(number, guess_after(_first(study, number), guarantee)) for number in numbers]
    return ((1, attack_bound.success_bound(guarantee)), *after)


def _first(study: Tuned, number: int) -> Tuned:
    """Return the study as it was after so many trials."""
    trials = study.trials[:number]
    return replace(study, trials=trials, costs=tuning.costs(study.search, trials))


def all_rows(study: Tuned) -> list[tuple[str, str]]:
    """Return the cost of all trials, and with the fresh runs where the page shows these."""
    delta = study.search.budget.delta
    costs = {render_text(text.ALL_ROW, trials=len(study.trials)): study.costs.composed}
    if not study.costs.holds:
        runs = 2 * tuning_again.REPEATED_RUNS
        costs[render_text(text.ALL_ROW_RERUN, runs=runs)] = tuning_again.cost(study)
    return [
        (name, render_text(text.ALL_PRICE, epsilon=epsilon, delta=delta))
        for name, epsilon in costs.items()
    ]


def price(study: Tuned, epsilon: float) -> str:
    """Return a cost with its δ."""
    return render(text.PRICE, epsilon=epsilon, delta=study.search.budget.delta)


def best_alone_rows(study: Tuned) -> list[tuple[str, str]]:
    """Return the cost of the best alone by distribution of the number of trials."""
    costs, delta = study.costs, study.search.budget.delta
    return [
        (
            render_text(text.BEST_ROW, name=name.capitalize(), mean=costs.mean),
            render_text(text.BEST_PRICE, epsilon=value, delta=delta),
        )
        for name, value in costs.selected.items()
    ]


def winner_cost(study: Tuned) -> str:
    """Return what reporting only the winner costs under the current settings, and why."""
    costs = study.costs
    case = "best alone" if costs.holds else "all"
    case = "private score" if study.search.scores_privately else case
    fields = {"epsilon": study.cost, "delta": study.search.budget.delta, "applies": costs.applies}
    return render(text.WINNER_COST[case], **fields)


def terms(guarantee: Guarantee) -> str:
    """Return adjacency, privacy unit and public inputs of every cost."""
    return render(
        text.TERMS,
        adjacency=guarantee.adjacency,
        unit=guarantee.unit,
        public=guarantee.public,
    )
