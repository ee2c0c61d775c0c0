"""A page that is taken along, two ways: its chart drawn by the project's own script from numbers,
or drawn beforehand by Plotly, a picture a cell, and swapped.

Both show the same cells of Trade-off, a picture for every budget at every imbalance. Bytes are
those of what a page would hold for them: script and numbers, each part that cells share held once;
or one SVG a cell, as Plotly gives it. Milliseconds go from the beginning of a browser's frame to
the end of what its main thread does in it: script, style, layout and paint. The ways take turns.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/explorable_ways.py
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import plotly
from _common import BUDGETS, DATASET, ENCODER, table, verdict
from page_moves import FLAGS
from playwright.sync_api import Page, sync_playwright

from dpviz import methods
from dpviz.experiments import experiment
from dpviz.plots.budget_curves import BudgetCurve
from dpviz.plots.kit.as_svg import SCRIPTS
from dpviz.types import Budget, DataConfig
from dpviz.ui.assets import asset
from dpviz.views.page_as_shown import figure_json, still_figure

RATIOS, SEEDS, WIDTH, TURNS = (1.0, 5.0, 10.0, 50.0, 100.0), 3, 960, 4
METHODS = ("dppl-mean", "dppl-public", "dp-ls", "class-mean")
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
MOST_BYTES, MOST_MS = 4e6, 8
"""Of a whole page, and of one frame."""

TIMED = """async ([turns, count]) => {
  const times = [];
  const painted = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  for (let move = 0; move < turns * count; move++) {
    await new Promise(requestAnimationFrame);
    const from = performance.now();
    show((move * 7)% count);
    await painted();
    times.push(performance.now() - from);
  }
  return times;
}"""
"""Milliseconds of each move, to cells that are not beside each other."""

BEFOREHAND = """async (cells) => {
  const drawn = [];
  for (const { data, layout } of cells) {
    const size = { width: layout.width, height: layout.height };
    const url = await Plotly.toImage({ data, layout }, { format: "svg", ...size });
    drawn.push(decodeURIComponent(url.slice(url.indexOf(",") + 1)));
  }
  return drawn;
}"""


def cells() -> list[dict[str, Any]]:
    """Data and layout of each cell of Trade-off, as the page writes its charts."""
    titles = {key: methods.METHODS[key].title for key in METHODS}
    found = []
    for ratio in RATIOS:
        at = DataConfig(DATASET, ENCODER, public="glyphs", ir=ratio)
        budgets = [Budget(b) for b in BUDGETS]
        wanted = [s for m in METHODS for s in experiment.specs(at, m, budgets, range(SEEDS))]
        info = BudgetCurve.from_results(experiment.sweep(wanted), titles, "balanced", budgets[0])
        figure = info.figure(1.0)
        names = [frame["name"] for frame in figure.to_dict()["frames"]]
        found += [json.loads(figure_json(still_figure(figure, name))) for name in names]
    for cell in found:
        cell["layout"]["width"] = WIDTH
    return found


def pooled(all_cells: list[dict[str, Any]]) -> str:
    """The cells with every trace and layout that several share held once."""
    parts: dict[str, int] = {}
    place = lambda part: parts.setdefault(json.dumps(part, separators=(",", ":")), len(parts))
    rows = [[place(c["layout"]), *map(place, c["data"])] for c in all_cells]
    return f'{{"parts":[{",".join(parts)}],"cells":{json.dumps(rows, separators=(",", ":"))}}}'


def by_script(page: Page, text: str) -> None:
    """A page with the script and the numbers."""
    scripts = "\n".join(map(asset, SCRIPTS))
    page.set_content("<div id=place></div>")
    page.add_script_tag(
        content=f"""window.figureSvg = (function () {{ {scripts}\nreturn figureSvg }})();
        const {{ parts, cells }} = {text};
        const figures = cells.map(([layout, ...data]) =>
          ({{ layout: parts[layout], data: data.map((at) => parts[at]) }}));
        const chart = figureSvg(document.getElementById("place"), figures[0], {{ width: {WIDTH} }});
        window.show = (at) => chart.draw(figures[at], {{}});"""
    )


def beforehand(page: Page, pictures: list[str]) -> None:
    """A page with a picture a cell, all of them parsed."""
    page.set_content("<div id=place></div>")
    page.add_script_tag(
        content=f"""const parser = new DOMParser();
        const pictures = {json.dumps(pictures)}.map((text) =>
          document.adoptNode(parser.parseFromString(text, "image/svg+xml").documentElement));
        window.show = (at) => document.getElementById("place").replaceChildren(pictures[at]);"""
    )


def main() -> None:
    """Draw the cells both ways, and time moves among them."""
    all_cells = cells()
    text = pooled(all_cells)
    script = "\n".join(map(asset, SCRIPTS)) + asset("figure_svg.css")
    times: dict[str, list[float]] = {"by script": [], "beforehand": []}
    with sync_playwright() as running:
        chromium = running.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = chromium.new_page(viewport={"width": 1200, "height": 900})
        page.set_content("<div></div>")
        page.add_script_tag(path=str(PLOTLY))
        pictures = page.evaluate(BEFOREHAND, all_cells)
        for _ in range(TURNS):
            by_script(page, text)
            times["by script"] += page.evaluate(TIMED, [2, len(all_cells)])
            beforehand(page, pictures)
            times["beforehand"] += page.evaluate(TIMED, [2, len(all_cells)])
        chromium.close()
    held = {"by script": (script + text).encode(), "beforehand": "".join(pictures).encode()}
    late = {way: quantiles(ms, n=20)[-1] for way, ms in times.items()}
    head = [f"{len(all_cells)} cells", "kB", "gzip kB", "kB a cell", "ms a move", "p95 ms"]
    each = {
        "by script": len(text) / len(all_cells),
        "beforehand": len(held["beforehand"]) / len(all_cells),
    }
    rows = [
        (
            way,
            f"{len(bytes_) / 1e3:.0f}",
            f"{len(gzip.compress(bytes_, 9)) / 1e3:.0f}",
            f"{each[way] / 1e3:.1f}",
            f"{median(times[way]):.1f}",
            f"{late[way]:.1f}",
        )
        for way, bytes_ in held.items()
    ]
    table(head, rows)
    print()
    verdict("bytes by script", len(held["by script"]), MOST_BYTES, is_limit=True)
    verdict("ms a move by script, median", median(times["by script"]), MOST_MS, is_limit=True)
    own = median(times["by script"]) / median(times["beforehand"])
    verdict("of the time of a swap", own, 2, is_limit=True)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    verdict("times fewer bytes by script", len(held["beforehand"]) / len(held["by script"]), 2)


if __name__ == "__main__":
    main()
