"""Figures as SVG stand where Plotly has them: both are drawn in one browser, and compared."""

import base64
import copy
import json
from pathlib import Path

import numpy as np
import plotly
import pytest

from dpviz.plots.kit.as_svg import SCRIPTS, SYMBOLS
from dpviz.plots.kit.drawing import make_figure
from dpviz.ui.assets import asset
from tests.kit.charts import HOSTILE
from tests.plots.test_as_svg import figures

pytestmark = pytest.mark.browser
PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
WIDTH, CLOSE = 900, 1.6
FIGURES = [
    *[("BudgetCurve", 0), ("Pooling", 0), ("WindowMap", 0)],
    *[("Panels", 2), ("StepTrace", 0), ("LowFprRoc", 2), ("Roc", 1)],
    *[("TradeOff", 2), ("BestValues", 0), ("ClaimCounts", 0)],
    *[("ClassAnswers", 0), ("ClassErrors", 0), ("ClassPlane", 0), ("ClassSizes", 0)],
    *[("CoinpressRadii", 0), ("CollapseMap", 0), ("PresetCurve", 0)],
    *[
        ("ShiftRows", 0),
        ("MeansMap", 0),
        ("LossByImages", 0),
        ("PresetBars", 0),
    ],
    *[("ClassLoss", 1), ("QueryVotes", 1)],
    *[("YesEstimate", 0), ("Tally", 2), ("RecordsNeeded", 0), ("SelectionOdds", 0)],
    *[("SettingMap", 0), ("Trials", 0), ("VoteHistogram", 0)],
]
"""Every kind of trace, axis, legend, shape and note that the charts have."""
LETTERS = {"color": "#808495", "family": "DejaVu Sans", "weight": 400}
AXIS = {"automargin": True, "zeroline": False, "fixedrange": True, "tickcolor": "#e6eaf1"} | {
    "gridcolor": "#e6eaf1",
    "tickfont": {"size": 12},
}
PAGE = {
    "font": LETTERS | {"size": 12},
    "annotationdefaults": {"showarrow": False},
    "legend": {"orientation": "h", "x": 0, "yanchor": "top", "font": {"size": 12}},
    "xaxis": AXIS | {"showgrid": False, "title": {"font": {"size": 14}, "standoff": 20}},
    "yaxis": AXIS | {"title": {"font": {"size": 14}, "standoff": 24}},
    "margin": {"pad": 8, "l": 0, "r": 0},
}
"""What the app's page adds to a figure's template, as far as it moves anything."""

COMPARE = """async ([theirs, ours, width, close]) => {
  const [a, b] = ["plotly", "own"].map((id) => document.getElementById(id));
  b.replaceChildren();
  await Plotly.newPlot(a, theirs.data, theirs.layout, { staticPlot: true });
  figureSvg(b, ours, { dark: false, width, alt: "a chart" });
  const kinds = {
    line: [".scatterlayer .trace .lines", ".line"], bar: [".bars .point > path", ".bar"],
    mark: [".scatterlayer .points path", ".marks path"], fill: [".fills path", ".fill"],
    shape: [".shapelayer path", ".under path, .over path"], word: [".main-svg text", "svg text"],
  };
  const boxes = (root, which) => {
    const whole = root.firstElementChild.getBoundingClientRect();
    return [...root.querySelectorAll(which)]
      .filter((one) => one.getAttribute("d") !== "M0,0" && getComputedStyle(one).display !== "none")
      .map((one) => {
        const box = one.getBoundingClientRect();
        const ends = [box.left - whole.left, box.top - whole.top,
          box.right - whole.left, box.bottom - whole.top];
        return { said: one.textContent.replaceAll("\\u200b", "").trim(), ends };
      }).filter(({ ends }) => ends[2] + ends[3] > ends[0] + ends[1]);
  };
  const wrong = [];
  let count = 0;
  for (const [kind, [theirOwn, own]] of Object.entries(kinds)) {
    const [there, here] = [boxes(a, theirOwn), boxes(b, own)];
    if (there.length !== here.length) wrong.push(`${there.length} ${kind}s, drawn ${here.length}`);
    for (const one of there) {
      const away = (other) => Math.max(...one.ends.map((end, i) => Math.abs(end - other.ends[i])));
      const alike = here.filter(({ said }) => said === one.said);
      const same = alike.sort((p, q) => away(p) - away(q))[0];
      if (same) here.splice(here.indexOf(same), 1);
      if (!same || away(same) > close)
        wrong.push(`${kind} "${one.said}" ${same ? away(same) : "lost"}`);
      count += 1;
    }
  }
  return { wrong, count };
}"""


@pytest.fixture(scope="module")
def page(browser):
    """A page with both, and nothing from outside."""
    page = browser.new_page(viewport={"width": 2 * WIDTH, "height": 900})
    style = f"body {{ margin: 0; font-family: DejaVu Sans }} {asset('figure_svg.css')}"
    page.set_content(f"<style>{style}</style><div id=plotly></div><div id=own></div>")
    page.add_script_tag(path=str(PLOTLY))
    scripts = "\n".join(map(asset, SCRIPTS))
    page.add_script_tag(
        content=f"window.figureSvg = (function () {{ {scripts}\nreturn figureSvg }})()"
    )
    yield page
    page.close()


def as_the_page_shows(figure):
    """The figure with what Streamlit's theme makes of its template."""
    shown = copy.deepcopy(figure)
    data = shown["layout"]["template"].get("data", {})
    shown["layout"] |= {"template": {"layout": PAGE, "data": data}, "width": WIDTH}
    return shown


def compared(page, theirs, ours):
    return page.evaluate(COMPARE, [as_the_page_shows(theirs), ours, WIDTH, CLOSE])


@pytest.mark.parametrize(("name", "example"), FIGURES)
def test_svg_positions_match_plotly(page, name, example):
    figure = figures(name)[example]
    found = compared(page, figure, figure)
    assert not found["wrong"] and found["count"] > 5


def test_svg_marks_match_plotly(page):
    symbols = sorted(SYMBOLS)
    marks = {"symbol": symbols, "size": 14, "color": "#6D5DD3", "line": {"width": 1}}
    at = list(range(len(symbols)))
    trace = {"type": "scatter", "mode": "markers", "x": at, "y": at, "marker": marks}
    figure = json.loads(make_figure([trace], 300).to_json())
    assert not compared(page, figure, figure)["wrong"]


@pytest.mark.parametrize("moved", ["range", "margin", "log", "size", "word"])
def test_slightly_wrong_figure_is_detected(page, moved):
    figure = figures("BudgetCurve")[0]
    other = copy.deepcopy(figure)
    layout = other["layout"]
    if moved == "range":
        layout["yaxis"]["range"] = [0, 1.01]
    elif moved == "margin":
        layout["margin"]["l"] += 3
    elif moved == "log":
        layout["xaxis"] |= {"type": "linear", "range": [0, 1.1]}
    elif moved == "size":
        other["data"][1]["marker"]["size"] += 4
    else:
        other["data"][-1]["text"][0] = "<b>62%</b>"
    assert compared(page, figure, other)["wrong"]


DRAW = """([figures, how]) => {
  const place = document.getElementById("own");
  place.replaceChildren();
  window.chart = figureSvg(place, figures[0], how);
  window.kept = [...place.querySelectorAll("svg *")];
  for (const figure of figures.slice(1)) window.chart.draw(figure, {});
}"""


def test_update_keeps_unchanged_nodes_and_matches_redraw(page):
    figure = figures("BudgetCurve")[0]
    moved = copy.deepcopy(figure)
    moved["data"][-4]["x"] = [0.1, 0.1]
    how = {"dark": False, "width": WIDTH, "alt": "a chart"}
    html = "document.getElementById('own').innerHTML.replace(/f\\d+-/g, '')"
    page.evaluate(DRAW, [[moved], how])
    anew = page.evaluate(html)
    page.evaluate(DRAW, [[figure, moved], how])
    assert page.evaluate(html) == anew
    assert page.evaluate("kept.every((one) => one.isConnected)")
    page.evaluate(DRAW, [[figure], how])
    assert page.evaluate(html) != anew


def test_packed_numbers_are_drawn_like_plain_ones(page):
    figure = figures("Roc")[0]
    packed = copy.deepcopy(figure)
    for trace in packed["data"]:
        for key in "xy":
            if isinstance(trace[key], dict):
                raw = base64.b64decode(trace[key]["bdata"])
                trace[key] = np.frombuffer(raw, trace[key]["dtype"]).tolist()
    html = "document.getElementById('own').innerHTML.replace(/f\\d+-/g, '')"
    drawn = []
    for each in (figure, packed):
        page.evaluate(DRAW, [[each], {"width": WIDTH}])
        drawn.append(page.evaluate(html))
    assert drawn[0] == drawn[1] and packed != figure


def test_narrow_page_lists_names_below_and_stacks_panels(page):
    page.evaluate(DRAW, [figures("BudgetCurve")[:1], {"width": 366}])
    said = page.locator(".figure-names li").all_inner_texts()
    assert "DPPL-Mean" in said and len(said) == 4, "its number is at the budget"
    assert any("Class mean" in line and "90%" in line for line in said)
    assert page.locator("svg.figure-svg text", has_text="DPPL-Mean").count() == 0
    page.evaluate(DRAW, [figures("Panels")[2:3], {"width": 366}])
    tall = page.locator("svg.figure-svg").bounding_box()["height"]
    page.evaluate(DRAW, [figures("Panels")[2:3], {"width": 900}])
    assert tall > 1.5 * page.locator("svg.figure-svg").bounding_box()["height"]
    assert page.locator(".figure-names").count() == 0


def test_untrusted_names_stay_text_and_pointer_reads_them(page):
    figure = figures("BudgetCurve")[0]
    figure["data"][1]["name"] = HOSTILE
    figure["data"][1]["hovertemplate"] = f"%{{y:.0%}}<extra>{HOSTILE}</extra>"
    page.evaluate(DRAW, [[figure], {"width": WIDTH, "alt": HOSTILE}])
    named = page.get_by_role("img", name=HOSTILE, exact=True)
    assert named.count() == 1 and page.locator("img").count() == 0
    page.locator("svg.figure-svg .marks path").first.hover(force=True)
    bubble = page.locator(".bubble text")
    assert HOSTILE in bubble.inner_html().replace("&lt;", "<").replace("&gt;", ">")
    page.mouse.move(WIDTH + 50, 5)
    assert page.locator(".bubble").count() == 0


def test_dark_mode_text_is_readable(page):
    page.evaluate(DRAW, [figures("ClassAccuracy")[:1], {"width": WIDTH, "dark": True}])
    page.locator("svg.figure-svg .marks path").first.hover(force=True)
    assert page.locator(".bubble").count() == 1
    colours = (
        "[...document.querySelectorAll('.figure-svg text')].map((w) => getComputedStyle(w).fill)"
    )
    assert set(page.evaluate(colours)) == {"rgb(230, 232, 238)"}
    page.mouse.move(WIDTH + 50, 5)
