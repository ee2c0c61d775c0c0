"""The front page as a file: the pictures and sentences of every place of its slider, for each set
of pictures.
"""

from __future__ import annotations

import html as escaping
from collections.abc import Sequence
from typing import Any

from dpviz.formatting import listed
from dpviz.run import experiment
from dpviz.ui.assets import asset
from dpviz.ui.explorable import html_file
from dpviz.ui.front import answer
from dpviz.views import front_page

STYLES = ("own_slider.css", "front.css", "in_file.css", "front_file.css")
ONLY = (
    "Everything here was computed beforehand, each place of the slider by runs of its own; nothing"
    " is interpolated, and nothing is loaded or sent."
)
NO_SCRIPTS = (
    "The slider needs scripts, which are part of this file. What it says at each of its places"
    " stands in the tables."
)
HEADS = ("Promise", "What is said there", "Broken in the draw that is pictured")
BODY = """<main class="in-file"><header><strong>dpviz</strong>
<a class="in-back" href="{origin}" target="_blank" rel="noreferrer">This view in the dashboard</a>
</header><h1>{title}</h1><p class="front-intro">{intro}</p>
<noscript><p>{said}</p><p>{no_scripts}</p></noscript>{front}
<details class="in-words"><summary>The same in words</summary>{tables}</details>
<details class="in-from"><summary>Where these numbers come from</summary><div>{made}</div></details>
<footer><p>{only}</p></footer></main>"""


def html(origin: str, sets: Sequence[str] = ("digits", "clothes"), again: str = "") -> str:
    """The file; its runs are computed where they are not in the store.

    Args:
        origin: the app's address, with a slash at its end; sets: names of pictures, of
            ``front_page.DATASETS``, the first of which is shown at first; again: the command that
            makes the file.
    """
    scenes = {name: _scene(name, origin, sets) for name in sets}
    first_scene = scenes[sets[0]]
    specs = [experiment.complete(front_page.groups(name)[1][0]) for name in sets]
    intros = {name: front_page.intro(name) for name in sets}
    page = asset("front.html").replace('href="./', f'href="{escaping.escape(origin)}')
    body = BODY.format(
        title=escaping.escape(front_page.TITLE),
        origin=escaping.escape(origin),
        intro=escaping.escape(intros[sets[0]]),
        said=escaping.escape(first_scene["places"][first_scene["start"]]["short"]),
        no_scripts=NO_SCRIPTS,
        front=page.replace('target="_self"', 'target="_blank" rel="noreferrer"'),
        tables="".join(map(_table, scenes.values())),
        made="".join(f"<p>{escaping.escape(words)}</p>" for words in html_file.provenance(specs))
        + (f"<p><code>{escaping.escape(again)}</code></p>" if again else ""),
        only=ONLY,
    )
    facts = {"name": answer.NAME, "first": next(iter(front_page.DATASETS)), "origin": origin}
    script = f"const front = {html_file.component('front.js')};"
    return html_file.write_html(
        front_page.TITLE,
        body,
        {"scenes": scenes, "intros": intros, **facts},
        [script, asset("front_file.js")],
        [asset(name) for name in STYLES],
    )


def _scene(name: str, origin: str, sets: Sequence[str]) -> dict[str, Any]:
    """What the front page's own script moves through, with links into the app."""
    noisy, quiet = front_page.groups(name)
    results = experiment.sweep([*noisy, *quiet])
    scene = answer.browser_data(name, results[: len(noisy)], results[-1])
    places = [
        place
        | {
            "links": [
                (words, f"{origin}{href.removeprefix('./')}") for words, href in place["links"]
            ]
        }
        for place in scene["places"]
    ]
    offered = [pair for pair in scene["sets"] if pair[0] in sets] if len(sets) > 1 else []
    return scene | {"places": places, "sets": offered, "target": "_blank"}


def _table(scene: dict[str, Any]) -> str:
    """All places of a scene in words, from the private side."""
    title = escaping.escape(answer.SETS[scene["name"]])
    head = "".join(f'<th scope="col">{words}</th>' for words in HEADS)
    rows = "".join(_row(scene, place) for place in scene["places"])
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(scene: dict[str, Any], place: dict[str, Any]) -> str:
    broken = [name for name, lost in zip(scene["names"], place["lost"], strict=True) if lost]
    words = (place["short"], listed(broken) or "none")
    cells = "".join(f"<td>{escaping.escape(text)}</td>" for text in words)
    return f'<tr><th scope="row">{escaping.escape(place["eps"])}</th>{cells}</tr>'
