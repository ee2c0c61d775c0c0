"""Every use of Streamlit's private API.

``tests/ui/test_streamlit_internals.py`` fails where a version of Streamlit changes one of them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any

from google.protobuf.message import DecodeError
from streamlit.logger import _loggers as streamlit_loggers
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunContext, StopException, get_script_run_ctx
from streamlit.runtime.session_manager import SessionClient
from streamlit.runtime.uploaded_file_manager import DeletedFile
from streamlit.web.server.starlette import starlette_server

__all__ = ["DeletedFile", "StopException"]

TESTED_WITH = "1.67.0"
#: Messages of a browser that pages need, and the parts of the last one that pages need. The others
#: clear caches of all visitors, run git, or write files beside the app.
VISITORS_MESSAGES = ("rerun_script", "stop_script", "app_heartbeat", "backend_operation_request")
VISITORS_OPERATIONS = ("deferred_file", "dataframe_chunk")
#: Loggers that warn in a process without a browser.
NO_BROWSER_LOGGERS = (
    "streamlit.runtime.scriptrunner_utils.script_run_context",
    "streamlit.runtime.state.session_state_proxy",
)


def _context() -> ScriptRunContext:
    context = get_script_run_ctx()
    assert context is not None, "outside the run of a page"
    return context


def session_id() -> str:
    """Return the id of the session whose page runs; empty without one."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def is_server() -> bool:
    """Return whether pages are served to browsers; an ``AppTest`` has a stand-in."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime


# ------------------------------------------------------------------------------------------- pages


def leave_pages_to_the_script() -> None:
    """Disable the navigation that Streamlit makes of the folder ``pages`` before the first run."""
    PagesManager.uses_pages_directory = False


def requested_page() -> str:
    """Return the page name in the address; empty for the front page and within a session."""
    pages = _context().pages_manager
    return "" if pages.intended_page_script_hash else (pages.intended_page_name or "").strip("/")


def request_front_page() -> None:
    """Let ``st.navigation`` choose the front page."""
    _context().pages_manager.set_script_intent("", "")


# ------------------------------------------------------------------- controls bound to the address


def bound_controls(keys: Iterable[str]) -> set[str]:
    """Return those keys whose control was drawn in this run and is bound to the address."""
    context = _context()
    drawn = context.shared.widget_ids_this_run
    with context.session_state.query_params() as params:
        bindings = {key: params.get_binding_for_param(key) for key in keys}
    return {key for key, binding in bindings.items() if binding and binding.widget_id in drawn}


def reread_address() -> None:
    """Let bound controls start from the address as the script changed it."""
    with _context().session_state.query_params() as params:
        params.set_initial_query_params_from_current()


# ---------------------------------------------------------------------------------------- messages


def is_visitors_message(content: bytes) -> bool:
    """Return whether a message of a browser is one that pages need."""
    try:
        message = BackMsg.FromString(content)
    except DecodeError:
        return False
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in VISITORS_OPERATIONS
    return kind in VISITORS_MESSAGES


@contextmanager
def side_bar_last(seconds: float) -> Iterator[None]:
    """Send what a run draws in the side bar last, after ``seconds`` if the block is longer.

    A browser that shows the side bar of the last run draws the page sooner.
    """
    context = _context()
    send, lock, due = context._enqueue, threading.Lock(), threading.Event()
    held: list[ForwardMsg] | None = []

    def enqueue(message: ForwardMsg) -> None:
        with lock:
            if held is not None and message.metadata.delta_path[:1] == [RootContainer.SIDEBAR]:
                held.append(message)
                return
        send(message)

    def release() -> None:
        nonlocal held
        due.wait(seconds)
        with lock:
            for message in held or ():
                send(message)
            held = None

    # in a thread of its own, where sending does not end the run for the next one
    waiting = threading.Thread(target=release, daemon=True)
    context._enqueue = enqueue
    waiting.start()
    try:
        yield
    finally:
        due.set()
        waiting.join()
        context._enqueue = send


def limit_incoming_messages(max_bytes: int) -> None:
    """Close the connection of a longer message at its header; other limits stay."""
    starlette_server.get_max_message_size_bytes = lambda: max_bytes


# ---------------------------------------------------------------------------- files made on demand


def limit_deferred_files(per_session: int, in_all: int, refusal: str) -> None:
    """Refuse files on demand of a session, or of all, above so many that are being made."""
    make, running = DeferredFileHandler.handle, Counter[str]()

    async def handle(
        self: DeferredFileHandler, request: BackendOperationRequest, session_id: str
    ) -> BackendOperationResponse:
        for session in [session for session, count in running.items() if not count]:
            del running[session]
        if running[session_id] >= per_session or running.total() >= in_all:
            return BackendOperationResponse(request_id=request.request_id, error_msg=refusal)
        running[session_id] += 1
        # a closed session cancels the request, but not the thread that makes the file
        task = asyncio.ensure_future(make(self, request, session_id))
        task.add_done_callback(lambda _: running.subtract([session_id]))
        return await asyncio.shield(task)

    DeferredFileHandler.handle = handle  # type: ignore[method-assign]


# ---------------------------------------------------------------------------------------- sessions


def bind_sessions(cookie: str) -> None:
    """Let a session be joined only with the cookie with which it began."""
    connect = Runtime.connect_session

    def connect_bound(
        self: Runtime, client: SessionClient, user_info: dict[str, Any], **others: Any
    ) -> str:
        context = client.client_context
        owner = {cookie: context.cookies.get(cookie) if context else None}
        return connect(self, client=client, user_info=user_info | owner, **others)

    Runtime.connect_session = connect_bound  # type: ignore[method-assign, assignment]


def hide_installation() -> None:
    """Leave the path of the app, ids of the installation and Python's version out of messages."""
    create = AppSession._create_new_session_message

    def create_without(self: AppSession, *arguments: Any, **others: Any) -> ForwardMsg:
        message = create(self, *arguments, **others)
        new = message.new_session
        new.main_script_path = PurePath(new.main_script_path).name
        new.initialize.environment_info.python_version = ""
        for field in new.initialize.user_info.DESCRIPTOR.fields:
            new.initialize.user_info.ClearField(field.name)
        return message

    AppSession._create_new_session_message = create_without  # type: ignore[method-assign]


def loggers() -> list[logging.Logger]:
    """Return the loggers of Streamlit and of the HTTP server."""
    return list(streamlit_loggers.values())


# ----------------------------------------------------------------------------------------- uploads


def upload_sizes() -> dict[str, list[int]]:
    """Return the sizes in bytes of the files in memory, by session."""
    if not Runtime.exists():
        return {}
    sessions = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    return {
        session: [len(file.data) for file in list(files.values())]
        for session, files in list(sessions.items())
    }


def is_connected(session: str) -> bool:
    """Return whether a session has a connection."""
    return Runtime.instance().is_active_session(session)


def delete_uploads(session: str) -> None:
    """Delete the files of a session from memory."""
    Runtime.instance().uploaded_file_mgr.remove_session_files(session)
