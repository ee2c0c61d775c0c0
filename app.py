"""The front door: page settings and navigation. Nothing is computed here."""

import streamlit as st

from dpviz.ui.frame import lesson_strip, page_frame
from dpviz.ui.live import page_turns, price_of_looking

st.set_page_config(page_title="dpviz: what privacy costs", page_icon="📉", layout="wide")
TRADE_OFF = {"page": "pages/trade_off.py", "title": "Trade-off", "icon": ":material/show_chart:"}
PAGES = {
    "": [
        st.Page(**TRADE_OFF, default=True),
        # a default page has no address but the root; this one makes /trade-off work as well
        st.Page(**TRADE_OFF, url_path="trade-off", visibility="hidden"),
    ],
    "Methods": [
        st.Page(
            "pages/dp_means.py", title="DP means", url_path="dp-means", icon=":material/blur_on:"
        ),
        st.Page(
            "pages/public_prototypes.py",
            title="Public prototypes",
            url_path="public-prototypes",
            icon=":material/image_search:",
        ),
        st.Page(
            "pages/teachers_vote.py",
            title="Teachers vote",
            url_path="teachers-vote",
            icon=":material/how_to_vote:",
        ),
        st.Page(
            "pages/mixed_privacy.py",
            title="Mixed privacy",
            url_path="mixed-privacy",
            icon=":material/join:",
        ),
    ],
    "Records": [
        st.Page(
            "pages/who_pays.py", title="Who pays", url_path="who-pays", icon=":material/groups:"
        ),
        st.Page(
            "pages/attackers_view.py",
            title="Attacker's view",
            url_path="attackers-view",
            icon=":material/policy:",
        ),
    ],
    "Data and features": [
        st.Page("pages/data.py", title="Data", url_path="data", icon=":material/database:"),
        st.Page(
            "pages/neural_collapse.py",
            title="Neural collapse",
            url_path="neural-collapse",
            icon=":material/change_history:",
        ),
    ],
    "Experiments": [
        st.Page("pages/sweeps.py", title="Sweeps", url_path="sweeps", icon=":material/grid_on:"),
        st.Page("pages/tuning.py", title="Tuning", url_path="tuning", icon=":material/tune:"),
    ],
    "Learn": [
        st.Page("pages/lessons.py", title="Lessons", url_path="lessons", icon=":material/school:"),
        st.Page(
            "pages/glossary.py", title="Glossary", url_path="glossary", icon=":material/menu_book:"
        ),
    ],
}
with page_turns.turn():
    # at the top, so that the sidebar begins with the controls
    page = st.navigation(PAGES, position="top")
    lesson_strip.strip()
    price_of_looking.leave()
    page_frame.run(page)
    page_turns.settle()
