"""Papers: the claims of five papers, their outcomes here, and their live views."""

import streamlit as st

from dpviz import papers
from dpviz.papers import listed as listed_claims
from dpviz.papers import verdicts
from dpviz.text import papers as text
from dpviz.text.template import render
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.papers import answer, controls
from dpviz.ui.widgets import choices, export
from dpviz.views import papers_page

claims = papers.claims()
stored_verdicts, made_with = verdicts.stored()


place = page_parts.question(text.TITLE)
tiles = st.empty()
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = st.empty()
    grounds = controls.ground_choice() if stored_verdicts else ()
facts = claims, stored_verdicts, grounds
page_parts.answer(place, *(papers_page.answer(*facts, precise) for precise in (True, False)))
data, theory = papers_page.on_data(*facts), papers_page.in_theory(claims, stored_verdicts)
page_parts.tiles(papers_page.tiles(*facts), tiles)
with page_parts.picture():
    if data.done:
        answer.chart(*facts, data, place=finding)
    elif theory.done:
        answer.chart(*facts, theory, is_theory=True, place=finding)
if detail_level.precise():
    st.caption(papers_page.encoders_text(*facts))

match choices.tabs(text.TABS, old={"table": "table"}):
    case "claims":
        chosen = controls.filter_controls(grounds)
        listed = chosen.listed(claims, stored_verdicts)
        live = len(listed_claims.live(listed))
        st.caption(render(text.LIVE, live=live, claims=len(listed)))
        if not listed:
            st.info(text.NO_MATCH)
        answer.show(listed, *facts, bool(chosen.words))
    case "stars":
        answer.stars(claims, stored_verdicts)
    case "theory" if theory.done and data.done:
        answer.chart(*facts, theory, is_theory=True)
    case "rules":
        answer.rules(data.unmet)
        st.caption(papers_page.origin(stored_verdicts, made_with.get("dpviz", "")))
    case "table" if stored_verdicts:
        chosen = controls.filter_controls(grounds)
        answer.tables(chosen.listed(claims, stored_verdicts), *facts)
        paper = None if chosen.paper == controls.ALL_VALUES else chosen.paper
        export.code(papers_page.command(paper, grounds))
        page_parts.draw_glossary_line()
