"""Files that stand alone, opened from the disk with the network off, where nothing may complain."""

from contextlib import contextmanager

from tests.kit.browser import DESK


@contextmanager
def opened(browser, path, query="", **settings):
    """A tab with the file; whatever it asks of a network, or complains of, is an error."""
    context = browser.new_context(**DESK | settings)
    context.set_offline(True)
    tab, complaints = context.new_page(), []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    tab.on(
        "request",
        lambda r: complaints.append(r.url) if not r.url.startswith(("file:", "data:")) else None,
    )
    try:
        tab.goto(f"{path.as_uri()}{query}")
        yield tab
        assert not complaints
    except Exception as error:
        error.add_note(f"complaints: {complaints}")
        raise
    finally:
        context.close()


def fits(tab):
    """Nothing is wider than the window."""
    return tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
