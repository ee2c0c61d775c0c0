"""What the documents say of the code: limits, links, sizes."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import _measured
from dpviz.data import limits as data_limits
from dpviz.papers import verdicts

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LIMIT = re.compile(
    r"^\| [^|]+ \| (?P<most>\d+)[^|]* \| `(?P<module>[\w.]+)\.(?P<name>\w+)` \|$", re.M
)


def limits() -> list[tuple[str, str, int]]:
    text = (ROOT / "docs" / "reference" / "limits.md").read_text()
    return [(m["module"], m["name"], int(m["most"])) for m in LIMIT.finditer(text)]


def test_documented_limits_match_the_code():
    assert len(limits()) > 10
    wrong = [row for row in limits() if getattr(import_module(row[0]), row[1]) != row[2]]
    assert not wrong
    bounds = {name for name in vars(data_limits) if name.isupper()}
    assert bounds == {name for module, name, _ in limits() if module == data_limits.__name__}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_project_link_resolves(path):
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", path.read_text())
    assert not [t for t in targets if not (path.parent / t).exists()]


def test_readme_is_short():
    assert len((ROOT / "README.md").read_bytes()) <= 12_000


def test_measured_page_opens_with_its_findings():
    for path in (ROOT / "docs" / "measured").glob("*.md"):
        body = [line for line in path.read_text().splitlines()[1:] if line and line[:4] != "<!--"]
        assert body[0].startswith("**"), path
        if "<!-- begin -->" in path.read_text():
            table = path.read_text().split("<!-- begin -->")[1].split("<!-- end -->")[0]
            table = table.strip().partition("\n\n")[2]
            assert _measured.found(table) in body[:3]  # after a premise of two lines at most


@pytest.mark.parametrize("page", ["README.md", "docs/measured/mixed-privacy.md"])
def test_mixed_privacy_headline_matches_stored_verdict(page):
    because = verdicts.stored()[0]["mixed-abstract", "omniglot-60"].because
    for name in ("AdaMix", "Fully-Private"):
        above = sorted(map(int, re.findall(rf"{name} at ε \d (\d+)%", because)))
        assert f"{above[0]}–{above[-1]}" in (ROOT / page).read_text()


def test_cells_without_answer_are_not_counted():
    table = "| A | **holds**; 1 | – |\n| B | nothing to restore; 1 | **does not hold**: C; 2 |\n"
    assert _measured.found(table) == (
        "**Of 2 cells that can answer, 1 show what the paper says. Somewhere it does not: B.**"
    )


def test_findings_are_counted():
    claims = "- A beats B (Table 1): **holds here** (x)\n- C: **does not hold here**\n"
    assert _measured.found(claims) == (
        "**Of 2 claims tested, 1 holds here and 1 does not hold here. What does not: C.**"
    )
    audits = (
        "| claimed ε | faulty variant |\n| `m` k=1 | sum | half | n | 20 | 19 | 37 | 9 | yes |\n"
    )
    audits += "| `o` | sum | half | n | 3 | 3.5 | 4 | 9 | no |\n"
    assert _measured.found(audits).startswith("**1 of 2 audits stay below their claim, and 1 of 2")
