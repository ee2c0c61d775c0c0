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
#: Names that keep such a word because people's files, links or JSON have it.
ALLOWED = set(
    "ASKED BEFORE AFTER Answer.when Choice.then Choice.why ClassChoice.above ClassChoice.below"
    " ClassSimilarity.named Condition.least Condition.most Costs.one Curve.below Curve.beside"
    " Curve.then DrawnCurve.at DrawnCurve.over DrawnCurve.why Drawing.over Exposed.found Exposed.of"
    " FunctionAudit.own_twin FunctionAudit.twin InterimResult.shown Item.after Item.before"
    " Item.lost Judged.of MeasuredSensitivity.moved Number.least Number.most Number.then"
    " OneRunAudit.many Options.most Options.twin Outcome.then Pairs.after Pairs.before"
    " PartResult.shown Premise.any Private.then Question.then Race.then Rate.above Rate.most"
    " Reason.why Status.where Step.at".split()
)


def words(name: str) -> list[str]:
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().strip("_").split("_")


def is_bad(name: str) -> bool:
    parts = words(name)
    return name != "__all__" and (
        bool(WORDS & set(parts)) or (len(parts) == 1 and parts[0] in LONE)
    )


def targets(node: ast.stmt) -> list[str]:
    """Names that a statement assigns."""
    left = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
    parts = [part for target in left for part in getattr(target, "elts", [target])]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def definitions(tree: ast.Module) -> list[str]:
    """Functions, classes, constants; methods and fields with their class."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    names = []
    for node in tree.body:
        names += [node.name] if isinstance(node, kinds | ast.ClassDef) else targets(node)
    for owner in [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]:
        for node in owner.body:
            inner = [node.name] if isinstance(node, kinds) else targets(node)
            names += [f"{owner.name}.{name}" for name in inner]
    return names


def test_definitions_have_names_of_the_field():
    named = {
        str(path.relative_to(ROOT)): [path.stem, *definitions(ast.parse(path.read_text("utf-8")))]
        for path in FILES
    }
    bad = {
        name
        for names in named.values()
        for name in names
        if is_bad(name.rpartition(".")[2]) and name not in ALLOWED
    }
    assert not bad
    assert not set(ALLOWED) - {name for names in named.values() for name in names}


@pytest.mark.parametrize("name", ["told", "_of", "twin_of", "Told", "caged_run", "promiseTable"])
def test_bad_names_are_detected(name):
    assert is_bad(name)


@pytest.mark.parametrize("name", ["result", "_interval_text", "line_style", "FaultyVariant"])
def test_good_names_pass(name):
    assert not is_bad(name)
