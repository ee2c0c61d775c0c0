"""Published bugs: nothing is audited before it is selected; then both the bug and its fix."""

import pytest

from dpviz.audits import published_bugs
from dpviz.text import break_it as text
from tests.kit.seen import markdown
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow
QUICK = {"ir": "5", "n": "2", "of": "dppl-mean", "closer": "wild"}


def test_nothing_is_audited_before_selection():
    at = opened("break_it", QUICK)
    assert not at.exception and text.BUGS in markdown(at)
    assert "**Detected.**" not in markdown(at)
    (table,) = at.table
    assert list(table.value.iloc[:, -1]) == [text.NOT_AUDITED] * len(published_bugs.PUBLISHED_BUGS)


def test_selected_bug_and_fixed_version_are_audited():
    at = opened("break_it", QUICK | {"wild": "dp-ls"})
    found = published_bugs.get("dp-ls")
    assert not at.exception and found.address in markdown(at) and found.mistake in markdown(at)
    assert "**Detected.** With the bug, the audit shows ε ≥ **7.9" in markdown(at)
    assert "Fixed: ε ≥ " in markdown(at) and "**not detect**" in markdown(at)
    (table,) = at.table
    told = dict(zip(published_bugs.PUBLISHED_BUGS, table.value.iloc[:, -1], strict=True))
    assert told["dp-ls"].startswith("ε ≥ 7.9") and told["jax-example"] == (text.NOT_AUDITED)


def test_link_with_unknown_bug_is_harmless():
    at = opened("break_it", QUICK | {"wild": "no-such"})
    assert not at.exception
