"""The front door: page settings and navigation. Nothing is computed here."""

from typing import Any

import streamlit as st

from dpviz.ui.frame import lesson_strip, page_frame, teachers_view
from dpviz.ui.front import old_links, unknown_pages
from dpviz.ui.live import imports_ahead, page_turns, price_of_looking

st.set_page_config(
    page_title="dpviz: what privacy costs",
    page_icon="📉",
    layout="wide",
    initial_sidebar_state="collapsed" if st.context.is_embedded else "auto",
)


def page(name: str, title: str, icon: str, **more: Any) -> Any:
    """The page of ``pages/<name>.py``, under the address of its name."""
    more = {"url_path": name.replace("_", "-")} | more
    return st.Page(f"pages/{name}.py", title=title, icon=f":material/{icon}:", **more)


PAGES = {
    "": [
        page("front", "Start", "home", url_path=None, default=True),
    ],
    "Learn": [
        page("lessons", "Lessons", "school"),
        page("your_answer", "Your own answer", "casino"),
        page("questions", "Twelve questions", "quiz"),
        page("class", "Class, live", "cast_for_education"),
        page("class_results", "Your class", "groups_2"),
        page("papers", "Papers", "article"),
        page("glossary", "Glossary", "menu_book"),
    ],
    "Explore": [
        page("trade_off", "Trade-off", "show_chart"),
        page("public_prototypes", "Public prototypes", "image_search"),
        page("who_pays", "Who pays", "groups"),
        page("attackers_view", "Attacker's view", "policy"),
        page("break_it", "Break it", "link_off"),
        page("many_pictures", "One person, many pictures", "photo_library"),
    ],
    "Methods": [
        page("dp_means", "DP means", "blur_on"),
        page("teachers_vote", "Teachers vote", "how_to_vote"),
        page("mixed_privacy", "Mixed privacy", "join"),
    ],
    "Data": [
        page("data", "Data", "database"),
        page("neural_collapse", "Neural collapse", "change_history"),
    ],
    "Experiments": [
        page("maps", "Maps", "grid_view"),
        page("sweeps", "Sweeps", "grid_on"),
        page("tuning", "Tuning", "tune"),
    ],
}
ADDRESSES = {one.url_path: one.title for some in PAGES.values() for one in some if one.url_path}
with page_turns.turn():
    lost = unknown_pages.taken(ADDRESSES)
    # at the top, so that the sidebar begins with the controls; on a phone it is there, all in sight
    chosen = st.navigation(PAGES, position="top", expanded=True)
    if lost:
        unknown_pages.note(lost, ADDRESSES)
    else:
        old_links.follow(chosen)
    teachers_view.show()
    lesson_strip.strip()
    price_of_looking.leave()
    page_frame.run(chosen)
    page_turns.settle()
imports_ahead.first_page_is_complete()
