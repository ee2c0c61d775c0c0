"""The public set we draw ourselves: 62 characters in matplotlib's text fonts, bent like
handwriting.

Every picture follows from ``SEED`` and the constants below, so the set needs no download and holds
nobody's record. Sizes and centring follow MNIST: a 20-pixel box, centre of mass in the middle.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dpviz.caches import cached
from dpviz.machine.threads import parallel_map

if TYPE_CHECKING:
    import torch
    from PIL.ImageFont import FreeTypeFont

VERSION = 2  # raise it whenever a constant or a step below changes: caches are keyed by it
SEED = 20_240
COPIES = 22  # of each character in each font: 62 * 22 * 22 = 30,008 pictures
CHARACTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
FONTS = (
    *("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSans-BoldOblique"),
    *(
        "DejaVuSansMono",
        "DejaVuSansMono-Bold",
        "DejaVuSansMono-Oblique",
        "DejaVuSansMono-BoldOblique",
    ),
    *("DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSerif-Italic", "DejaVuSerif-BoldItalic"),
    *("STIXGeneral", "STIXGeneralBol", "STIXGeneralItalic", "STIXGeneralBolIta"),
    *("cmr10", "cmb10", "cmss10", "cmti10", "cmtt10", "cmmi10"),
)
SIDE = 28
CANVAS = 36  # side of the bent glyph before it is brought to 28 pixels
STROKES = 4  # widths a drawing comes in
_DRAWING_SIDE = 56  # side of the drawing it is bent from
_KNOTS = 4  # the elastic shift is free at 4 x 4 places and smooth between
_CHUNK = 1024  # pictures a pass: small enough to stay in the processor's cache


@cached(1)
def drawings() -> np.ndarray:
    """Each character, font and stroke width once: (62 * 22 * STROKES, 56, 56) uint8 in that order,
    white on black.
    """
    import matplotlib
    from PIL import ImageFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    fonts = [ImageFont.truetype(str(folder / f"{name}.ttf"), 64) for name in FONTS]
    return _strokes(
        np.stack([_draw(font, character) for character in CHARACTERS for font in fonts])
    )


def _strokes(drawing: np.ndarray) -> np.ndarray:
    """Thinner, as drawn, thicker, thicker still: (n, h, w) uint8 to (n * STROKES, h, w)."""
    thin = 255 - _spread(255 - drawing)
    is_thin = thin.sum((1, 2)) > 0.5 * drawing.sum((1, 2))  # hairlines would fade away
    thin = np.where(is_thin[:, None, None], thin, drawing)
    bold = (drawing.mean((1, 2)) > 0.25 * 255)[:, None, None]  # bold ones would fill up
    thick = np.where(bold, drawing, _spread(drawing))
    thicker = np.where(bold, drawing, _spread(thick))
    return np.stack([thin, drawing, thick, thicker], 1).reshape(-1, _DRAWING_SIDE, _DRAWING_SIDE)


def _spread(image: np.ndarray) -> np.ndarray:
    """Brightest of each 3 x 3 neighbourhood."""
    for axis in (1, 2):
        padded = np.pad(image, [(0, 0), *((int(axis == a),) * 2 for a in (1, 2))])
        width = image.shape[axis]
        image = np.max([np.take(padded, range(s, s + width), axis) for s in range(3)], axis=0)
    return image


def _draw(font: FreeTypeFont, character: str) -> np.ndarray:
    """One character with its longer side 40 pixels, in the middle of 56 x 56, uint8."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = font.getbbox(character)
    glyph = Image.new("L", (int(right - left), int(bottom - top)))
    ImageDraw.Draw(glyph).text((-left, -top), character, fill=255, font=font)
    scale = 40 / max(glyph.size)
    wide, high = (max(1, round(side * scale)) for side in glyph.size)
    canvas = Image.new("L", (_DRAWING_SIDE, _DRAWING_SIDE))
    canvas.paste(
        glyph.resize((wide, high), Image.Resampling.BOX),
        ((_DRAWING_SIDE - wide) // 2, (_DRAWING_SIDE - high) // 2),
    )
    return np.asarray(canvas)


def order() -> np.ndarray:
    """Drawing behind each picture, (30008,) int64: a fixed shuffle, so any slice holds all
    characters.
    """
    base = np.repeat(np.arange(len(CHARACTERS) * len(FONTS)), COPIES)
    return np.random.default_rng(SEED).permutation(base)


def labels() -> np.ndarray:
    """(30008,) int64 index into ``CHARACTERS``. Known without drawing anything."""
    return order() // len(FONTS)


def pictures() -> np.ndarray:
    """The whole set: (30008, 28, 28) uint8."""
    import torch

    base, rows = torch.from_numpy(drawings()), torch.from_numpy(order())

    @torch.inference_mode()
    def chunk(start: int) -> torch.Tensor:
        generator = torch.Generator().manual_seed(SEED + start)
        return bend(base[pick_stroke(rows[start : start + _CHUNK], generator)], generator)

    _shapes()  # before the threads, so that they do not each make it
    return torch.cat(list(parallel_map(chunk, range(0, len(rows), _CHUNK)))).numpy()


def pick_stroke(rows: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Rows of ``drawings()`` for (n,) character-font rows, each in a random stroke width."""
    import torch

    return rows * STROKES + torch.randint(STROKES, (len(rows),), generator=generator)


def bend(drawing: torch.Tensor, generator: torch.Generator, elastic: float = 0.15) -> torch.Tensor:
    """Random handwriting-like versions of drawings.

    Args:
        drawn: (n, 56, 56) uint8.
        generator: the only randomness.
        elastic: largest elastic shift, as a share of half the picture.

    Returns:
        (n, 28, 28) uint8.
    """
    import torch.nn.functional as F

    image = drawing[:, None].float()
    warped = F.grid_sample(image, _bent(len(image), generator, elastic), align_corners=False)
    centred = F.grid_sample(warped, _normalised(warped[:, 0], generator), align_corners=False)
    return centred[:, 0].mul_(1.2).clamp_(max=255).round_().byte()


def _uniform(n: int, low: float, high: float, generator: torch.Generator) -> torch.Tensor:
    import torch

    return torch.rand(n, generator=generator) * (high - low) + low


@cached(1)
def _shapes() -> torch.Tensor:
    """Smooth functions of the canvas: x, y and the elastic knots' bumps, (2 + 16, 36 * 36)."""
    import torch
    import torch.nn.functional as F

    knots = torch.eye(_KNOTS**2).view(-1, 1, _KNOTS, _KNOTS)
    bumps = F.interpolate(knots, (CANVAS, CANVAS), mode="bicubic", align_corners=True).flatten(1)
    line = _line(CANVAS)
    return torch.cat([line.repeat(CANVAS)[None], line.repeat_interleave(CANVAS)[None], bumps])


def _line(side: int) -> torch.Tensor:
    """Middles of ``side`` pixels across [-1, 1]."""
    import torch

    return torch.linspace(-1 + 1 / side, 1 - 1 / side, side)


def _bent(n: int, generator: torch.Generator, elastic: float) -> torch.Tensor:
    """Random rotation, slant, aspect and elastic shift: sampling places (n, 36, 36, 2)."""
    import torch

    turn = _uniform(n, -0.25, 0.25, generator)
    slant = _uniform(n, -0.5, 0.5, generator)
    wide = torch.exp(_uniform(n, -0.3, 0.3, generator)) * 1.1
    high = torch.full((n,), 1.1)
    strength = _uniform(n, 0.02, elastic, generator)[:, None]
    shift = torch.randn(2, n, _KNOTS**2, generator=generator) * strength
    x = torch.stack([turn.cos() * wide, slant * wide - turn.sin() * high], 1)
    y = torch.stack([turn.sin() * wide, turn.cos() * high], 1)
    weights = torch.cat([torch.stack([x, y]), shift], 2)
    return (weights @ _shapes()).permute(1, 2, 0).reshape(n, CANVAS, CANVAS, 2)


def _normalised(image: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Bring the ink's longer side to about 20 of 28 pixels, its centre of mass to the middle: (n,
    28, 28, 2).
    """
    import torch

    n, line = len(image), _line(CANVAS)
    columns, rows = image.sum(1), image.sum(2)
    mass = columns.sum(1).clamp(min=1)
    centre = torch.stack([columns @ line, rows @ line], 1) / mass[:, None]
    centre += _uniform(2 * n, -0.02, 0.02, generator).view(n, 2)
    extent = (
        torch.maximum((columns > 128).sum(1), (rows > 128).sum(1)).clamp(min=CANVAS // 5) / CANVAS
    )
    scale = extent * SIDE / _uniform(n, 18.0, 20.5, generator)
    places = torch.cartesian_prod(_line(SIDE), _line(SIDE)).flip(1).view(1, SIDE, SIDE, 2)
    return places * scale[:, None, None, None] + centre[:, None, None]
