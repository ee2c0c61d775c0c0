"""What ``ui/assets/figure_svg.js`` draws of a figure: every entry that it knows, so that none is
lost in silence in a page that a visitor takes along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

#: The script's files, to stand one after the other within one function.
SCRIPTS = (
    *("figure_svg.js", "svg_axes.js", "svg_frame.js", "svg_notes.js"),
    *("svg_traces.js", "svg_bars.js"),
)
#: Any value is drawn.
ANY_VALUE = None

_FONT = {"font.size": ANY_VALUE, "font.color": ANY_VALUE}
_SIZE = {"size": ANY_VALUE, "color": ANY_VALUE}
_ERROR = {"type": {"data"}, **dict.fromkeys("array arrayminus color thickness width".split())}
_INVISIBLE = dict.fromkeys("selected unselected hoverongaps meta".split())


def _nested(name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{name}.{key}": values for key, values in entries.items()}


_SHARED = (
    dict.fromkeys(
        "x y name text customdata hovertemplate cliponaxis legendgroup showlegend visible opacity"
        " xaxis yaxis hovertext".split()
    )
    | _INVISIBLE
    | _nested("error_x", _ERROR)
    | _nested("error_y", _ERROR)
    | _nested("textfont", _SIZE)
    | {"hoverinfo": {"skip", "name", "all", "text"}, "hoveron": {"fills", "points"}}
)
_FILLED_SYMBOLS = (
    "circle circle-x square square-x diamond diamond-tall diamond-wide cross x triangle-up"
    " triangle-down triangle-left triangle-right triangle-ne pentagon hexagon star star-triangle-up"
    " star-square star-diamond hourglass bowtie"
).split()
_THIN_SYMBOLS = "cross-thin x-thin line-ew line-ns".split()
SYMBOLS = {
    *_FILLED_SYMBOLS,
    *_THIN_SYMBOLS,
    *(f"{symbol}-open" for symbol in [*_FILLED_SYMBOLS, *_THIN_SYMBOLS]),
}
DASHES = {"", "solid", "dash", "dot", "longdash", "dashdot", "longdashdot"}
_TEXT_POSITIONS = {
    f"{up} {side}" for up in ("top", "middle", "bottom") for side in ("left", "center", "right")
}
TRACES: dict[str, dict[str, Any]] = {
    "scatter": _SHARED
    | {
        "mode": {
            "lines",
            "markers",
            "text",
            "lines+markers",
            "markers+text",
            "lines+markers+text",
            "lines+text",
        },
        "connectgaps": ANY_VALUE,
        "fill": {"toself", "tonexty", "tozeroy", "none"},
        "fillcolor": ANY_VALUE,
        "legendrank": ANY_VALUE,
        "textposition": _TEXT_POSITIONS,
        **_nested(
            "line",
            {
                "color": ANY_VALUE,
                "width": ANY_VALUE,
                "dash": DASHES,
                "shape": {"linear", "hv", "hvh"},
                "simplify": ANY_VALUE,
            },
        ),
        **_nested(
            "marker",
            _SIZE
            | {
                "symbol": SYMBOLS,
                "opacity": ANY_VALUE,
                "line.color": ANY_VALUE,
                "line.width": ANY_VALUE,
            },
        ),
    },
    "bar": _SHARED
    | {
        "orientation": {"h", "v"},
        "width": ANY_VALUE,
        "base": ANY_VALUE,
        "textposition": {"inside", "outside", "none"},
        "textangle": {0},
        "insidetextanchor": {"start", "middle", "end"},
        "insidetextfont.color": ANY_VALUE,
        **_nested("marker", {"color": ANY_VALUE, "line.color": ANY_VALUE, "line.width": ANY_VALUE}),
        **_nested(
            "marker.pattern",
            {"shape": {"", "/", "\\", "."}, "size": ANY_VALUE, "solidity": ANY_VALUE},
        ),
    },
    "heatmap": _SHARED
    | dict.fromkeys("z zmin zmax colorscale xgap ygap showscale".split())
    | {"texttemplate": {"%{text}"}}
    | _nested(
        "colorbar",
        dict.fromkeys(
            "len thickness outlinewidth tickformat tickvals ticktext title.text"
            " title.font.size".split()
        )
        | {"title.side": {"right"}},
    ),
}
_AXIS = dict.fromkeys(
    "anchor automargin autotickangles domain gridcolor nticks range showgrid showticklabels"
    " tickangle ticktext tickvals visible zeroline zerolinecolor overlaying scaleanchor"
    " fixedrange matches tickfont.size title.text title.standoff".split()
) | {
    "autorange": {"reversed", True},
    "dtick": ANY_VALUE,
    "exponentformat": {"power", "none", "B"},
    "rangemode": {"tozero", "normal"},
    "side": {"left", "right", "bottom"},
    "tickformat": re.compile(r",?(\.\d+)?~?[fge%d]?"),
    "tickmode": {"array"},
    "ticks": {""},
    "title.font.size": ANY_VALUE,
    "type": {"linear", "log", "category"},
}
_NOTE = dict.fromkeys("x y text name opacity xshift yshift borderpad".split()) | {
    "showarrow": {False},
    "xanchor": {"left", "center", "right"},
    "yanchor": {"top", "middle", "bottom"},
    "align": {"left", "center", "right"},
    "xref": ANY_VALUE,
    "yref": ANY_VALUE,
    **_FONT,
}
_SHAPE = dict.fromkeys("x0 x1 y0 y1 xref yref xanchor yanchor fillcolor visible".split()) | {
    "type": {"line", "rect"},
    "layer": {"above", "below"},
    "xsizemode": {"pixel", "scaled"},
    "ysizemode": {"pixel", "scaled"},
    **_nested("line", {"color": ANY_VALUE, "width": ANY_VALUE, "dash": DASHES}),
}
_LEGEND = {
    "orientation": {"h", "v"},
    "traceorder": {"normal", "reversed"},
    "xanchor": {"left"},
    "yanchor": {"top", "middle", "bottom"},
    "yref": {"container", "paper"},
    **dict.fromkeys("x y bgcolor itemclick itemdoubleclick font.size".split()),
}
LAYOUT: dict[str, Any] = (
    dict.fromkeys(
        "template height width showlegend hoverdistance uniformtext meta bargap uirevision".split()
    )
    | _nested("margin", dict.fromkeys("lrtb"))
    | _nested("legend", _LEGEND)
    | _FONT
    | {
        "barmode": {"stack", "relative", "overlay"},
        "hovermode": {"closest", "x"},
        "paper_bgcolor": {"rgba(0,0,0,0)"},
        "plot_bgcolor": {"rgba(0,0,0,0)"},
    }
)


def unsupported(figure: Mapping[str, Any]) -> list[str]:
    """Entries of a figure that would be lost as SVG, each with its value; none where all is drawn.

    Args:
        figure: ``data`` and ``layout`` as Plotly has them; frames stay out.
    """
    lost: list[str] = []
    for trace in figure["data"]:
        kind = trace.get("type", "scatter")
        known = TRACES.get(kind)
        lost += (
            [f"trace {kind}"]
            if known is None
            else _unsupported(trace, known | {"type": ANY_VALUE}, kind)
        )
    for key, entries in figure["layout"].items():
        if re.fullmatch(r"[xy]axis\d*", key):
            lost += _unsupported(entries, _AXIS, key)
        elif key in ("annotations", "shapes"):
            known = _NOTE if key == "annotations" else _SHAPE
            lost += [name for part in entries for name in _unsupported(part, known, key)]
        else:
            lost += _unsupported({key: entries}, LAYOUT, "layout")
    return sorted(set(lost + _bars_side_by_side(figure)))


def _bars_side_by_side(figure: Mapping[str, Any]) -> list[str]:
    """Several rows of bars that neither lie on nor over one another."""
    places = [
        (trace.get("xaxis"), trace.get("yaxis"))
        for trace in figure["data"]
        if trace.get("type") == "bar"
    ]
    grouped = len(places) > len(set(places)) and "barmode" not in figure["layout"]
    return ["layout.barmode=group"] if grouped else []


def _unsupported(entries: Mapping[str, Any], known: Mapping[str, Any], place: str) -> Iterator[str]:
    for path, value in _leaves(entries, known):
        if path not in known:
            yield f"{place}.{path}"
            continue
        fine = known[path]
        values = value if isinstance(value, (list, tuple)) else [value]
        for entry in values if fine is not ANY_VALUE else ():
            good = fine.fullmatch(str(entry)) if isinstance(fine, re.Pattern) else entry in fine
            if not good:
                yield f"{place}.{path}={entry}"


def _leaves(
    entries: Mapping[str, Any], known: Mapping[str, Any], prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    for key, value in entries.items():
        path = prefix + key
        if value is None:
            continue
        if isinstance(value, Mapping) and path not in known:
            yield from _leaves(value, known, f"{path}.")
        else:
            yield path, value
