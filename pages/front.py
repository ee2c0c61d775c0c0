"""The front page: what privacy costs, in images."""

import streamlit as st

from dpviz.text import front as text
from dpviz.ui.assets import asset
from dpviz.ui.frame import detail_level, page_parts
from dpviz.ui.front import answer
from dpviz.ui.live import long_work
from dpviz.views import front_page

KEY = "front"
name = answer.pictures()

answer.style()
place = page_parts.question(text.TITLE)
place.markdown(front_page.intro(name))
page_parts.current_page().other_settings |= answer.LINK_NAMES

pictures = st.container()
answer.next_pages()  # before the work, which nobody has to wait for

noisy, quiet = groups = front_page.groups(name)
with pictures:
    job = long_work.collect(KEY, groups, st.empty())
    page_parts.refusals(job.errors.values())
    if job.complete:
        with st.spinner(text.FINDING):
            public_group = front_page.public_run(name)
            public = (
                long_work.late_results(f"{KEY}-public", (public_group,)) if public_group else []
            )
            runs = job.done[noisy], job.done[quiet][0]
            draws = answer.draws(KEY, name, runs[0])
            scene_data = answer.browser_data(
                name, *runs, detail_level.precise(), public[0] if public else None, draws
            )
        scene = st.components.v2.component(
            "dpviz.front",
            html=asset("front.html"),
            css=asset("own_slider.css") + asset("front.css"),
            js=asset("front.js"),
            isolate_styles=False,
        )
        scene(key=KEY, data=scene_data, on_pictures_change=lambda: answer.choose(KEY))
