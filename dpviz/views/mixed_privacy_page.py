"""Answer, tiles and finding of the AdaMix page, from accuracies by method."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from dpviz import stats
from dpviz.diagnostics.preset_comparison import LEVELS
from dpviz.formatting import SYMBOLS, listed, number, percent
from dpviz.papers import rules
from dpviz.plots.budget_curves import PresetCurve
from dpviz.stats import Interval
from dpviz.text import method_tiles
from dpviz.text import mixed_privacy as text
from dpviz.text.charts import ERROR_LINES
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee, Result
from dpviz.views.method_tiles import weakest_guess
from dpviz.views.page_as_shown import Tile

PUBLIC_EXAMPLES = "Only-Public"
NO_PRIVACY = "paragon"
ALL_PUBLIC = "Public images alone"
"""Line of all public images. Its name decides its spare line style."""
#: Case of the answer, by sign of the lead against public examples alone.
_CASES = {1: "helps", 0: "level", -1: "hurts", None: "alone"}
#: Case of the answer, by sign of the lead against all public images alone.
_PUBLIC_CASES = {1: "public_better", 0: "public_level", -1: "public_worse"}


def answer(
    accuracies: Mapping[str, Interval],
    lead: str,
    against_alone: int | None,
    better: str,
    budget: str,
    precise: bool,
    public: Interval | None = None,
    public_signs: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """Return the answer of the page, at a budget in words.

    Args:
        accuracies: by method, at one budget; lead: the method that the answer is about.
        against_alone: 1 if the lead is significantly more accurate than public examples alone,
            -1 if less, 0 if neither; None where these are not computed.
        better: the most accurate private method that is significantly better than the lead.
        public: accuracy of all public images alone; public_signs: the same signs against it, by
            private method, empty where they are not known.
    """
    if lead not in accuracies:
        return text.ANSWERS["empty"].fill(precise)
    if not accuracies[lead].is_measured:
        return text.ANSWERS["untested"].fill(precise)
    best = better or _highest(accuracies, lead)
    fields = {"lead": lead, "accuracy": accuracies[lead], "budget": budget}
    fields |= {"best": best, "value": accuracies[best]}
    if public is not None and lead in public_signs:
        case = _PUBLIC_CASES[public_signs[lead]]
        fields["public"] = public
    else:
        case = _CASES[against_alone]
        fields["examples"] = accuracies.get(PUBLIC_EXAMPLES, accuracies[lead])
    sentences = [text.ANSWERS[case]]
    if best != lead:
        sentences.append(text.BEST[_best_case(lead, best, better, public_signs)])
    return " ".join(sentence.fill(precise, **fields) for sentence in sentences)


def _best_case(lead: str, best: str, better: str, public_signs: Mapping[str, int]) -> str:
    """Return the case of the sentence on the best private method, which is not the lead."""
    if public_signs.get(best) == 1 and public_signs.get(lead) != 1:
        return "public"
    return "lead" if better else "unclear"


def _highest(accuracies: Mapping[str, Interval], reference: str) -> str:
    """Return the most accurate private method; the reference where both read the same."""
    known = {name: point for name, point in private(accuracies).items() if point.is_measured}
    highest = max(known, key=lambda name: known[name].mean)
    is_same = percent(known[highest]) == percent(known[reference])
    return reference if is_same else highest


def tiles(
    accuracies: Mapping[str, Interval],
    lead: str,
    shots: int,
    metric: str,
    public: Interval | None,
    guarantees: Sequence[Guarantee],
    public_signs: Mapping[str, int] = MappingProxyType({}),
    better: str = "",
) -> list[Tile]:
    """Return the tiles.

    Args:
        public: accuracy of all public images alone, None until it is computed; public_signs,
            better: see ``answer``.
    """
    own, ideal = accuracies.get(lead), accuracies.get(NO_PRIVACY)
    is_known = own is not None and own.is_measured and ideal is not None
    guess, basis = weakest_guess(guarantees)
    return [
        Tile(
            render_text(text.TILE_ACCURACY, lead=lead),
            _value(own),
            render_text(text.TILE_ACCURACY_NOTE, ideal=ideal) if is_known else "",
            render_text(text.TILE_ACCURACY_HELP, group=text.GROUPS[metric]),
            runs=_examples_note(accuracies, shots),
        ),
        _reference_tile(accuracies, lead, shots, better, public_signs),
        Tile(
            text.TILE_PUBLIC,
            _value(public),
            render_text(text.TILE_PUBLIC_NOTES[public_signs.get(lead)], lead=lead),
            text.TILE_PUBLIC_HELP,
        ),
        Tile(
            text.TILE_GUESS,
            guess,
            lead if guarantees else text.TILE_GUESS_NOTE,
            text.TILE_GUESS_HELP,
            runs=basis,
            aside=text.TILE_GUESS_NOTE if guarantees else "",
        ),
    ]


def _examples_note(accuracies: Mapping[str, Interval], shots: int) -> str:
    """Return the accuracy of public examples alone; "" where it is not known or has a tile."""
    examples = accuracies.get(PUBLIC_EXAMPLES)
    if examples is None or not examples.is_measured or len(private(accuracies)) < 2:
        return ""
    return render_text(text.TILE_ACCURACY_EXAMPLES, shots=shots, examples=examples)


def _reference_tile(
    accuracies: Mapping[str, Interval],
    lead: str,
    shots: int,
    better: str,
    public_signs: Mapping[str, int],
) -> Tile:
    """Return the tile of the best private method; of public examples where there is only one."""
    known = [name for name, point in private(accuracies).items() if point.is_measured]
    if lead not in known or len(known) < 2:
        return Tile(
            text.TILE_EXAMPLES,
            _value(accuracies.get(PUBLIC_EXAMPLES)),
            render_text(text.TILE_EXAMPLES_NOTE, shots=shots),
            text.TILE_EXAMPLES_HELP,
        )
    best = better or _highest(accuracies, lead)
    case = "lead" if best == lead or best in public_signs else "better" if better else "unclear"
    return Tile(
        text.TILE_BEST,
        _value(accuracies[best]),
        render_text(text.TILE_BEST_NOTES[case], name=best, lead=lead),
        render_text(text.TILE_BEST_HELP, lead=lead),
        runs=text.TILE_BEST_PUBLIC[public_signs[best]] if best in public_signs else "",
    )


def _value(point: Interval | None) -> str:
    return method_tiles.PENDING if point is None else percent(point)


def line_name(method: str) -> str:
    """Return the name of a method of the AdaMix paper in charts and sentences."""
    return ERROR_LINES.get(method, method)


def chart_title(signs: Mapping[float, int | None], lead: str, axis: str, shots: int = 0) -> str:
    """Return the finding above the chart: where the lead is better than all public images alone,
    and where it is worse.

    Args:
        signs: by budget, 1 if the lead is significantly more accurate than the reference, -1 if
            less, None where that is not known; axis: of the budgets; shots: public examples per
            class where they are the reference, 0 where all public images are.
    """
    budgets = sorted(signs)
    if len(budgets) < 2 or None in signs.values():
        return text.CHART_TITLES["unknown"]
    better = [budget for budget in budgets if signs[budget] == 1]
    worse = [budget for budget in budgets if signs[budget] == -1]
    reference = reference_words(shots)
    return render(
        text.CHART_TITLES[_title_case(better, worse, budgets)],
        lead=lead,
        symbol=SYMBOLS[axis],
        reference=reference,
        low=min(better, default=0.0),
        better=_listed(better, budgets),
        worse=_listed(worse, budgets),
    )


def reference_words(shots: int) -> str:
    """Return the reference inside a sentence: public examples per class, or 0 for all images."""
    return render(text.REFERENCES["examples" if shots else "public"], shots=shots)


def _listed(chosen: Sequence[float], budgets: Sequence[float]) -> str:
    """Return some of the budgets in words; three or more neighbors are a range."""
    runs: list[list[float]] = []
    for budget, before in zip(budgets, [None, *budgets], strict=False):
        if budget in chosen:
            if runs and runs[-1][-1] == before:
                runs[-1].append(budget)
            else:
                runs.append([budget])
    parts = [
        [render(text.BUDGET_RANGE, low=run[0], high=run[-1])] if len(run) > 2 else map(number, run)
        for run in runs
    ]
    return listed(list(itertools.chain.from_iterable(parts)))


def beaten_sentence(better: Mapping[float, Sequence[str]], lead: str, axis: str) -> str:
    """Return where other private methods are better than the lead; "" where none is.

    Args:
        better: by budget, private methods that are significantly more accurate than the lead.
    """
    budgets = sorted(better)
    beaten = [budget for budget in budgets if better[budget]]
    if not beaten:
        return ""
    names = {name for budget in beaten for name in better[budget]}
    number_case = "one" if len(names) == 1 else "more"
    is_to_end = len(beaten) > 1 and beaten == budgets[-len(beaten) :]
    return render(
        text.BEATEN[f"{number_case}-{'from' if is_to_end else 'some'}"],
        symbol=SYMBOLS[axis],
        low=beaten[0],
        budgets=_listed(beaten, budgets),
        name=min(names),
        lead=lead,
    )


def fall_sentence(curve: PresetCurve, lead: str) -> str:
    """Return why the lead's accuracy falls with the budget; "" where it does not clearly fall.

    The fall is between neighboring budgets, compared seed by seed; the largest of several.
    """
    points = [(budget, curve.accuracies_at(budget).get(lead)) for budget in curve.budgets]
    known = [(budget, point) for budget, point in points if point and point.is_measured]
    steps = {(a[0], b[0]): (a[1], b[1]) for a, b in itertools.pairwise(known)}
    falls = [step for step, sign in stats.signs(steps, paired=True).items() if sign < 0]
    if not falls:
        return ""
    low, high = max(falls, key=lambda step: steps[step][0].mean - steps[step][1].mean)
    before, after = steps[low, high]
    return render(
        text.FALL,
        lead=lead,
        symbol=SYMBOLS[curve.budget.axis],
        low=low,
        before=before,
        high=high,
        after=after,
    )


def _title_case(better: Sequence[float], worse: Sequence[float], budgets: Sequence[float]) -> str:
    """Return the case of the chart's title, from budgets with an improvement and with a loss."""
    if worse:
        return "both" if better else "hurt-all" if worse == budgets else "hurt"
    if not better:
        return "never"
    if better == budgets:
        return "all"
    is_to_end = len(better) > 1 and better == budgets[-len(better) :]
    return "from" if is_to_end else "some"


def order_sentences(signs: Mapping[tuple[str, str], int], classes: int | None = None) -> list[str]:
    """Return whether accuracies are in the order of the AdaMix paper, sentence by sentence.

    Args:
        signs: of neighbors in that order, 1 where the first is significantly more accurate.
        classes: number of classes of the data.
    """
    if not signs:
        return []
    values = list(signs.values())
    case = "differs" if min(values) < 0 else "agrees" if min(values) > 0 else "unclear"
    chain = " > ".join(dict.fromkeys(line_name(name) for pair in signs for name in pair))
    sentences = [render(text.ORDER[case], chain=chain)]
    for pair, sign in signs.items():
        one, other = map(line_name, pair)
        if sign < 0:
            sentences.append(render(text.ORDER["reversed"], better=other, worse=one))
        elif sign == 0:
            sentences.append(render(text.ORDER["tied"], one=one, other=other))
    return [*sentences, *few_classes(classes)]


def class_count(runs: Iterable[Sequence[Result]]) -> int | None:
    """Return the number of classes of the data of some runs; None without any."""
    return max((len(r.scores.per_class) for results in runs for r in results[:1]), default=None)


def few_classes(classes: int | None) -> list[str]:
    """Return a sentence where the data have fewer classes than the data of the paper."""
    premise = rules.premises()["few-images-many-classes"]
    minimum = next(
        condition.least for condition in premise.conditions if condition.measure == "classes"
    )
    few = classes is not None and 0 < classes < minimum
    return [render(text.FEW_CLASSES, classes=classes)] if few else []


def public_sentence(
    accuracies: Mapping[str, Interval], public: Interval | None, sign: int | None, precise: bool
) -> str:
    """Return the sentence on public images alone; "" where their accuracy is not known."""
    if public is None or not public.is_measured or not accuracies:
        return ""
    return text.PUBLIC[sign].fill(precise, public=public)


def private(accuracies: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return the accuracies of private methods only."""
    return {name: point for name, point in accuracies.items() if name not in LEVELS}
