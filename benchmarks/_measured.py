"""Tables under ``docs/measured/``: each opens with what it found in two sentences, read off itself.

python -m benchmarks._measured audits < table.md
python -m benchmarks._measured plots    # of pages that are written by hand
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks import _plots
from dpviz.audits.bounds import CONFIDENCE

MEASURED = Path(__file__).resolve().parents[1] / "docs" / "measured"
#: Start of a claim's verdict, and the verb for one claim and for several.
VERDICTS = {
    "holds here": ("holds here", "hold here"),
    "holds only in part": ("holds only in part", "hold only in part"),
    "does not hold": ("does not hold here", "do not hold here"),
    "undecided": ("is undecided", "are undecided"),
    "premise not met": ("lacks its premise here", "lack their premise here"),
}
OWN = "### What this project states"
"""Heading of statements that are no paper's: they are counted apart."""
CLAIM = re.compile(
    r"^- (?P<claim>[^*]+?)(?: \([^()*]*\))?: \*\*(?P<verdict>[^*]+)\*\*", re.MULTILINE
)


def put(name: str, text: str) -> None:
    """Write a report into ``docs/measured/<name>.md``: two sentences, a plot, and the text. Its
    long tables become CSV files beside the page.
    """
    put_page(name, found(text), with_files(name, text.strip()))


def put_page(name: str, opening: str, text: str) -> None:
    """Replace what stands between the marks of a page by its opening, its plot and a text."""
    path = MEASURED / f"{name}.md"
    head, rest = path.read_text(encoding="utf-8").split("<!-- begin -->")
    tail = rest.split("<!-- end -->")[1]
    plot = f"\n![{ALT}]({name}.svg)\n" if (MEASURED / f"{name}.svg").exists() else ""
    written = f"{head}<!-- begin -->\n\n{opening}\n{plot}\n{text}\n\n<!-- end -->{tail}"
    path.write_text(written, encoding="utf-8")


ALT = "Plot of the main result of this page"
TABLE = re.compile(r"(?:^\|.*\|\n?)+", re.MULTILINE)
#: A table with more rows or columns becomes a file.
MAX_ROWS, MAX_COLUMNS = 12, 6
#: The columns of the first table that the plot of a page shows, and the title of its axis.
PLOTS = {
    "methods": (("IR 1, ρ 1", "IR 50, ρ 1"), "balanced accuracy, %"),
    "clothes": (("per image", "K = 1", "K = 20"), "balanced accuracy at ρ = 1, %"),
    "beyond": (("IR 1, ε 1", "IR 50, ε 1"), "balanced accuracy, %"),
    "mixed-privacy": (("2 shots, ε 1", "10 shots, ε 1"), "test error, %"),
    "teachers-vote": (("ε 1", "ε 3", "ε 10"), "accuracy, %"),
    "pretraining": (("logistic", "probe at (1, 1e-5)"), "accuracy on digits, %"),
    "fair-settings": (("defaults", "tuned"), "balanced accuracy, %"),
}


def with_files(name: str, text: str) -> str:
    """Return a text with a link in place of each long table, write the tables and the plot."""
    number = 0

    def filed(match: re.Match[str]) -> str:
        nonlocal number
        rows = [_cells_of(line) for line in match[0].splitlines()]
        if number == 0 and name in PLOTS:
            _plot(name, rows)
        if number == 0 and name == "audits":
            _plot_audits(rows[2:])
        number += 1
        rows = [rows[0], *rows[2:]]
        if len(rows) - 1 <= MAX_ROWS and len(rows[0]) <= MAX_COLUMNS:
            return match[0]
        path = MEASURED / f"{name}-{number}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        return f"Table: [{len(rows) - 1} rows, {len(rows[0])} columns]({path.name})\n"

    return TABLE.sub(filed, text)


def _cells_of(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [cell.strip().replace("`", "").replace("**", "") for cell in cells]


def _plot(name: str, rows: list[list[str]]) -> None:
    columns, title = PLOTS[name]
    at = [rows[0].index(column) for column in columns]
    number = re.compile(r"(?P<mean>-?[\d.]+)(?: ± (?P<half>[\d.]+))?")
    kept = [row for row in rows[2:] if all(number.match(row[i]) for i in at)]
    names = [i for i in range(min(at)) if not number.match(rows[2][i])]
    points = {c: [number.match(row[i]) for row in kept] for c, i in zip(columns, at, strict=True)}
    means = {c: [float(m["mean"]) for m in found if m] for c, found in points.items()}
    half = {c: [float(m["half"] or 0) for m in found if m] for c, found in points.items()}
    _plots.dots(name, [", ".join(row[i] for i in names) for row in kept], means, title, half)


def draw_pages_by_hand() -> None:
    """Draw the plots of pages that are written by hand, from the first table of each."""
    for name in ("pretraining", "fair-settings"):
        table = TABLE.search((MEASURED / f"{name}.md").read_text(encoding="utf-8"))
        assert table, name
        _plot(name, [_cells_of(line) for line in table[0].splitlines()])


def _plot_audits(rows: list[list[str]]) -> None:
    """Draw the audit of each method that is closest to its claim, and its faulty variant."""
    closest: dict[str, tuple[float, float]] = {}
    for row in rows:
        claimed, audited, faulty = map(float, row[4:7])
        shares = (audited / claimed, faulty / claimed)
        key = row[0].split()[0]
        closest[key] = max(closest.get(key, shares), shares)
    bounds = {
        "method": [shares[0] for shares in closest.values()],
        "its faulty variant": [shares[1] for shares in closest.values()],
    }
    _plots.dots("audits", list(closest), bounds, "lower bound on ε, relative to the claim", limit=1)


def printed_or_put(name: str, about: str, report: Callable[[], str]) -> None:
    """A command that prints the report, or with ``--write`` puts it there; about: its docstring."""
    options = argparse.ArgumentParser(description=about.split("\n")[0])
    options.add_argument("--write", action="store_true", help="put the tables into docs/measured")
    write, text = options.parse_args().write, report()
    put(name, text) if write else print(text)


def found(text: str) -> str:
    """Two sentences on a table of claims, of audits, or of statements cell by cell."""
    if "faulty variant" in text and "claimed ε" in text:
        return _audits(text)
    return _claims(text) if CLAIM.search(text) else _cells(text)


def _claims(text: str) -> str:
    printed, _, own = text.partition(OWN)
    if not own:
        return f"**{_counted(text, 'claims')}**"
    return f"**{_counted(printed, 'claims of papers')} {_counted(own, 'statements of our own')}**"


def _counted(text: str, what: str) -> str:
    claims = [(m["claim"], _kind(m["verdict"])) for m in CLAIM.finditer(text)]
    count = Counter(kind for _, kind in claims)
    verdicts = [
        f"{count[kind]} {one if count[kind] == 1 else many}"
        for kind, (one, many) in VERDICTS.items()
        if count[kind]
    ]
    failed = [claim for claim, kind in claims if kind == "does not hold"]
    against = f"What does not: {'; '.join(failed)}." if failed else "None is contradicted."
    return f"Of {len(claims)} {what} tested, {_listed(verdicts)}. {against}"


def _kind(verdict: str) -> str:
    return next(kind for kind in VERDICTS if verdict.startswith(kind))


UNANSWERED = ("–", "nothing to restore")
"""How a cell begins that could not answer."""


def _cells(text: str) -> str:
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "**" in line]
    rows = [row for row in rows if len(row) > 1]
    cells = [c for row in rows for c in row[1:] if not c.startswith(UNANSWERED)]
    holding = sum(cell.startswith("**holds") for cell in cells)
    failed = [row[0] for row in rows if any(c.startswith("**does not hold") for c in row[1:])]
    against = f"Somewhere it does not: {'; '.join(failed)}." if failed else "None is contradicted."
    return (
        f"**Of {len(cells)} cells that can answer, {holding} show what the paper says. {against}**"
    )


def _audits(text: str) -> str:
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    figures = [(row[0], float(row[4]), float(row[5]), row[-1]) for row in rows]
    within_claim = sum(audited <= claimed for _, claimed, audited, _ in figures)
    caught = sum(verdict.strip() == "yes" for *_, verdict in figures)
    name, claimed, audited, _ = max(figures, key=lambda row: row[2] / row[1])
    distinct = len(
        {(*row[:2], *row[3:6]) for row in rows}
    )  # variants are held against the same bound
    wrong = distinct * (1 - CONFIDENCE)
    return (
        f"**{within_claim} of {len(figures)} audits stay below their claim, and {caught} of"
        f" {len(figures)} faulty variants with less, shared or missing noise are detected. The"
        f" closest to its claim is {name.split(' ')[0]}: {audited:g} of {claimed:g}.** Each of the"
        f" {distinct} bounds is wrong with probability at most {1 - CONFIDENCE:.3f}, any of them"
        f" with probability at most {min(wrong, 1):.2f}."
    )


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


if __name__ == "__main__":
    if sys.argv[1] == "plots":
        draw_pages_by_hand()
    else:
        put(sys.argv[1], sys.stdin.read())
