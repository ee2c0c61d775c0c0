"""Sentences on a published bug agree with its audits."""

import re

from dpviz.audits import published_bugs, trade_off_audit
from dpviz.text import break_it as text
from dpviz.views import break_it_page

FOUND = published_bugs.get("dp-ls")
LOOKS = trade_off_audit.INTERIM_COUNTS[:8]


def last(which):
    return list(FOUND.watch(which, looks=LOOKS))[-1]


def test_both_modes_state_caught_bug_and_passing_fix():
    wrong, mended = last("release"), last("mended")
    precise, plain = break_it_page.bug_verdict(FOUND, wrong, mended)
    shown, after = map(float, re.findall(r"ε ≥ \**(\d+\.?\d*)", precise))
    assert 1 < shown <= wrong.shown and after <= mended.shown + 1e-9
    assert precise.startswith("**Detected.**") and "δ = 1e-5" in precise.replace("\u00a0", " ")
    assert plain.startswith("**Detected.**") and plain.endswith("The fixed code passes.")
    misses, demanded = map(float, re.findall(r"([\d.]+)%", break_it_page.bug_test(FOUND, wrong)))
    assert misses < demanded and not break_it_page.bug_test(FOUND, mended)
    swapped = break_it_page.bug_verdict(FOUND, mended, wrong)[1]
    assert swapped.startswith("**Not detected**") and "the fixed code fails" in swapped


def test_narrow_audit_is_described_as_such():
    assert "one class at a time" in break_it_page.narrow_verdict(FOUND, last("narrow"))
    assert "**not detect**" in break_it_page.narrow_verdict(FOUND, last("narrow"))


def test_table_marks_bugs_not_audited_here():
    rows = break_it_page.bug_rows({FOUND.key: (last("release"), last("mended"))})
    told = [row[text.BUG_COLUMNS[-1]] for row in rows]
    assert (
        len(rows) == len(published_bugs.PUBLISHED_BUGS)
        and told.count(text.NOT_AUDITED) == len(rows) - 1
    )
    assert rows[0]["Project"] == published_bugs.get("dpviz").project
    assert all(row["Project"].startswith("[") for row in rows[1:])
