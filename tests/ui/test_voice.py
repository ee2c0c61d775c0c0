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


def test_plain_mode_is_remembered_across_pages_and_link():
    at = opened(APP, {}, "pages/sweeps.py")
    assert toggle(at).label == "Plain" and linked(at) == "precise"
    for voice, label in ((None, "Precise"), ("precise", "Plain")):
        toggle(at).click().run()
        for page in ("data", "sweeps"):
            at.switch_page(f"pages/{page}.py").run()
            assert (toggle(at).label, linked(at)) == (label, voice)


def test_unknown_mode_is_noted_and_plain_is_used():
    at = whole_app.opened("data", voice="<b>loud")
    assert any("**voice** cannot be" in note.value for note in at.info)
    assert toggle(at).label == "Precise"


def test_every_linked_term_is_in_glossary():
    assert set(glossary_links.TERM.values()) <= set(glossary_links.MEANINGS)
    found = glossary_links.terms("At IR 50 and (1, 1e-5)-DP the minority is right with DPPL-Public")
    assert found == [
        "Imbalance ratio (IR)",
        "Differential privacy (DP)",
        "Minority",
        "DPPL-Public",
    ]
    assert glossary_links.terms("pictures are recognised 70 times in 100") == []


def test_caption_terms_are_linked_once_per_page():
    linked = {"Minority"}
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


def test_answer_links_terms_and_newcomer_gets_lesson():
    at = whole_app.opened("teachers_vote")
    assert "New here?" in html(at) and "glossary?word=Query" in html(at)
    at.session_state[glossary_links.FIRST_PAGE] = "another page"
    at.run()
    assert "New here?" not in html(at), "on the first page alone"
