"""Papers: what the five papers claim, where each is live, and what came of trying it."""

import streamlit as st

from dpviz import papers
from dpviz.papers import verdicts
from dpviz.plots.papers import ClaimCounts
from dpviz.ui.frame import page_parts
from dpviz.ui.papers import answer, controls
from dpviz.ui.widgets import charts, export
from dpviz.views import papers_page

KEY = "papers"
claims = papers.claims()
stored_verdicts, made_with = verdicts.stored()

place = page_parts.question("Does what the papers say hold here?")
grounds = controls.ground_choice() if stored_verdicts else ()
facts = claims, stored_verdicts, grounds
kinds = papers_page.kinds(grounds)
charts_by_kind = {
    kind: ClaimCounts.from_counts(papers_page.by_paper(claims, stored_verdicts, kind_grounds))
    for kind, kind_grounds in kinds.items()
}
with page_parts.picture():
    answer.stars(claims, stored_verdicts)
    if stored_verdicts:
        for kind, chart in charts_by_kind.items():
            st.markdown(f"**{kind}**")
            charts.plot(chart, f"{KEY}-{kind.split()[0].lower()}")
page_parts.answer(place, papers_page.precise(*facts), papers_page.plain(*facts))
answer.rules()
st.caption(papers_page.origin(stored_verdicts, made_with.get("dpviz", "")))

st.header("Claim by claim")
chosen = controls.filter_controls(grounds)
listed = [claim for claim in claims if chosen.lists(claim, stored_verdicts)]
if not listed:
    st.info("No claim goes with these choices; choose another paper or verdict, or fewer words.")
answer.show(listed, stored_verdicts, grounds)
if stored_verdicts and (fold := export.fold()):
    with fold:
        export.table(papers_page.table(listed, stored_verdicts, grounds), KEY, "The list above")
        for kind, chart in charts_by_kind.items():
            name = f"{KEY}-{kind.split()[0].lower()}-counts"
            export.table(chart.table(), name, f"{kind}: outcomes by paper")
        paper = None if chosen.paper == controls.ALL_VALUES else chosen.paper
        st.code(papers_page.command(paper, grounds), language="bash", wrap_lines=True)
