"""What a page tested without a browser shows."""

import json
import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

PRECISE = {"voice": "precise"}
"""Where a link is read in the precise voice, which tells every number."""


def opened(
    file: str, link: dict[str, str], page: str | None = None, patience: float = 60
) -> AppTest:
    """``file`` run with a link, in the precise voice unless the link asks for another; with
    ``page``, the page that the app switches to; ``patience`` in seconds.
    """
    at = AppTest.from_file(file, default_timeout=patience)
    if page:
        at.switch_page(page)
    for name, value in (PRECISE | link).items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at


def markdown(at: AppTest) -> str:
    """All texts."""
    return "\n".join(m.value for m in at.markdown).replace("\u00a0", " ")


def sentence(at: AppTest, begins: str = "At ") -> str:
    """The answer above the chart, from these words on: public data alone may come before."""
    return _answer(at, begins).replace("\u00a0", " ")


def answer(at: AppTest) -> str:
    """The answer to the letter, unbroken spaces and all."""
    return _answer(at, "At ")


def _answer(at: AppTest, begins: str) -> str:
    """The first text that begins with these words, or has a sentence that does."""
    found = (re.search(rf"(?:^|(?<=\. )){re.escape(begins)}", m.value) for m in at.markdown)
    return next(one.string[one.start() :] for one in found if one)


def captions(at: AppTest) -> str:
    """All captions."""
    return " ".join(caption.value for caption in at.caption)


def html(at: AppTest) -> str:
    """All HTML."""
    return " ".join(h.proto.body for h in at.get("html"))


def charts(at: AppTest) -> list[dict]:
    """All Plotly charts, in order."""
    return [json.loads(c.proto.spec) for c in at.get("plotly_chart")]


APP = str(Path(__file__).resolve().parents[2] / "app.py")


def page(own, **link):
    at = AppTest.from_file(APP, default_timeout=60)
    for name, value in (PRECISE | {"data": own, "ir": "10"} | link).items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    return at
