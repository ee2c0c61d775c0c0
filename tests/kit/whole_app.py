"""A page with all that the app puts around it. AppTest runs a script in ``pages/`` by itself from
its second run on.
"""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.kit.seen import PRECISE

ROOT = Path(__file__).resolve().parents[2]
ADDRESSES = {p.stem: p.stem.replace("_", "-") for p in sorted((ROOT / "pages").glob("*.py"))}
SCRIPT = """
import streamlit as st
from dpviz.ui.frame import lesson_strip, page_frame, teachers_view
page = st.navigation([st.Page({path!r}, title={name!r}, default=True)])
teachers_view.show()
lesson_strip.strip()
page_frame.run(page)
"""


def opened(name: str, link=None, **more) -> AppTest:
    """The page ``pages/<name>.py`` as this link opens it, in the precise voice unless the link asks
    for another.
    """
    at = AppTest.from_string(
        SCRIPT.format(path=str(ROOT / "pages" / f"{name}.py"), name=name), default_timeout=120
    )
    for key, value in (PRECISE | dict(link or {}) | more).items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at
