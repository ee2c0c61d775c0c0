"""Text towers: class names rank pictures as the pair of towers does; what is missing is said in a
sentence.
"""

import dataclasses
import sys
from functools import partial

import numpy as np
import pytest
import torch

from dpviz import encoders
from dpviz.data import preparation
from dpviz.encoders import text_towers, timm_models
from dpviz.encoders.embedding import embed, prepare
from dpviz.methods import adamix
from dpviz.types import Budget, DpvizError
from tests.kit.toys import toy_data

models, open_clip = (
    timm_models._timm().models,
    text_towers.package(),
)  # both after the shim for torchvision

SIDE, WIDE, JOINT = 32, 64, 24
CONFIG = {
    "embed_dim": JOINT,
    "quick_gelu": True,
    "vision_cfg": {"layers": 2, "width": WIDE, "patch_size": 16, "image_size": SIDE},
    "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 32, "heads": 2, "layers": 2},
}
NAMES = ("cat", "dog", "a red bus", "seven")
MODEL = "vit_tiny_clip_here"
default_cfgs = models.generate_default_cfgs(
    {
        MODEL: {
            "num_classes": JOINT,
            "input_size": (3, SIDE, SIDE),
            "crop_pct": 1.0,
            "first_conv": "patch_embed.proj",
            "classifier": "head",
        }
    }
)


@models.register_model
def vit_tiny_clip_here(pretrained=False, **extra):
    """The image tower of CONFIG as timm builds those of CLIP."""
    shape = {
        "img_size": SIDE,
        "patch_size": 16,
        "embed_dim": WIDE,
        "depth": 2,
        "num_heads": 1,
        "pre_norm": True,
    }
    shape |= {
        "norm_layer": partial(models.vision_transformer.LayerNorm, eps=1e-5),
        "act_layer": "quick_gelu",
    }
    return models.vision_transformer._create_vision_transformer(
        MODEL, pretrained=pretrained, **shape | extra
    )


@pytest.fixture(scope="module")
def pair():
    """Both towers, never trained, weights far from where they start."""
    torch.manual_seed(0)
    net = open_clip.CLIP(**CONFIG).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    return net


@pytest.fixture
def known(monkeypatch):
    """The tiny pair in the table and in open_clip."""
    plain, tokens = open_clip.get_model_config, open_clip.get_tokenizer
    monkeypatch.setitem(text_towers.TOWERS, MODEL, ("tiny", "nobody/tiny"))
    monkeypatch.setattr(
        open_clip, "get_model_config", lambda name: CONFIG if name == "tiny" else plain(name)
    )
    monkeypatch.setattr(open_clip, "get_tokenizer", lambda name: tokens("ViT-B-16"))


def saved(path, state):
    torch.save(state, path)
    return encoders.get(f"timm:{MODEL}@{path}")


def test_class_name_scores_rank_images_like_model_pair(tmp_path, pair, known):
    row = saved(tmp_path / "pair.pth", pair.state_dict())
    pictures = np.random.default_rng(0).integers(0, 256, (50, SIDE, SIDE, 3), np.uint8)
    features, rule = embed(pictures, row), row.texts(NAMES)
    with torch.inference_mode():
        images = pair.encode_image(prepare(torch.from_numpy(pictures), row)).numpy()
        read = pair.encode_text(
            open_clip.get_tokenizer("tiny")([f"a photo of a {n}." for n in NAMES]), normalize=True
        ).numpy()
    wanted, scores = images @ read.T, features @ rule.T
    np.testing.assert_allclose(
        scores / wanted, np.full_like(wanted, np.median(scores / wanted)), rtol=2e-3
    )
    assert np.linalg.norm(rule, axis=1).mean() == pytest.approx(1) and scores.std(1).min() > 0.01


def test_adamix_starts_from_names_and_states_public_inputs():
    rule = np.random.default_rng(1).normal(size=(2, 5)).astype(np.float32)
    data = dataclasses.replace(toy_data(classes=2, per_class=6, d=5), texts=lambda: rule)
    requests = adamix.METHOD.check({"init": "class-names", "beta": 3.0})
    np.testing.assert_array_equal(adamix.first_head(data, None, requests), np.float32(3) * rule)
    private = requests | {"public_use": "private", "clip_mode": "fixed", "rank": 0}
    plan = adamix.METHOD.plan(data.sizes, Budget(1.0), private)
    assert "the encoder and its text encoder; the class names;" in plan.guarantee.public
    cells = adamix.METHOD.fit(data, [plan], [0]).releases[0][0]
    assert cells.weights.shape == rule.shape


def test_missing_text_tower_message_lists_encoders_with_one():
    data = toy_data(classes=2, per_class=6, d=5)
    with pytest.raises(DpvizError, match="no text encoder.*clip-b16"):
        adamix.METHOD.plan(data.sizes, Budget(1.0), adamix.METHOD.check({"init": "class-names"}))
    read = dataclasses.replace(data, texts=lambda: np.zeros((2, 5)))
    assert read.sizes.texts and not preparation.prepare(read, "shift=0.1").sizes.texts


def test_files_without_text_tower_are_refused_with_message(tmp_path, pair, known):
    state = pair.state_dict()
    images = {name: value for name, value in state.items() if name.startswith("visual.")}
    with pytest.raises(DpvizError, match="has no text encoder"):
        saved(tmp_path / "images.pth", images).texts(NAMES)
    with pytest.raises(DpvizError, match="text encoder of another model"):
        saved(
            tmp_path / "wider.pth", state | {"text_projection": torch.zeros(32, 1 + JOINT)}
        ).texts(NAMES)


def test_missing_package_message_says_what_to_install(tmp_path, pair, known, monkeypatch):
    row = saved(tmp_path / "again.pth", pair.state_dict())
    monkeypatch.setitem(sys.modules, "open_clip", None)
    with pytest.raises(DpvizError, match="pip install open_clip_torch"):
        row.texts(NAMES)


@pytest.mark.parametrize("name", text_towers.TOWERS)
def test_every_text_tower_is_known_to_both_packages(name):
    row, config = (
        encoders.get(f"timm:{name}"),
        open_clip.get_model_config(text_towers.TOWERS[name][0]),
    )
    assert row.texts is not None and row.dim == config["vision_cfg"]["width"]
    assert ("quickgelu" in name) == config.get("quick_gelu", False)
