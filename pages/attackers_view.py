"""Attacker's view: how far an attack by loss gets, and how far the guarantee lets any get."""

import streamlit as st

from dpviz.plots.attacks import ROC_SCALES
from dpviz.run.jobs import Job
from dpviz.ui.attackers_view import answer, controls, low_fpr_page, sections
from dpviz.ui.frame import about_numbers, detail_level, page_parts
from dpviz.ui.live import long_work, rerun_scheduling
from dpviz.ui.widgets import cards, charts, export
from dpviz.ui.widgets.choices import segments
from dpviz.views import attack_in_plain_words

KEY = "attackers-view"
view = controls.sidebar()

sentence = page_parts.question("What can an attacker tell?")
controls.attack()
status = st.empty()
if view.by != "loss":
    low_fpr_page.show(view, KEY, sentence, status)
    about_numbers.fold(view)
    page_parts.end()
with st.container(horizontal=True, vertical_alignment="bottom"):
    scale = segments("Axes", ROC_SCALES, "linear", "axes")
    st.caption(
        detail_level.at_level(answer.READS, attack_in_plain_words.HOW_TO_READ), width="stretch"
    )
picture = page_parts.picture()
with picture:
    cards.private_view()
main = charts.Slot(picture, KEY)
quiet_group = answer.quiet_group(view)


def draw(job: Job) -> None:
    """The chart as far as it goes."""
    main.plot(answer.roc(*answer.shown_attacks(job, view, quiet_group), view, scale))


groups = list(dict.fromkeys(view.now + quiet_group))
job = long_work.collect(KEY, groups, status, draw, work=answer.ATTACKS[view.design])
page_parts.refusals(job.errors.values())
attacks, quiet = answer.shown_attacks(job, view, quiet_group)
if not attacks:
    page_parts.end()
draw(job)
page_parts.answer(sentence, answer.answer(attacks, view, quiet), answer.plain(attacks, view, quiet))
rerun_scheduling.flush_page()
page_parts.caption(sections.explained(view))
st.caption(sections.origin(attacks + quiet))
answer.cards_row(attacks, view)

st.header("Against the budget")
attacks = sections.against_budget(view, attacks, KEY)
with st.expander("What this attack is, and what the bound says"):
    st.markdown(sections.TEXT)
if fold := export.fold("code"):
    with fold:
        sections.downloads(attacks + quiet, view, KEY)
page_parts.current_page().again = sections.snippet(view)
about_numbers.fold(view)
