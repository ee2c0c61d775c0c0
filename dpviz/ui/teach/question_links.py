"""The tab Question links: a link to a page with chosen controls and a question above it."""

from __future__ import annotations

import re
from base64 import b64encode
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import streamlit as st
from streamlit import config

from dpviz.formatting import plain
from dpviz.machine.request_guard import host_name
from dpviz.methods import METHODS
from dpviz.text import teach as text
from dpviz.text.template import render, render_text
from dpviz.ui.frame import page_parts, presentation
from dpviz.views import page_links
from dpviz.views.page_links import Question

#: Page that the form starts with.
FIRST_PAGE = "trade-off?ir=50&m=dppl-mean,dppl-public"
#: Host names that only this computer can open.
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def draw() -> None:
    """Draw the form and the link."""
    st.markdown(text.LINKS_INTRO)
    form, result = st.columns(2, gap="large")
    with form:
        link, only, question = _form()
    with result:
        if not re.match("https?://", link):
            page_parts.refusals([render_text(text.BAD_ADDRESS, address=link[:80])])
            return
        _result(page_links.question_link(link, only, question))


def _form() -> tuple[str, tuple[str, ...], Question]:
    """Draw the form; return the page's address, the visible controls, and the question."""
    link = st.text_input(
        text.ADDRESS, own_address() + FIRST_PAGE, max_chars=2000, help=text.ADDRESS_HELP
    ).strip()
    written = st.text_input(text.QUESTION, text.EXAMPLE, max_chars=page_links.MAX_TEXT_CHARS)
    typed = st.text_area(
        text.ANSWERS_TITLE,
        "",
        max_chars=900,
        height=100,
        help=render(text.ANSWERS_HELP, most=page_links.MAX_ANSWERS),
        placeholder=text.ANSWERS_EXAMPLE,
    )
    lines = dict.fromkeys(
        line.strip()[: page_links.MAX_ANSWER_CHARS] for line in typed.splitlines()
    )
    answers = tuple(line for line in lines if line)[: page_links.MAX_ANSWERS]
    right, then = text.NO_RIGHT, ""
    if answers:
        right = st.selectbox(text.RIGHT, [text.NO_RIGHT, *answers], key="right-answer")
        then = st.text_input(text.EXPLANATION, "", max_chars=page_links.MAX_TEXT_CHARS)
    covered = st.checkbox(text.COVERED, key="cover-page", help=text.COVERED_HELP)
    titles = text.CONTROLS | _method_controls(link)
    only = st.multiselect(
        text.ONLY,
        list(titles),
        ["budget"],
        format_func=titles.__getitem__,
        select_all=False,
        help=text.ONLY_HELP,
    )
    place = 1 + answers.index(right) if right in answers else 0
    question = Question(written.strip(), answers, place, then.strip(), covered)
    return link, tuple(only), question


def _result(link: str) -> None:
    """Draw the link, who can open it, its QR code, and the HTML that embeds it."""
    st.markdown(f"**{text.LINK}**")
    st.code(link, language=None, wrap_lines=True)
    host = urlsplit(link).hostname or ""
    if is_local(host):
        words = render(text.LOCAL, host=host)
        st.warning(f"{words} {text.LOCAL_SHARED}", icon=":material/phonelink_off:")
    else:
        st.caption(text.NETWORK)
        _qr_code(link)
    st.link_button(
        text.OPEN_PRESENTED, f"{link}&{presentation.NAME}=1", icon=":material/present_to_all:"
    )
    with st.expander(text.EMBED, key="embed"):
        st.code(page_links.frame_html(link), language="html", wrap_lines=True)
        st.caption(text.FRAMES)


def _qr_code(link: str) -> None:
    """Draw the link's QR code, if the link is short enough for a phone's camera."""
    from dpviz.classroom import joining  # pages without a code do not wait for this import

    if len(link) > joining.MAX_QR_CHARACTERS:
        return
    image = b64encode(joining.qr_code(link).encode()).decode()
    st.html(
        f'<img width="200" alt="{plain(text.QR)}" src="data:image/svg+xml;base64,{image}">',
    )


def own_address() -> str:
    """Return the dashboard's address, with the network's name for this computer where possible."""
    parts = urlsplit((st.context.url or "http://localhost:8501/").rpartition("/")[0] + "/")
    if is_local(parts.hostname or "") and not is_local(config.get_option("server.address") or ""):
        from dpviz.classroom import joining

        if addresses := joining.own_addresses():
            parts = parts._replace(netloc=f"{addresses[0]}:{parts.port or 80}")
    return urlunsplit(parts)


def is_local(host: str) -> bool:
    """Return whether only this computer can open a host."""
    return (host_name(host) if ":" not in host else host) in LOOPBACK


def _method_controls(link: str) -> dict[str, str]:
    """Return the settings of methods that an address contains, by key."""
    labels = {
        f"{method.key}.{param.name}": render_text(
            text.METHOD_CONTROL, method=method.title, control=param.label
        )
        for method in METHODS.values()
        for param in method.params
    }
    names = (key for key, _ in parse_qsl(link.partition("?")[2]))
    return {key: labels[key] for key in names if key in labels}
