"""The dashboard's pages and navigation, and the ASGI application that serves them.

Streamlit imports this file once to find ``app``, then runs it as a script for each visitor.
"""

import streamlit as st

from dpviz.ui.front import wrong_addresses


def dashboard() -> None:
    """Show the chosen page, with the navigation around it."""
    # imported here, so that the server starts before the pages' modules are loaded
    from dpviz.ui.assets import asset
    from dpviz.ui.frame import lesson_strip, link_notes, navigation, page_frame, teachers_view
    from dpviz.ui.live import imports_ahead, rerun_scheduling, session_cost

    st.set_page_config(
        page_title="dpviz: what privacy costs",
        page_icon="📉",
        layout="wide",
        initial_sidebar_state="collapsed" if st.context.is_embedded else "auto",
    )
    st.logo(asset("logo.svg"), size="large")
    pages = navigation.pages()
    addresses = {page.url_path: page.title for page in pages.values() if page.url_path}
    with rerun_scheduling.turn():
        lost = wrong_addresses.unknown_address(addresses)
        # at the top, so that the sidebar begins with the controls
        chosen = st.navigation(list(pages.values()), position="top", expanded=True)
        if lost:
            wrong_addresses.note(lost, addresses)
        else:
            wrong_addresses.follow(chosen)
        navigation.draw_tabs(chosen, pages)
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
