"""Which encoders can be used on this machine, and why another cannot."""

from __future__ import annotations

from importlib import util
from typing import Any

from dpviz.caches import cached
from dpviz.encoders import text_towers, weights_files
from dpviz.encoders.encoder import Encoder
from dpviz.encoders.encoder_table import CURATED, ENCODERS, get
from dpviz.machine import public_mode
from dpviz.text import public_mode as public_text
from dpviz.types import DpvizError

TIMM, RANDOM = "timm:", "random"
MAX_NAME = 120
"""Signs of a name that is looked up."""
MAX_PARAMETERS = 100_000_000
"""Of a model that a page makes at random or fetches. The papers' encoders, and weights that are on
this disk already, may have more.
"""
MAX_SIDE = 518
"""Pixels of a side of the images that such a model reads, of which a batch is in memory."""
COLOUR = ("lite0-128", "scatter-colour")
"""Encoders of pictures in colour that are quick enough for a first look, the best first."""
AVAILABLE, NOT_ON_DISK = "there", "weights not downloaded"


def titles() -> dict[str, str]:
    """Titles by key of the encoders that need nothing but this disk: those that come with the
    project, the papers', and other models of timm.
    """
    keys = [key for key, row in ENCODERS.items() if not _lack(row)]
    keys += [key for key in CURATED if weights_files.on_disk(_hub(model(key)))]
    curated_hubs = {_hub(model(key)) for key in CURATED}
    names = [n for n in weights_files.repositories_of("timm") if f"timm/{n}" not in curated_hubs]
    keys += [f"{TIMM}{n}" for n in names if weights_files.on_disk(f"timm/{n}") and _of_timm(n)]
    return {key: title(key) for key in keys}


def for_colour() -> str:
    """The encoder to begin with on pictures in colour: the first that can be used here."""
    return next((key for key in COLOUR if key in ENCODERS and not _lack(ENCODERS[key])), "glyphnet")


def title(key: str) -> str:
    """What people read of an encoder, known or not."""
    if key in ENCODERS:
        return ENCODERS[key].title
    if key in CURATED:
        return CURATED[key][1]
    name, _, origin = model(key).partition("@")
    return name + (", untrained" if origin == RANDOM else "")


def refusal(key: str) -> str:
    """Why a page cannot use an encoder, and what to do; empty where it can."""
    try:
        if key in ENCODERS:
            return _lack(ENCODERS[key])
        if key in CURATED and not weights_files.on_disk(_hub(model(key))):  # without timm
            return weights_files.lacking(key, model(key), _hub(model(key)))
        if public_mode.is_on():
            return "" if key in titles() else public_text.CLOSED["downloads"]
        encoder = get(key[:MAX_NAME])
        name, _, origin = model(key).partition("@")
        if origin == RANDOM:
            return _too_large(encoder, name)
        if origin:
            return (
                f"Encoder {key[:MAX_NAME]} is a file on the server, which pages cannot read. Use"
                f" it in a shell, or use timm:{name}."
            )
        from dpviz.encoders import timm_models

        hub = timm_models.hub_of(name)
        fetched = key not in CURATED and not weights_files.on_disk(hub)
        if fetched and (reason := _too_large(encoder, name)):
            return reason
        return weights_files.lacking(key, name, hub)
    except DpvizError as error:
        return str(error)


def _too_large(encoder: Encoder, name: str) -> str:
    """Why a page does not make or fetch a model of this size; empty where it does."""
    from dpviz.encoders import timm_models

    if (count := timm_models.parameters(name)) > MAX_PARAMETERS:
        return (
            f"Encoder {encoder.key} has {count / 1e6:,.0f} million parameters. The limit on pages"
            f" is {MAX_PARAMETERS / 1e6:g} million. Choose a smaller model, or use this model in a"
            " shell."
        )
    if encoder.size > MAX_SIDE:
        return (
            f"Encoder {encoder.key} reads images of {encoder.size} × {encoder.size} pixels. The"
            f" limit on pages is {MAX_SIDE} × {MAX_SIDE}. Choose another model, or use this model"
            " in a shell."
        )
    return ""


def known_encoders() -> list[dict[str, Any]]:
    """A row for each encoder that has a name of its own: what is known of it without its weights,
    and its ``state``, ``there`` or what it lacks.
    """
    fields = ("key", "title", "dim", "size", "trained_on", "licence", "source")
    rows = [
        {field: getattr(row, field) for field in fields} | {"state": _lack(row) or AVAILABLE}
        for row in ENCODERS.values()
    ]
    for key, (name, words, trained_on) in CURATED.items():
        state = AVAILABLE if weights_files.on_disk(_hub(name)) else NOT_ON_DISK
        rows.append(
            {"key": key, "title": words, "trained_on": trained_on, "source": f"timm {name}"}
            | {"state": state}
        )
    return rows


def reads_names(key: str | None) -> bool:
    """Whether an encoder has a text tower that reads class names, and open_clip is installed."""
    name = model(key or "").partition("@")[0]
    return name in text_towers.TOWERS and util.find_spec("open_clip") is not None


def model(key: str) -> str:
    """timm's name of an encoder's model, with ``@FILE`` or ``@random`` where the key has it."""
    return CURATED[key][0] if key in CURATED else key.removeprefix(TIMM)


def _hub(name: str) -> str:
    """As ``timm_models.hub_of`` for the papers' models, without timm."""
    return f"timm/{name.replace('_clip_quickgelu_', '_clip_')}"


def _lack(row: Encoder) -> str:
    try:
        row.weights()
    except DpvizError as error:
        return str(error)
    return ""


@cached(256)
def _of_timm(name: str) -> bool:
    """Whether timm has such a model, with pictures prepared in a way that is known here."""
    try:
        get(f"{TIMM}{name}")
    except DpvizError:
        return False
    return True
