"""Cards: what each method promises, what it costs, who is hurt; and the badge of private views."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isnan
from statistics import fmean
from typing import Literal

import streamlit as st

from dpviz.data import DATASETS
from dpviz.formatting import (
    UNTESTED,
    large_delta,
    literal,
    number_up,
    percent,
    plain,
    points,
    ratio_reached,
    share,
)
from dpviz.methods import METHODS
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.kit.readout import brackets
from dpviz.plots.kit.style import line_style
from dpviz.stats import Interval, difference, over_classes
from dpviz.text import cards as text
from dpviz.text import controls
from dpviz.text.template import render, render_text
from dpviz.types import Guarantee, Result
from dpviz.ui.frame import detail_level, glossary_links, page_parts
from dpviz.views import public_only
from dpviz.views.equal_leakage import EqualLeakage
from dpviz.views.guarantee_in_words import gain, guess_subject, headline, rows_of
from dpviz.views.page_as_shown import Table

#: Marks where a private view begins, for files made of the page; not visible.
PRIVATE_MARK = '<i class="dp-private"></i>'
PRIVATE_BADGE = f":material/visibility_lock: {text.PRIVATE_VIEW}"
MINORITY_BADGE = f":material/visibility_lock: {text.PRIVATE_CLASS_SIZES}"
LARGE_EPSILON = 10
SMALL_PRINT = ("starts at", "defaults", "source")
"""Terms of a promise that a card folds."""


def private_view() -> None:
    """Mark the page as one that shows numbers from private data without noise.

    The badge stands beside the answer, once a page, and only where the data are not public.
    """
    page = page_parts.current_page()
    page.private, page.private_main = True, page.private_main or not (page.pictures or page.main)
    st.html(PRIVATE_MARK)
    _draw_badge(PRIVATE_BADGE)


def private_answer() -> None:
    """Mark the answer of the page as one that reads private data."""
    page = page_parts.current_page()
    page.private = page.private_main = True
    _draw_badge(PRIVATE_BADGE)


def score(metric: str) -> None:
    """Keep the chosen score of a page, and mark the page if the score is by the minority."""
    page = page_parts.current_page()
    page.metric = metric
    if metric == "minority":
        page.private = page.minority = True
        _draw_badge(MINORITY_BADGE)


def _draw_badge(words: str) -> None:
    page = page_parts.current_page()
    if page.badge in ("", PRIVATE_BADGE) and not _is_public():
        page.badge = words
        page_parts.badge(f"[:orange-badge[{words}]]({glossary_links.address('Private view')})")


def _is_public() -> bool:
    """Return whether the chosen data set is one that anyone may see."""
    return st.session_state.get("data") in DATASETS


@contextmanager
def titled(
    title: str, width: int | Literal["stretch"] = 300, key: str | None = None
) -> Iterator[None]:
    """A card, open for what stands below its title."""
    with st.container(border=True, width=width, key=key):
        st.html(f'<div class="dp-card-title">{plain(title)}</div>')
        yield


def row(name: str, min_width: int = 260) -> st.delta_generator.DeltaGenerator:
    """A row of cards, equally high and as wide as what stands above it.

    Args:
        name: no other row of the page has; min_width: width of a card in pixels, 260 or 400.
    """
    return st.container(horizontal=True, wrap=True, key=f"cards{min_width}-{name}")


def guarantees(at_now: Sequence[Result], titles: Mapping[str, str]) -> None:
    """A card for each private method: what it promises at this budget, in every notion, and to
    whom.
    """
    guarantees_by_method = {
        r.spec.method: (r.guarantee, r.spec.budget.axis, r.protected)
        for r in at_now
        if r.spec.budget.private
    }
    guess_noted = draw_guess_note(
        [result.guarantee for result in at_now if result.spec.budget.private]
    )
    with row("guarantees"):
        for key in titles:
            if key in guarantees_by_method:
                with st.container(border=True, width=300, key=f"card-{key}"):
                    guarantee_card(
                        titles[key],
                        line_style(key).colour,
                        *guarantees_by_method[key],
                        guess_noted=guess_noted,
                    )
    ratio([result for result in at_now if result.spec.method in guarantees_by_method])


def ratio(results: Sequence[Result]) -> None:
    """The imbalance ratio reached in some results, as a private view."""
    if results:
        ratio_text = ratio_reached([result.ratio for result in results]).capitalize()
        note = controls.RATIO_REACHED["public" if _is_public() else "private"]
        st.caption(render(note, ratio=ratio_text))


def draw_guess_note(guarantees: Sequence[Guarantee]) -> bool:
    """Say above a row of cards what a guess is about, in the plain voice, where several promises
    leave the same open; whether that was said.
    """
    if (
        detail_level.precise()
        or len(guarantees) < 2
        or len(set(map(guess_subject, guarantees))) > 1
    ):
        return False
    differ = f" {text.GAINS_DIFFER}" if len(set(map(gain, guarantees))) > 1 else ""
    st.caption(literal(guess_subject(guarantees[0]) + differ))
    return True


def result_card(
    result: Result, title: str, key: str, colour: str = "", guess_noted: bool = False
) -> None:
    """The card of one result, for pages that show a method under several settings; ``colour`` where
    that is not the method's; ``guess_noted``: what ``told_above`` gave.
    """
    with st.container(border=True, width=300, key=f"card-{key}"):
        guarantee_card(
            title,
            colour or line_style(result.spec.method).colour,
            result.guarantee,
            result.spec.budget.axis,
            result.protected,
            guess_noted,
        )


def guarantee_card(
    title: str,
    colour: str,
    guarantee: Guarantee,
    axis: str = "approx",
    protected: int = 0,
    guess_noted: bool = False,
) -> None:
    """What a release promises, in every notion, and to whom; drawn into the card that is open.

    Args:
        protected: how many there are to whom it is, where that is at hand, to say when delta is
            above 1/n.
        guess_noted: whether what a guess is about stands above the card.
    """
    # one element: what a move costs goes by their number
    term = page_parts.term(title)
    name = f'<div class="dp-card-title" style="border-color:{colour}">{term}</div>'
    st.html(
        name
        + (
            _precisely(guarantee, axis)
            if detail_level.precise()
            else _plainly(guarantee, axis, guess_noted)
        )
    )
    page_parts.current_page().guarantees[title] = guarantee
    if guarantee.epsilon_delta > LARGE_EPSILON:
        st.caption(render(text.WEAK, limit=LARGE_EPSILON))
    if warning := large_delta(guarantee, protected):
        st.caption(f":material/visibility_lock: {warning}")


def _plainly(guarantee: Guarantee, axis: str, guess_noted: bool) -> str:
    """What an attacker could gain; the promise itself is a touch away."""
    guess = "" if guess_noted else f'<p class="dp-said">{plain(guess_subject(guarantee))}</p>'
    return (
        f'<p class="dp-headline">{plain(gain(guarantee))}</p>{guess}'
        f'<details class="dp-small"><summary>{text.PRECISE_FOLD}</summary><p class="dp-headline">'
        f"{plain(headline(guarantee))}</p>{definition(rows_of(guarantee, axis))}</details>"
    )


def _precisely(guarantee: Guarantee, axis: str) -> str:
    """The promise in its own notion and in others, and to whom it is."""
    rows = rows_of(guarantee, axis)
    visible, folded = (
        [row for row in rows if (row[0] in SMALL_PRINT) == small] for small in (0, 1)
    )
    return (
        f'<p class="dp-headline">{plain(headline(guarantee))}</p>{definition(visible)}'
        f'<details class="dp-small"><summary>Small print</summary>{definition(folded)}</details>'
    )


def definition(rows: Sequence[tuple[str, str]], linked: bool = True) -> str:
    """Rows of term and text as HTML, escaped; ``linked``: terms of the glossary link to it."""
    name = page_parts.term if linked else plain
    return (
        '<dl class="dp-rows">'
        + "".join(f"<dt>{name(a)}</dt><dd>{plain(b)}</dd>" for a, b in rows)
        + "</dl>"
    )


def cost(curve: BudgetCurve, budget: float, results: Sequence[Result]) -> None:
    """Draw each method's accuracy with and without noise, and its time."""
    points = curve.points_at(budget)
    with titled(text.COST_TITLE, 460):
        rows, seconds, is_precise = [], [], detail_level.precise()
        for line in curve.lines:
            if line.method in points:
                noiseless = curve.without_noise(line.method)
                quiet = (percent(noiseless) if noiseless else "not known",) if curve.quiet else ()
                seconds = [r.seconds for r in results if r.spec.method == line.method]
                time = (f"{sum(seconds):.2g} s",) if is_precise else ()
                rows.append((line.title, percent(points[line.method]), *quiet, *time))
        accuracy_head, quiet_head, time_head = text.COST_HEAD
        head = (accuracy_head, *((quiet_head,) if curve.quiet else ()))
        if is_precise:
            head = (*head, render_text(time_head, runs=len(seconds)))
        st.html(table(head, rows))


def minority_gap(at_now: Sequence[Result], titles: Mapping[str, str], names: Sequence[str]) -> None:
    """Draw the accuracy of the minority and of all other classes, a row per private method."""
    with titled(text.MINORITY_TITLE, 460):
        private_view()
        if content := gap_table(at_now, titles, names):
            _draw_table(text.MINORITY_TITLE, content)
            st.caption(content.note)
        else:
            st.markdown(text.EQUAL_CLASSES)


def gap_table(
    at_now: Sequence[Result], titles: Mapping[str, str], names: Sequence[str]
) -> Table | None:
    """Return accuracy of the minority and of the others by method; None for equal class sizes."""
    if not at_now or len(set(at_now[0].class_counts)) < 2:
        return None
    rows = []
    for key in titles:
        runs = [r for r in at_now if r.spec.method == key]
        if runs:
            small = fmean(r.scores.minority for r in runs)
            rest = fmean(_over_others(run) for run in runs)
            gap = rest - small
            words = UNTESTED if isnan(gap) else f"{100 * gap:.0f} points"
            rows.append((titles[key], share(small), share(rest), words))
    draws = {run.spec.draw for run in at_now}
    caption = minority(at_now[0].minority_classes, names)
    if len(draws) > 1:
        caption = render(text.MINORITY_DRAWS, draws=len(draws))
    return Table(text.MINORITY_HEAD, rows, caption, private=True)


def _over_others(run: Result) -> float:
    """Mean accuracy over the classes outside the minority; nan where none was tested."""
    others = [c for c in range(len(run.class_counts)) if c not in run.minority_classes]
    return over_classes([run], others)


def minority(classes: Sequence[int], names: Sequence[str]) -> str:
    """Return which classes the minority is, in Markdown."""
    return render(text.MINORITY_CAPTION, classes=[names[c] for c in classes])


def public_alone(private: Interval, public: Interval) -> None:
    """Accuracy of public data alone, and its difference from a private method."""
    with titled(public_only.TITLE):
        private_view()
        known = private.is_measured and public.is_measured
        apart = points(public.mean - private.mean, difference(private, public).half)
        apart = apart if known else UNTESTED
        rows = [("accuracy", percent(public)), ("difference", apart)]
        st.html(definition(rows))


def at_equal_leakage(equal: EqualLeakage) -> None:
    """Draw accuracy and guarantee of each private method at one best guess of an attacker."""
    content = equal_leakage_table(equal)
    with titled(text.EQUAL_LEAKAGE_TITLE, "stretch", "equal-leakage"):
        _draw_table(text.EQUAL_LEAKAGE_TITLE, content)
        st.caption(content.note)


def equal_leakage_table(equal: EqualLeakage) -> Table:
    """Return accuracy and guarantee of each private method at one best guess of an attacker."""
    order = sorted(equal.points, key=lambda key: -equal.points[key].mean)
    rows = [
        (
            METHODS[key].title,
            f"{percent(equal.points[key])} {brackets(equal.points[key])}".strip(),
            number_up(equal.guarantees[key].epsilon_delta),
            *([number_up(equal.guarantees[key].rho)] if detail_level.precise() else []),
        )
        for key in order
    ]
    delta = equal.guarantees[order[0]].delta
    titles = text.EQUAL_LEAKAGE_HEAD[: len(rows[0]) - 1]
    head = [render_text(cell, delta=delta) for cell in titles]
    caption = render(text.EQUAL_LEAKAGE_CAPTION, guess=equal.share)
    rho = text.EQUAL_LEAKAGE_RHO if detail_level.precise() else ""
    return Table(head, rows, f"{caption} {rho}".rstrip())


def keep_for_report(
    at_now: Sequence[Result],
    titles: Mapping[str, str],
    names: Sequence[str],
    equal: EqualLeakage | None = None,
) -> None:
    """Keep guarantees and tables for the report, whichever tab is open.

    Args:
        at_now: runs at the chosen budget; names: of the classes.
    """
    page = page_parts.current_page()
    page.guarantees |= {
        titles[r.spec.method]: r.guarantee
        for r in at_now
        if r.spec.budget.private and r.spec.method in titles
    }
    if content := gap_table(at_now, titles, names):
        page.tables[text.MINORITY_TITLE] = content
    if equal:
        page.tables[text.EQUAL_LEAKAGE_TITLE] = equal_leakage_table(equal)


def _draw_table(title: str, content: Table) -> None:
    """Draw the table of a card, and keep it for the report."""
    page_parts.current_page().tables[title] = content
    st.html(table(content.head, content.rows))


def columns(terms: Mapping[str, Mapping[str, str]]) -> str:
    """``table`` with a column of values by term for each title."""
    first_terms = next(iter(terms.values()))
    return table(
        list(terms), [(term, *(values[term] for values in terms.values())) for term in first_terms]
    )


#: Columns that a table has room for on a phone; a table with more has two values a line there.
MAX_PHONE_COLUMNS = 2


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in HTML, escaped; each row begins with its name, above which there is no head."""
    top = "<td></td>" + "".join(f"<th>{plain(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr><th>{plain(row[0])}</th>"
        + "".join(
            f'<td data-head="{plain(name)}">{plain(cell)}</td>'
            for name, cell in zip(head, row[1:], strict=True)
        )
        + "</tr>"
        for row in rows
    )
    size = " dp-many" if len(head) > MAX_PHONE_COLUMNS else ""
    inside = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<table class="dp-table{size}">{inside}</table>'


def wide_table(rows: Sequence[Mapping[str, str]]) -> str:
    """A table of words in HTML, escaped, with its columns' names above; on a phone a card a row,
    which begins with the first cell.
    """
    top = "".join(f"<th>{plain(name)}</th>" for name in rows[0])
    body = "".join(
        "<tr>"
        + "".join(f'<td data-head="{plain(k)}">{plain(cell)}</td>' for k, cell in row.items())
        + "</tr>"
        for row in rows
    )
    inside = f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody>"
    return f'<table class="dp-table dp-wide">{inside}</table>'
