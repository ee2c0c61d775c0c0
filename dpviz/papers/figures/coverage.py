"""Which figures and tables of the five papers can be reproduced, and why the others cannot."""

from __future__ import annotations

from dpviz.papers.figures import FIGURES
from dpviz.papers.model import PAPERS

SKETCH = "a sketch without numbers"
SAME_RUNS = (
    "the same runs as {key} with another data set or encoder; change its data with `dpviz sweep`"
)
LIVE = "not a command yet; `{command}` and the Papers page show it live"
PROMPTED = (
    "prompts train for hours at 1,000 teachers; the PATE page trains 4 prompted teachers"
    " on digits, without a domain gap"
)
CLAIM = "dpviz papers --claim {claim}"


def _live(claim: str) -> str:
    return LIVE.format(command=CLAIM.format(claim=claim))


#: The reason for each figure or table that no command computes, by paper and place.
LEFT_OUT: dict[str, dict[str, str]] = {
    "prototypes": {
        "Figure 1": SKETCH,
        "Figure 7": _live("proto-f7b"),
        "Figure 9": _live("proto-f9"),
        "Figure 10": _live("proto-f10"),
    },
    "beyond_the_mean": {
        "Figure 1": SKETCH,
        "Figure 2": SAME_RUNS.format(key="beyond-baselines"),
        "Figure 3": SAME_RUNS.format(key="beyond-baselines"),
        "Figure 6": SAME_RUNS.format(key="beyond-baselines"),
        "Figure 7": _live("beyond-f7"),
        "Figure 8": _live("beyond-f8d"),
        "Figure 9": _live("beyond-f9"),
        "Figure 10": "class sizes are those of beyond-class-sizes",
        "Figure 11": _live("beyond-f11"),
        "Figure 12": _live("beyond-f12"),
        "Figure 13": _live("beyond-f13"),
        "Figures 14 to 17": SAME_RUNS.format(key="beyond-top-k"),
        "Figure 19": _live("beyond-f19"),
        "Figures 20 to 23": SAME_RUNS.format(key="beyond-baselines"),
        "Figures 24 to 27": SAME_RUNS.format(key="beyond-minority"),
        "Table 2": _live("beyond-t2"),
    },
    "mixed": {
        "Figure 2": _live("mixed-f2-left"),
        "Figure 3": _live("mixed-f3-pdp"),
        "Figure 4": "it needs CLIP's weights and text encoder; the AdaMix page shows it",
    },
    "prompts": {
        "Figure 1": SKETCH,
        "Figure 2": SKETCH,
        "Table 1": "its numbers are those of prom-pate-ablation",
        "Table 2": "its numbers are those of prom-pate-ablation",
        "Table 8": "accuracies of published weights on ImageNet, which dpviz does not test",
        "Table 9": PROMPTED,
        "Table 10": _live("prompts-t10"),
        "Table 11": PROMPTED,
        "Table 12": "a table of settings, not of results",
        "Tables 13 to 17": SAME_RUNS.format(key="prom-pate-cross-domain"),
        "Tables 18 to 20": "CelebA and FFHQ images cannot be downloaded without consent",
        "Table 21": SAME_RUNS.format(key="prom-pate-budgets"),
    },
    "collapse": {
        "Figure 1": SKETCH,
        "Table 1": _live("collapse-table1-noisy"),
    },
}


def lines() -> list[str]:
    """One line per figure or table: its name in the shell, or why it has none."""
    rows = []
    for paper, about in PAPERS.items():
        rows.append(f"{about.short}: {about.title} ({about.venue})")
        figures = [figure for figure in FIGURES.values() if figure.paper == paper]
        width = max(len(figure.key) for figure in figures)
        for figure in figures:
            numbers = len(figure.printed)
            printed_text = f"{numbers} printed numbers" if numbers else "no printed numbers"
            rows.append(f"  {figure.key:{width}}  {figure.place}: {figure.title}; {printed_text}")
        for place, reason in LEFT_OUT[paper].items():
            rows.append(f"  {'–':{width}}  {place}: not reproduced: {reason}")
    return rows
