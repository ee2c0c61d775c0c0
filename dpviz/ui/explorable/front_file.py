"""The front page as a file: images and numbers of every slider position, per set of images."""

from __future__ import annotations

import html as escaping
from collections.abc import Sequence
from typing import Any

from dpviz.experiments import experiment
from dpviz.formatting import listed
from dpviz.text import export as text
from dpviz.text import front as front_text
from dpviz.ui.assets import asset
from dpviz.ui.explorable import draws_section, html_file
from dpviz.ui.front import answer
from dpviz.views import data_draws, front_page

STYLES = ("own_slider.css", "front.css", "in_file.css", "front_file.css", draws_section.STYLE)
BODY = """<main class="in-file"><header><strong>dpviz</strong>
<a class="in-back" href="{origin}" target="_blank" rel="noreferrer">{open}</a>
</header><h1>{title}</h1><p class="front-intro">{intro}</p>
<noscript><p>{said}</p><p>{no_scripts}</p></noscript>{front}{draws}
<details class="in-words"><summary>{table}</summary>{tables}</details>
<details class="in-from"><summary>{sources}</summary><div>{made}</div></details>
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
        title=escaping.escape(front_text.TITLE),
        origin=escaping.escape(origin),
        intro=escaping.escape(intros[sets[0]]),
        said=escaping.escape(first_scene["places"][first_scene["start"]]["short"]),
        no_scripts=text.NO_SCRIPTS,
        open=text.OPEN,
        table=text.TABLE,
        sources=text.SOURCES,
        front=page.replace('target="_self"', 'target="_blank" rel="noreferrer"'),
        draws=draws_section.BODY,
        tables="".join(map(_table, scenes.values())),
        made="".join(f"<p>{escaping.escape(words)}</p>" for words in html_file.provenance(specs))
        + (f"<p><code>{escaping.escape(again)}</code></p>" if again else ""),
        only=text.WITH_DRAWS_ONLY,
    )
    facts = {"name": answer.NAME, "first": next(iter(front_page.DATASETS)), "origin": origin}
    script = f"const front = {html_file.component('front.js')};"
    return html_file.write_html(
        front_text.TITLE,
        body,
        {"scenes": scenes, "intros": intros, "words": draws_section.words(), **facts},
        [script, draws_section.script(), asset("front_file.js")],
        [asset(name) for name in STYLES],
        draws_section.MAX_BYTES,
    )


def _scene(name: str, origin: str, sets: Sequence[str]) -> dict[str, Any]:
    """What the front page's own script moves through, with links into the app."""
    noisy, quiet = front_page.groups(name)
    results = experiment.sweep([*noisy, *quiet])
    public_run = front_page.public_run(name)
    public = experiment.run(public_run) if public_run else None
    groups = front_page.draw_groups(name)
    over_draws = data_draws.from_results(*map(experiment.sweep, groups))
    scene = answer.browser_data(
        name, results[: len(noisy)], results[-1], public=public, draws=over_draws
    )
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
    draws = draws_section.of_front(name, front_page.scene(name, results[: len(noisy)], results[-1]))
    return scene | {"places": places, "sets": offered, "target": "_blank", "draws": draws}


def _table(scene: dict[str, Any]) -> str:
    """All places of a scene in words, from the private side."""
    title = escaping.escape(front_text.SETS[scene["name"]])
    head = "".join(f'<th scope="col">{words}</th>' for words in text.FRONT_HEADS)
    rows = "".join(_row(scene, place) for place in scene["places"])
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(scene: dict[str, Any], place: dict[str, Any]) -> str:
    broken = [name for name, lost in zip(scene["names"], place["lost"], strict=True) if lost]
    words = (place["short"], listed(broken) or text.NONE_BROKEN)
    cells = "".join(f"<td>{escaping.escape(cell)}</td>" for cell in words)
    return f'<tr><th scope="row">{escaping.escape(place["eps"])}</th>{cells}</tr>'
