"""What the documents say of the code: limits, links, sizes."""

import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import _measured, _speed_page
from dpviz import papers
from dpviz.data import limits as data_limits
from dpviz.experiments import sweep_files
from dpviz.papers import verdicts
from dpviz.privacy import budget_split
from dpviz.ui.explorable import spec
from tests.text.words import banned_words

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *PAGES]
each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
#: Pages that a command writes as a whole, or tables in them.
GENERATED = [*(DOCS / "papers").glob("*.md"), *(DOCS / "measured").glob("*.md")]
MAX_BYTES, MAX_GENERATED_BYTES, MAX_CELL, MAX_PICTURE_BYTES = 20_000, 120_000, 120, 150_000
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


def prose(text: str) -> str:
    """Return a page without blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", prose(path.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_document
def test_every_project_link_resolves(path):
    text = prose(path.read_text())
    targets = re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", text)
    targets += [(name, "") for name in re.findall(r'(?:src|srcset)="([^":]+)"', text)]
    for target, anchor in targets:
        file = path.parent / target if target else path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


@each_document
def test_cells_of_tables_fit_one_line(path):
    rows = [line for line in prose(path.read_text()).splitlines() if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in re.split(r"(?<!\\)\|", row)]
    visible = [re.sub(r"\]\([^)]*\)", "]", cell) for cell in cells]
    assert not [cell for cell in visible if len(cell) > MAX_CELL]


@each_page
def test_page_is_short(path):
    most = MAX_GENERATED_BYTES if path in GENERATED else MAX_BYTES
    assert path.stat().st_size <= most


@each_page
def test_page_has_a_picture_or_an_example(path):
    text = path.read_text()
    assert any(mark in text for mark in ("```", "![", "<picture>", "<details"))


@each_document
def test_page_uses_the_words_of_the_field(path):
    assert not banned_words(prose(path.read_text()))


@pytest.mark.parametrize("path", sorted((DOCS / "images").iterdir()), ids=lambda p: p.name)
def test_picture_is_small_and_used(path):
    assert path.stat().st_size <= MAX_PICTURE_BYTES
    assert any(path.name in document.read_text() for document in DOCUMENTS)


def test_navigation_names_every_page():
    built = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
    assert not [p for p in PAGES if str(p.relative_to(DOCS)) not in built]


@pytest.mark.slow
def test_site_builds_and_works_offline(tmp_path):
    pytest.importorskip("material", reason="`make docs` installs it")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-d", tmp_path / "site"],
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"},
    )
    for page in (tmp_path / "site").rglob("*.html"):
        loaded = re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', page.read_text()
        )
        assert not loaded, page
    index = (tmp_path / "site" / "search" / "search_index.js").read_text()
    assert "differential privacy" in index.lower()


def test_keys_of_sweeps_are_documented():
    table = (DOCS / "reference" / "toml.md").read_text()
    assert not [key for key in sweep_files.KEYS - {"methods"} if f"`{key}`" not in table]


def test_files_of_the_reference_are_read():
    page = (DOCS / "reference" / "toml.md").read_text()
    sweep, plan, file = re.findall(r"```toml\n(.*?)```", page, re.S)
    assert len(sweep_files.parse(sweep, "sweep.toml")) == 3 * 2 * 10 * 3
    assert [part.rho > 0 for part in budget_split.from_toml(plan).releases] == [True, True]
    assert spec.spec_of(tomllib.loads(file)).sliders["ir"] == ("1", "50")


def test_readme_is_short():
    text = (ROOT / "README.md").read_text()
    assert len(text.encode()) <= 6_000
    assert f"{len(papers.claims())} claims from [five papers]" in text


def test_measured_page_opens_with_its_findings():
    for path in set((DOCS / "measured").glob("*.md")) - {DOCS / "measured" / "index.md"}:
        body = [line for line in path.read_text().splitlines()[1:] if line and line[:4] != "<!--"]
        assert body[0].startswith("**"), path
        table = path.read_text().partition("<!-- begin -->")[2].partition("<!-- end -->")[0]
        if _measured.CLAIM.search(table):
            found = _measured.found(table.strip().partition("\n\n")[2])
            assert found in body[:3]  # after a premise of two lines at most


def test_audits_page_counts_the_rows_of_its_table():
    rows = pd.read_csv(DOCS / "measured" / "audits-1.csv")
    within = (rows["ε (lower bound)"] <= rows["claimed ε"]).sum()
    caught = (rows["faulty variant caught"] == "yes").sum()
    text = (DOCS / "measured" / "audits.md").read_text()
    assert f"**{within} of {len(rows)} audits stay below their claim, and {caught} of" in text


def test_speed_page_has_the_rows_of_its_table():
    rows = pd.read_csv(DOCS / "measured" / "speed.csv")
    text = (DOCS / "measured" / "speed.md").read_text()
    assert _speed_page.tables(rows) in text
    assert _speed_page.finding(rows.itertuples()) in text


def test_long_tables_become_files(tmp_path, monkeypatch):
    monkeypatch.setattr(_measured, "MEASURED", tmp_path)
    rows = "".join(f"| `m{i}` | {i} ± 1 |\n" for i in range(_measured.MAX_ROWS + 1))
    short = "| a |\n| --- |\n| 1 |\n"
    text = _measured.with_files("x", f"Text.\n\n{short}\n| name | value |\n| --- | --- |\n{rows}")
    assert short in text and "[13 rows, 2 columns](x-2.csv)" in text
    assert (tmp_path / "x-2.csv").read_text().startswith("name,value\nm0,0 ± 1\n")


@pytest.mark.parametrize("page", ["docs/measured/index.md", "docs/measured/mixed-privacy.md"])
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
