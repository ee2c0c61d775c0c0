"""The dashboard's pages and navigation, and the ASGI application that serves them.

Streamlit imports this file once to find ``app``, then runs it as a script for each visitor.
"""

from typing import Any

import streamlit as st

from dpviz.ui.front import wrong_addresses


def page(name: str, title: str, icon: str, **options: Any) -> Any:
    """The page of ``pages/<name>.py``, under the address of its name."""
    options = {"url_path": name.replace("_", "-")} | options
    return st.Page(f"pages/{name}.py", title=title, icon=f":material/{icon}:", **options)


def dashboard() -> None:
    """Show the chosen page, with the navigation around it."""
    # imported here, so that the server starts before the pages' modules are loaded
    from dpviz.ui.frame import lesson_strip, link_notes, page_frame, teachers_view
    from dpviz.ui.live import imports_ahead, rerun_scheduling, session_cost

    st.set_page_config(
        page_title="dpviz: what privacy costs",
        page_icon="📉",
        layout="wide",
        initial_sidebar_state="collapsed" if st.context.is_embedded else "auto",
    )
    pages = {
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
    addresses = {
        entry.url_path: entry.title for group in pages.values() for entry in group if entry.url_path
    }
    with rerun_scheduling.turn():
        lost = wrong_addresses.unknown_address(addresses)
        # at the top, so that the sidebar begins with the controls
        chosen = st.navigation(pages, position="top", expanded=True)
        if lost:
            wrong_addresses.note(lost, addresses)
        else:
            wrong_addresses.follow(chosen)
        teachers_view.show()
        lesson_strip.strip()
        link_notes.draw_claim()
        session_cost.forget_fold()
        page_frame.run(chosen)
        rerun_scheduling.freeze_imports()
    imports_ahead.first_page_is_complete()


if __name__ == "__main__":
    dashboard()
else:
    from dpviz.ui.server import application

    app = st.App(__file__, middleware=application.middleware(), lifespan=application.lifespan)
