"""A teacher's own view: controls that stay, a question with answers, the page covered before."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

from streamlit.testing.v1 import AppTest

from dpviz.methods import METHODS
from dpviz.views import page_links
from dpviz.views.page_links import Question
from tests.kit.whole_app import opened

APP = str(Path(__file__).resolve().parents[2] / "app.py")
HALF = Question("Why <b>?", ("Noise & luck", "Few pictures"), 2, "Count them.", True)


class Link(dict):
    """An address as pages read it."""

    def get_all(self, key):
        return self.get(key, [])


def read(link):
    words = Link()
    for key, value in parse_qsl(urlsplit(link).query):
        words.setdefault(key, []).append(value)
    return page_links.read_question(words)


def test_link_carries_question_and_keeps_view():
    link = page_links.question_link(
        "http://localhost:8501/dp-means?ir=50&ask=old&only=m&answer=old", ("budget", "ir"), HALF
    )
    assert link.startswith("http://localhost:8501/dp-means?ir=50&only=budget,ir&ask=Why+%3Cb")
    assert "old" not in link and read(link) == HALF
    assert page_links.question_link("http://h/", (), Question("")) == "http://h/?"
    assert '&amp;embed=true"' in page_links.frame_html(link)


def test_oversized_or_out_of_range_values_are_dropped():
    many = "&".join(f"answer={n}{'x' * 500}" for n in range(9))
    question = read(f"http://h/?ask={'a' * 999}&right=9&cover=1&then={'b' * 999}&{many}")
    assert (len(question.text), len(question.answers), question.right) == (300, 6, 0)
    assert all(len(answer) == 120 for answer in question.answers) and len(question.then) == 300
    assert read("http://h/?cover=1&right=1") == Question("")


def test_reply_states_correctness_and_escapes_link_text():
    assert page_links.reply(HALF, 2) == "**Right.** Count them\\."
    assert page_links.reply(HALF, 1).startswith("**Not quite.** Right answer: “Few pictures”.")
    assert "Compare it" in page_links.reply(Question("?", ("*a*", "b")), 1)
    assert "*a*" not in page_links.reply(Question("?", ("*a*", "b")), 1)


def styles(at):
    return " ".join(h.proto.body for h in at.get("html") if "display: none" in h.proto.body)


def test_page_is_covered_until_answer_is_chosen():
    at = opened(
        *("glossary", {"ask": "Why?", "answer": ["Noise", "Luck"], "right": "1", "cover": "1"}),
        only="budget,dppl-mean.clip",
    )
    assert ".st-key-budget" in styles(at) and ".st-key-dppl-mean-clip" in styles(at)
    assert "st-key-teacher" in styles(at) and at.radio[0].value is None
    at.radio[0].set_value(2).run()
    assert "st-key-teacher" not in styles(at)
    assert any(m.value == "**Not quite.** Right answer: “Noise”." for m in at.markdown)


def test_question_without_answers_is_uncovered_by_button():
    at = opened("glossary", ask="Why?", cover="1")
    assert "st-key-teacher" in styles(at)
    next(b for b in at.button if b.label.startswith("I have made my prediction")).click().run()
    assert "st-key-teacher" not in styles(at)
    assert "st-key-teacher" not in styles(opened("glossary", only="", ask="Why?"))


def link_form(monkeypatch, served_on, addresses):
    """The form on a server bound to an address, on a machine with some network addresses."""
    monkeypatch.setattr("dpviz.classroom.joining.own_addresses", lambda: addresses)
    bound = SimpleNamespace(get_option=lambda name: served_on)
    monkeypatch.setattr("dpviz.ui.teach.question_links.config", bound)
    at = AppTest.from_file(APP, default_timeout=60).switch_page("pages/class.py")
    at.query_params["teach"] = "links"
    return at.run()


def test_form_creates_the_link(monkeypatch):
    at = link_form(monkeypatch, "localhost", ("192.0.2.7",))
    assert not at.exception and "only=budget" in at.code[0].value
    assert "localhost" in at.warning[0].value, "phones cannot open this link"
    at.text_input[0].set_value("http://h/?m=noisy-gd&noisy-gd.clip=0.1&x.y=1").run()
    clip = next(p.label for p in METHODS["noisy-gd"].params if p.name == "clip")
    assert at.multiselect[0].options[-1] == f"Private linear probe: {clip}"
    at.multiselect[0].set_value(["noisy-gd.clip"])
    at.text_area[0].set_value("Yes\n\n No \nYes").run()
    at.checkbox(key="cover-page").set_value(True).run()
    at.selectbox(key="right-answer").set_value("No").run()
    made = read(at.code[0].value)
    assert (made.answers, made.right, made.covered) == (("Yes", "No"), 2, True)
    assert "only=noisy-gd.clip" in at.code[0].value and "<iframe" in at.code[1].value
    at.text_input[0].set_value("localhost:8501").run()
    assert not at.exception and not at.code and "must start with http" in at.error[0].value


def test_link_has_the_network_address_where_the_server_uses_the_network(monkeypatch):
    at = link_form(monkeypatch, "0.0.0.0", ("192.0.2.7",))
    assert at.code[0].value.startswith("http://192.0.2.7:8501/") and not at.warning
    at = link_form(monkeypatch, "0.0.0.0", ())
    assert at.code[0].value.startswith("http://localhost:8501/") and at.warning
