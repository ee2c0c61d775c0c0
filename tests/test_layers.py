"""Imports point one way, and only the dashboard's own package knows streamlit."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = [
    "types",
    "files",
    "threads",
    "privacy",
    "privacy_votes",
    "privacy_smooth",
    "privacy_selection",
    "mechanisms",
    "encoders",
    "data",
    "methods",
    "store",
    "experiment",
    "sweeps",
    "cluster",
    "tuning",
]
"""Each may import what stands before it; plots know types alone."""


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


def layer(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "dpviz" and len(parts) > 1 else None


FILES = sorted(
    p.relative_to(ROOT) for folder in ("dpviz", "pages") for p in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_point_one_way(path):
    own = path.with_suffix("").parts[1]
    used = {layer(module) for module in imports(ROOT / path)} & {
        *LAYERS,
        "plots",
        "ui",
        "diagnostics",
        "audit",
    }
    if path.parts[0] == "pages" or own in ("ui", "__main__", "diagnostics", "audit"):
        assert own not in ("diagnostics", "audit") or "ui" not in used
    elif own == "plots":
        assert used <= {"types", "plots"}
    elif own in LAYERS:
        allowed = set(LAYERS[: LAYERS.index(own) + 1])
        # the training script of the bundled encoder draws its public training set
        allowed |= {"data"} if path.name == "train_glyphnet.py" else set()
        assert used <= allowed, f"{path} reaches up to {used - allowed}"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_only_the_dashboard_knows_streamlit(path):
    knows = any(module.split(".")[0] == "streamlit" for module in imports(ROOT / path))
    assert not knows or path.parts[0] == "pages" or path.parts[1] == "ui"


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
PUBLIC_ONLY = {"data/glyphs.py", "encoders/glyphnet.py", "encoders/train_glyphnet.py"}
"""These draw for public pictures and weights, never for privacy."""


@pytest.mark.parametrize("path", FILES, ids=str)
def test_noise_is_drawn_in_one_place(path):
    if str(path.relative_to(path.parts[0])) in PUBLIC_ONLY | {"mechanisms.py"}:
        return
    tree = ast.parse((ROOT / path).read_text())
    calls = [
        n.func
        for n in ast.walk(tree)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
    ]
    own = {
        c.attr for c in calls if not (isinstance(c.value, ast.Name) and c.value.id == "mechanisms")
    }
    assert not own & DRAWS
