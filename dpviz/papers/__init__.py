"""The five papers: every figure, table, theorem and ablation, where it is live here, and whether it
holds on data that are shipped. ``claims/<paper>.toml`` has the claims, ``check_table`` the checks.
"""

from __future__ import annotations

from typing import Any

from dpviz.caches import cached
from dpviz.content import read
from dpviz.papers.model import PAPERS, Check, Claim, Link


def claims(paper: str | None = None) -> tuple[Claim, ...]:
    """Return the claims of one paper, or of all, in the order in which the papers print them."""
    papers = PAPERS if paper is None else [paper]
    return tuple(claim for key in papers for claim in _claims(key))


@cached(len(PAPERS))
def _claims(paper: str) -> tuple[Claim, ...]:
    from dpviz.papers.check_table import CHECKS  # imports all that computes

    file = read(f"claims/{paper}.toml", __name__)
    return tuple(
        _claim(key, paper, file["shared"], row, CHECKS.get(key))
        for key, row in file["claim"].items()
    )


def _claim(
    key: str, paper: str, shared: dict[str, str], row: dict[str, Any], check: Check | None
) -> Claim:
    """Build a claim from its table, whose texts may name ``shared`` ones."""
    texts = {name: row[name].format_map(shared) for name in ("needs", "why_not") if name in row}
    links = tuple(Link(label, address) for label, address in row.get("links", ()))
    return Claim(key, paper, check=check, **row | texts | {"links": links})
