"""Two voices: the button beside the answer, remembered from page to page and in the link."""

from dpviz.ui.frame import glossary_links
from tests.kit import whole_app
from tests.kit.seen import html, opened

APP = str(whole_app.ROOT / "app.py")


def toggle(at):
    return at.button(key="voice-toggle")


def linked(at):
    """What the address says of the voice."""
    said = at.query_params.get("voice")
    return said[0] if isinstance(said, list) else said


def test_the_voice_is_remembered_from_page_to_page_and_in_the_link():
    at = opened(APP, {}, "pages/sweeps.py")
    assert toggle(at).label == "In plain words" and linked(at) == "precise"
    for voice, label in ((None, "In precise words"), ("precise", "In plain words")):
        toggle(at).click().run()
        for page in ("data", "sweeps"):
            at.switch_page(f"pages/{page}.py").run()
            assert (toggle(at).label, linked(at)) == (label, voice)


def test_a_voice_that_is_none_is_told_and_the_plain_one_used():
    at = whole_app.opened("data", voice="<b>loud")
    assert any("**voice** cannot be" in note.value for note in at.info)
    assert toggle(at).label == "In precise words"


def test_every_term_below_an_answer_is_in_the_glossary():
    assert set(glossary_links.TERM.values()) <= set(glossary_links.MEANINGS)
    found = glossary_links.terms("At IR 50 and (1, 1e-5)-DP the minority is right with DPPL-Public")
    assert found == [
        "Imbalance ratio (IR)",
        "Differential privacy (DP)",
        "Minority",
        "DPPL-Public",
    ]
    assert glossary_links.terms("pictures are recognised 70 times in 100") == []


def test_other_terms_link_where_they_stand_each_once_on_a_page():
    linked = {"Minority"}
    said = glossary_links.in_caption(
        "Bands: of the minority, from noise seeds. Bands again.", linked
    )
    assert said == (
        "[Bands](./glossary?word=Band): of the minority, from"
        " [noise seeds](./glossary?word=Noise+seed). Bands again."
    )
    assert glossary_links.in_caption("Bands.", linked) == "Bands."
    assert "glossary?word=Neighbours" in glossary_links.on_card("neighbours", linked)
    assert glossary_links.on_card("neighbours", linked) == "neighbours"
    assert glossary_links.on_card("<b>", linked) == "&lt;b&gt;"
    named = {*glossary_links.IN_CAPTIONS.values(), *glossary_links.ON_CARDS.values()}
    assert named <= set(glossary_links.MEANINGS)


def test_terms_are_linked_below_the_answer_and_a_newcomer_is_offered_a_lesson():
    at = whole_app.opened("teachers_vote")
    assert "New here?" in html(at) and "glossary?word=Query" in html(at)
    at.session_state[glossary_links.FIRST_PAGE] = "another page"
    at.run()
    assert "New here?" not in html(at), "on the first page alone"
