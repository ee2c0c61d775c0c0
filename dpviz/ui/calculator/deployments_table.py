"""Tab of Calculator with real deployments, of which few are comparable with the guarantee."""

from __future__ import annotations

import streamlit as st

from dpviz.experiments import registry_file
from dpviz.privacy.calculator import Account
from dpviz.text import registry as text
from dpviz.text.template import render
from dpviz.ui.frame import page_parts, public_demo
from dpviz.ui.widgets import choices, export, uploader
from dpviz.views import comparable, deployments

KEY = "deployments"
#: Keys of the session: the upload, its entries, and why it was refused.
UPLOAD, ENTRIES, REFUSAL = "deployments-file", "deployments:entries", "deployments:refused"


def draw(account: Account) -> None:
    """Draw filters, table and upload of a registry file."""
    person = account.images > 1 or getattr(account.mechanism, "unit", "record") == "person"
    neighbors = comparable.adjacency_kind(account.guarantee.adjacency)
    own = deployments.Filters("person" if person else "record", neighbors, "central")
    top = st.container()
    listed = _uploaded() or deployments.DEPLOYMENTS
    with top:
        st.html(page_parts.finding_html(deployments.finding(listed, own)))
        filters = _filters()
        if kept := [each for each in listed if filters.accept(each)]:
            export.table(deployments.table(kept, own), KEY, text.TABLE_TITLE)
            st.caption(text.TABLE_CAPTION)
        else:
            st.info(text.NO_ROWS)


def _filters() -> deployments.Filters:
    chosen: dict[str, str | None] = {}
    for column, (name, kinds) in zip(st.columns(len(text.KINDS)), text.KINDS.items(), strict=True):
        with column:
            kind = choices.choice(
                *(
                    st.selectbox,
                    text.LABELS[name],
                    {text.ANY_KIND: text.ANY_KIND, **kinds},
                    text.ANY_KIND,
                ),
                key=f"r.{name}",
            )
        chosen[name] = None if kind == text.ANY_KIND else kind
    return deployments.Filters(**chosen)


def _uploaded() -> list[deployments.Deployment]:
    if public_demo.closed("uploads"):
        return []
    file = st.file_uploader(
        text.LABELS["file"],
        type=["yaml", "yml"],
        key=UPLOAD,
        on_change=_take,
        max_upload_size=1,
        help=render(text.FILE_HELP, most=registry_file.MAX_ENTRIES),
    )
    if file is None:
        return []
    page_parts.refusals(filter(None, [st.session_state.get(REFUSAL)]))
    return [deployments.registered(entry) for entry in st.session_state.get(ENTRIES, ())]


def _take() -> None:
    uploader.read(UPLOAD, registry_file.parse_upload, ENTRIES, REFUSAL)
