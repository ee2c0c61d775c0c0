"""Two voices: the button beside the answer, remembered from page to page and in the link."""

from tests.kit import whole_app
from tests.kit.seen import opened

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
