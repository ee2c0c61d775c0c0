"""The five papers: every figure, table, theorem and ablation, where it is live here, and whether it
holds on data that are shipped. One file a paper; ``checks/`` tries the claims.
"""

from __future__ import annotations

from importlib import import_module

from dpviz.papers.model import PAPERS, Claim


def claims(paper: str | None = None) -> tuple[Claim, ...]:
    """The claims of one paper, or of all, in the order in which the papers print them."""
    named = PAPERS if paper is None else [paper]
    return tuple(c for key in named for c in import_module(f"dpviz.papers.{key}").CLAIMS)
