"""Visual prompts through the bundled encoder, and the encoders' own heads."""

import dataclasses

import numpy as np
import pytest
import torch

from dpviz.data import bundled, synthetic_glyphs
from dpviz.encoders import ENCODERS
from dpviz.encoders.embedding import embed
from dpviz.methods.components import prompts, teachers
from dpviz.types import Dataset
from tests.methods.test_teachers import moved, without


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """Three kinds of UCI digits as pictures and features."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("digits")))
        splits = bundled.uci_digits()
    rows = {name: np.flatnonzero(splits[name].labels < 3) for name in ("train", "test")}
    parts = {
        "train": rows["train"][:90],
        "public": rows["train"][90:120],
        "test": rows["test"][:40],
    }
    source = {"train": splits["train"], "public": splits["train"], "test": splits["test"]}
    pixels = {name: source[name].pixels[some] for name, some in parts.items()}
    y = {name: source[name].labels[some] for name, some in parts.items()}
    row = ENCODERS["glyphnet"]
    x = {name: embed(images, row) for name, images in pixels.items()}
    return Dataset(
        "digits",
        "glyphnet",
        x["train"],
        y["train"],
        x["test"],
        y["test"],
        ("0", "1", "2"),
        "three digits",
        x["public"],
        y["public"],
        "same",
        lambda split, some: pixels[split][some],
        np.arange(90),
        head=row.head,
    )


def test_bundled_encoder_head_names_its_characters():
    head, generator = ENCODERS["glyphnet"].head(), torch.Generator().manual_seed(0)
    rows = torch.arange(0, len(synthetic_glyphs.CHARACTERS) * len(synthetic_glyphs.FONTS), 5)
    drawn = synthetic_glyphs.bend(
        torch.from_numpy(synthetic_glyphs.drawings())[
            synthetic_glyphs.pick_stroke(rows, generator)
        ],
        generator,
    ).numpy()
    messages = head.logits(embed(drawn, ENCODERS["glyphnet"])).argmax(1)
    characters = [synthetic_glyphs.CHARACTERS[row // len(synthetic_glyphs.FONTS)] for row in rows]
    assert head.weights.shape == (48, 128) and sum(map(len, head.names)) == 62
    assert np.mean([c in head.names[k] for c, k in zip(characters, messages, strict=True)]) > 0.9, (
        "by chance 2%"
    )


def test_framed_prompt_leaves_image_inside_unchanged(digits):
    pixels = digits.thumbnails("test", np.arange(2))
    for framed in (True, False):
        on = prompts.canvas(digits, 0.75, framed)
        placed = on.place(on.prepare(pixels))
        prompted = on.prompt(placed, torch.ones(1, 1, 28, 28))
        outputs = (prompted != placed).all(0)[0]
        assert int(outputs.sum()) == (28**2 - 21**2 if framed else 28**2)
        assert not framed or torch.equal(placed[:, :, 0, 0], on.black[:, :, 0, 0].expand(2, 1))


@pytest.mark.parametrize("mapping", ["fc1", "fc2"])
def test_prompts_learn_and_are_reproducible(mapping, digits):
    first = teachers.votes(digits, "prompt", 3, mapping=mapping)
    assert first.right.mean() > 0.7 and (first.counts.argmax(1) == first.truth).mean() > 0.8
    teachers._votes.cache_clear()
    again = teachers._count(
        digits, teachers.Ensemble("prompt", 3, mapping=mapping), teachers._silent
    )
    assert np.array_equal(first.counts, again.counts)


def test_prompt_uses_only_its_own_shard(digits):
    fewer = dataclasses.replace(without(digits, 5), rows=np.delete(digits.rows, 5))
    teacher, votes = moved(digits, fewer, "prompt", 3)
    assert teacher == 1 and votes <= 2
