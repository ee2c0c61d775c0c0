"""Data files of lessons, questions, terms and claims: read, complete and installed."""

import tomllib
from pathlib import Path

import pytest

from dpviz import papers
from dpviz.content import TERMS, LazyDict, read
from dpviz.papers import check_table
from dpviz.papers.model import PAPERS
from dpviz.views.lessons import LESSONS, Reason
from dpviz.views.questions import QUESTIONS, QUIZ, Choice

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"dpviz.content": ROOT / "dpviz/content", "dpviz.papers": ROOT / "dpviz/papers"}
FILES = [
    (package, path.relative_to(folder).as_posix())
    for package, folder in FOLDERS.items()
    for path in sorted(folder.rglob("*.toml"))
]


def texts(value):
    """Every text of a table, at any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(("package", "name"), FILES, ids=[name for _, name in FILES])
def test_each_text_is_one_line_without_double_spaces(package, name):
    bad = [t for t in texts(read(name, package)) if t != t.strip() or "  " in t or "\n" in t]
    assert texts(read(name, package)) and not bad


def test_wheel_contains_every_data_file():
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    for package, folder in FOLDERS.items():
        patterns = setup["package-data"][package]
        shipped = {path for pattern in patterns for path in folder.glob(pattern)}
        assert shipped >= set(folder.rglob("*.toml"))


def test_lazy_dict_is_filled_once_at_first_use():
    fills = []
    lazy = LazyDict(lambda: fills.append(1) or {"a": 1})
    assert not fills
    lazy["b"] = 2
    assert dict(lazy) == {"a": 1, "b": 2} and fills == [1]


def test_every_lesson_file_is_listed():
    files = {path.stem for path in (ROOT / "dpviz/content/lessons").iterdir()}
    assert files == set(LESSONS) and all(key == one.key for key, one in LESSONS.items())


def test_correct_options_exist():
    asks = [step.ask for lesson in LESSONS.values() for step in lesson.steps]
    forms = [form for question in QUESTIONS.values() for form in (question.a, question.b)]
    choices = [one for one in (*asks, *forms, *QUIZ.values()) if isinstance(one, Reason | Choice)]
    assert all(0 <= one.right < len(one.options) for one in choices)
    assert all(len(form.options) == 4 for form in forms if isinstance(form, Choice))


def test_terms_are_pairs_of_texts():
    rows = [row for subject in TERMS.values() for row in subject]
    assert rows and all(name and definition for name, definition in rows)


def test_every_check_belongs_to_a_claim():
    assert set(check_table.CHECKS) <= {claim.key for claim in papers.claims()}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_shared_text_of_a_paper_is_used(paper):
    file = read(f"claims/{paper}.toml", "dpviz.papers")
    rows = file["claim"].values()
    named = " ".join(row.get(name, "") for row in rows for name in ("needs", "why_not"))
    assert all(f"{{{name}}}" in named for name in file["shared"])
