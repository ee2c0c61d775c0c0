"""Papers: what the five papers claim, where each is live, and what came of trying it."""

import streamlit as st

from dpviz import papers
from dpviz.papers import verdicts
from dpviz.plots import claims_by_paper
from dpviz.ui.frame import page_parts
from dpviz.ui.papers import answer, controls
from dpviz.ui.widgets import charts, export
from dpviz.views import papers_page

KEY = "papers"
claims = papers.claims()
found, made_with = verdicts.stored()

place = page_parts.question("Does what the papers say hold here?")
grounds = controls.ground_choice() if found else ()
told = claims, found, grounds
kinds = papers_page.kinds(grounds)
charts_by_kind = {
    kind: claims_by_paper.info(papers_page.by_paper(claims, found, some))
    for kind, some in kinds.items()
}
with page_parts.picture():
    answer.stars(claims, found)
    if found:
        for kind, chart in charts_by_kind.items():
            st.markdown(f"**{kind}**")
            charts.plot(claims_by_paper, chart, f"{KEY}-{kind.split()[0].lower()}")
page_parts.answer(place, papers_page.precise(*told), papers_page.plain(*told))
answer.rules()
st.caption(papers_page.origin(found, made_with.get("dpviz", "")))

st.header("Claim by claim")
chosen = controls.filter_controls(grounds)
listed = [claim for claim in claims if chosen.lists(claim, found)]
if not listed:
    st.info("No claim goes with these choices; choose another paper or verdict, or fewer words.")
answer.show(listed, found, grounds)
if found and (fold := export.fold()):
    with fold:
        export.table(papers_page.table(listed, found, grounds), KEY, "The list above")
        for kind, chart in charts_by_kind.items():
            name = f"{KEY}-{kind.split()[0].lower()}-counts"
            export.table(claims_by_paper.table(chart), name, f"{kind}: outcomes by paper")
        of = None if chosen.paper == controls.ALL else chosen.paper
        st.code(papers_page.command(of, grounds), language="bash", wrap_lines=True)
