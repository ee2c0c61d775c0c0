"""What is said of a mistake in the wild is what its audits show."""

import re

from dpviz.audit import published_bugs, trade_off_audit
from dpviz.views import break_it_page

FOUND = published_bugs.get("dp-ls")
LOOKS = trade_off_audit.INTERIM_COUNTS[:8]


def last(which):
    return list(FOUND.watch(which, looks=LOOKS))[-1]


def test_both_modes_state_caught_bug_and_passing_fix():
    wrong, mended = last("release"), last("mended")
    precise, plain = break_it_page.bug_verdict(FOUND, wrong, mended)
    shown, after = map(float, re.findall(r"at least ε = (\d+\.?\d*)", precise))
    assert 1 < shown <= wrong.shown and after <= mended.shown + 1e-9
    assert "**broken**" in precise and "**not broken**" in precise and "δ = 1e-5" in precise
    assert plain.startswith("**Caught.**") and plain.endswith("has nothing against them.")
    misses, alarms, allowed = map(float, re.findall(r"([\d.]+)(?: times| about the)", plain))
    assert misses < allowed and alarms < 1
    swapped = break_it_page.bug_verdict(FOUND, mended, wrong)[1]
    assert swapped.startswith("**Not caught**") and swapped.endswith("the mended lines too.")


def test_narrow_audit_is_described_as_such():
    assert "one class at a time" in break_it_page.narrow_verdict(FOUND, last("narrow"))
    assert "**not caught**" in break_it_page.narrow_verdict(FOUND, last("narrow"))


def test_table_marks_bugs_not_audited_here():
    rows = break_it_page.bug_rows({FOUND.key: (last("release"), last("mended"))})
    told = [row["our audit of it, made again"] for row in rows]
    assert (
        len(rows) == len(published_bugs.PUBLISHED_BUGS)
        and told.count(break_it_page.NOT_AUDITED) == len(rows) - 1
    )
    assert rows[0]["project"] == published_bugs.get("dpviz").project
    assert all(row["project"].startswith("[") for row in rows[1:])
