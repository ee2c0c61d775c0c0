"""Names of modules, functions and classes come from the field (STYLE: names in code)."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted([*ROOT.glob("dpviz/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py"])
#: Words that are no part of a name: metaphors, and words that the glossary replaced.
WORDS = set(
    "anew caged door heard holdings house leavings luck mended promise promised promises sitting"
    " stranger strangers told twin twins voice voices whoever wild".split()
)
#: Words that are no name by themselves: pronouns, adverbs, prepositions, participles.
LONE = set(
    "above after all alone any apart asked at before below beside both by changed counted drawn"
    " each every few found given heard held here how it kept known least less lost made many me"
    " mine more most moved named none now of off one others over said seen sent several shown some"
    " stated that then there they this told tried under what when where which who whose why within"
    " without written".split()
)
#: Names that keep such a word, with the reason.
ALLOWED = {
    "broken_promise": "name of the page's module, as its address has always been",
}


def words(name: str) -> list[str]:
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().strip("_").split("_")


def is_bad(name: str) -> bool:
    parts = words(name)
    return bool(WORDS & set(parts)) or (len(parts) == 1 and parts[0] in LONE)


def definitions(tree: ast.Module) -> list[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node.name for node in tree.body if isinstance(node, kinds)]


def test_names_follow_the_style_guide():
    named = {
        str(path.relative_to(ROOT)): [path.stem, *definitions(ast.parse(path.read_text("utf-8")))]
        for path in FILES
    }
    bad = [
        f"{path}: {name}"
        for path, names in named.items()
        for name in names
        if is_bad(name) and name not in ALLOWED
    ]
    assert not bad


@pytest.mark.parametrize("name", ["told", "_of", "twin_of", "Told", "caged_run", "promiseTable"])
def test_bad_names_are_detected(name):
    assert is_bad(name)


@pytest.mark.parametrize("name", ["result", "_interval_text", "line_style", "FaultyVariant"])
def test_good_names_pass(name):
    assert not is_bad(name)
