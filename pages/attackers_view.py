"""Attacks: how far attacks get, and how far the guarantee lets any attack get."""

import streamlit as st

from dpviz.text import attackers_view as text
from dpviz.ui.attackers_view import controls, loss_page, low_fpr_page
from dpviz.ui.attackers_view.places import Places
from dpviz.ui.frame import page_parts
from dpviz.ui.widgets import shared_controls
from dpviz.ui.widgets.late_place import LatePlace

KEY = "attackers-view"
view = controls.sidebar()
page_parts.current_page().view = view

answer, tiles = page_parts.OneAnswer(page_parts.question(text.TITLE)), LatePlace()
page_parts.await_tiles(tiles)
with st.container(horizontal=True, vertical_alignment="bottom", key="chart-head"):
    finding = LatePlace()
    with shared_controls.switches():
        controls.attack()
        form = controls.form(view)
places = Places(answer, tiles, finding, st.empty())
attack_page = loss_page if view.attack_key == "loss" else low_fpr_page
attack_page.show(view, KEY, form, places)
