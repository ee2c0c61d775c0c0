"""Neural Collapse Meets Differential Privacy (2024), as printed."""

from __future__ import annotations

from dpviz.papers.collapse_rows import experiments, robustness, theory
from dpviz.papers.model import Claim

CLAIMS: tuple[Claim, ...] = (*theory.ROWS, *robustness.ROWS, *experiments.ROWS)
