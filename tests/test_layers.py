"""Imports point one way, in no circle, with no module unplaced; and what only one place may do."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = [
    {"caches", "content", "lazy_imports"},
    {"types"},
    {"shares"},
    {"stats"},
    {"formatting"},
    {"text"},
    {"machine"},
    {"privacy", "mechanisms"},
    {"encoders"},
    {"data"},
    {"methods"},
    {"experiments"},
    {"diagnostics", "audits"},
    {"papers"},
    {"plots"},
    {"views"},
    {"conversion", "estimators", "publication"},
    {"results"},
    {"api"},
    {"notebook"},
    {"classroom"},
    {"cli", "ui"},
    {"pages"},
]
"""Folders, or files, of ``dpviz/``, and ``pages/``: each imports its like in its own place and what
stands before it; never one beside it.
"""
PLOTS_KNOW = {"caches", "types", "shares", "stats", "formatting", "text", "plots"}
DOORS = {"dpviz/__init__.py", "dpviz/__main__.py", "app.py"}
"""Doors import what they open."""
FILES = sorted(
    [p.relative_to(ROOT) for folder in ("dpviz", "pages") for p in (ROOT / folder).rglob("*.py")]
    + [Path("app.py")]
)


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path): path for path in FILES}


@cache
def told(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """What a file imports, wherever in it, a name's own module where it is one; and which methods
    of others than ``mechanisms`` it calls. Each file is read once.
    """
    imported: set[str] = set()
    called: set[str] = set()
    if path == Path("dpviz/__init__.py"):  # imports each name when it is first used
        return frozenset(), frozenset()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            named = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            imported |= {full if full in MODULES else node.module for full in named.values()}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            whose = node.func.value
            if not (isinstance(whose, ast.Name) and whose.id == "mechanisms"):
                called.add(node.func.attr)
    return frozenset(imported), frozenset(called)


def imports(path: Path) -> frozenset[str]:
    return told(path)[0]


def place(module: str) -> str:
    """The folder or file of ``dpviz/``, or ``pages``, that a module lies in."""
    parts = module.split(".")
    return parts[1] if parts[0] == "dpviz" and len(parts) > 1 else parts[0]


def height(name: str) -> int:
    found = [i for i, layer in enumerate(LAYERS) if name in layer]
    assert found, f"{name} stands in no layer; place it in LAYERS"
    return found[0]


def wrong_imports(path: Path) -> set[str]:
    """Places that a file imports from and may not."""
    own = place(dotted(path))
    used = {place(m) for m in imports(path) if m.split(".")[0] in ("dpviz", "pages")}
    # the version stands in the package itself; the training script draws its public training set
    used -= {"dpviz"} | ({"data"} if path.name == "train_glyphnet.py" else set())
    wrong = {name for name in used - {own} if height(name) >= height(own)}
    return wrong | (used - PLOTS_KNOW if own == "plots" else set())


def test_imports_follow_layers():
    files = [path for path in FILES if path.as_posix() not in DOORS]
    assert not {str(path): wrong for path in files if (wrong := wrong_imports(path))}


def test_no_import_cycles():
    left = {name: imports(path) & set(MODULES) - {name} for name, path in MODULES.items()}
    while ends := {name for name, used in left.items() if not used & set(left)}:
        left = {name: used for name, used in left.items() if name not in ends}
    inside = {name for name in left if any(name in used for used in left.values())}
    assert not inside, f"modules in circles, or that lead into and out of one: {sorted(inside)}"


def test_unlisted_folder_is_detected():
    with pytest.raises(AssertionError, match="stands in no layer"):
        height("elsewhere")


def test_only_dashboard_imports_streamlit():
    others = [p for p in FILES if p.parts[0] not in ("pages", "app.py") and p.parts[1] != "ui"]
    assert len(others) < len(FILES)
    know = [p for p in others if any(m.split(".")[0] == "streamlit" for m in imports(p))]
    assert not know


DRAWS = {
    "standard_normal",
    "standard_exponential",
    "standard_gamma",
    "normal",
    "laplace",
    "gumbel",
    "randn",
    "exponential_",
}
PUBLIC_ONLY = {
    "dpviz/audits/sensitivity.py",
    "dpviz/data/synthetic_glyphs.py",
    "dpviz/encoders/glyphnet.py",
    "dpviz/encoders/train_glyphnet.py",
}
"""These draw for public pictures, weights and made-up neighbours, never for privacy."""


def test_noise_is_drawn_in_one_place():
    elsewhere = [
        path
        for path in FILES
        if path.as_posix() not in PUBLIC_ONLY and path.parts[:2] != ("dpviz", "mechanisms")
    ]
    assert not {str(path): drawn for path in elsewhere if (drawn := told(path)[1] & DRAWS)}
    assert any(told(path)[1] & DRAWS for path in set(FILES) - set(elsewhere)), "nothing is seen"
