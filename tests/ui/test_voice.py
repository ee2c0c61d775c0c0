"""Level of detail: the switch beside the title, the link, and links to lessons and glossary."""

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.frame import glossary_links, lesson_link, page_frame
from dpviz.views.lessons import LESSONS
from tests.kit import whole_app
from tests.kit.seen import html, opened

pytestmark = pytest.mark.shared_cache

APP = str(whole_app.ROOT / "app.py")


def toggle(at):
    return at.segmented_control(key="voice-toggle")


def linked(at):
    """What the address says of the voice."""
    said = at.query_params.get("voice")
    return said[0] if isinstance(said, list) else said


def test_plain_mode_is_remembered_across_pages_and_link():
    at = opened(APP, {}, "pages/sweeps.py")
    assert toggle(at).value == linked(at) == "precise"
    for level, in_link in (("plain", None), ("precise", "precise")):
        toggle(at).set_value(level).run()
        for page in ("data", "sweeps"):
            at.switch_page(f"pages/{page}.py").run()
            assert (toggle(at).value, linked(at)) == (level, in_link)


def test_unknown_mode_is_noted_and_plain_is_used():
    at = whole_app.opened("data", voice="<b>loud")
    assert any("**voice** cannot be" in note.value for note in at.info)
    assert toggle(at).value == "plain"


def test_every_linked_term_is_in_glossary():
    assert set(glossary_links.TERM.values()) <= set(glossary_links.MEANINGS)
    found = glossary_links.terms("At IR 50 and (1, 1e-5)-DP the minority is right with DPPL-Public")
    assert found == [
        "Imbalance ratio (IR)",
        "Differential privacy (DP)",
        "Rare classes",
        "DPPL-Public",
    ]
    assert glossary_links.terms("pictures are recognised 70 times in 100") == []


def test_caption_terms_are_linked_once_per_page():
    linked = {"Rare classes"}
    said = glossary_links.in_caption(
        "Bands: of the minority, from noise seeds. Bands again.", linked
    )
    assert said == (
        "[Bands](./glossary?word=Band): of the minority, from"
        " [noise seeds](./glossary?word=Noise+seed). Bands again."
    )
    assert glossary_links.in_caption("Bands.", linked) == "Bands."
    term = "neighboring data sets"
    assert "glossary?word=Neighboring+data+sets" in glossary_links.on_card(term, linked)
    assert glossary_links.on_card(term, linked) == term
    assert glossary_links.on_card("<b>", linked) == "&lt;b&gt;"
    named = {*glossary_links.IN_CAPTIONS.values(), *glossary_links.ON_CARDS.values()}
    assert named <= set(glossary_links.MEANINGS)


def test_about_tab_links_terms_of_answer():
    at = whole_app.opened("teachers_vote", look="about")
    assert "glossary?word=Query" in html(at)
    assert "glossary?word=Query" not in html(whole_app.opened("teachers_vote"))


def lesson(page):
    def draw(page):
        from dpviz.ui.frame import lesson_link

        lesson_link.draw(page)

    return html(AppTest.from_function(draw, args=(page,)).run())


def test_lesson_link_names_lesson_of_page():
    assert f'title="Lesson: {LESSONS["teachers"].title}"' in lesson("teachers-vote")
    assert 'href="./lessons"' in lesson("glossary") and lesson("lessons") == ""
    assert set(lesson_link.LESSON_OF.values()) <= set(LESSONS)


def test_undo_is_only_on_pages_with_settings():
    assert "undo" in [button.key for button in whole_app.opened("data").button]
    assert "undo" not in [button.key for button in whole_app.opened("lessons").button]
    assert set(whole_app.ADDRESSES.values()) >= page_frame.NO_UNDO_PAGES
