"""Encoders from timm: its own preprocessing, weights that are there or asked for, and source
logits.
"""

import hashlib
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from PIL import Image

from dpviz import encoders
from dpviz.encoders import CURATED, ENCODERS, text_towers, timm_models, weights_files
from dpviz.encoders.embedding import embed, prepare
from dpviz.types import DpvizError

RANDOM = "timm:test_resnet@random"


@pytest.fixture(scope="module")
def timm():
    return timm_models._timm()


@pytest.fixture(scope="module")
def pictures():
    """Smooth pictures with an edge, (3, 200, 260, 3) uint8: what photographs are like."""
    y, x = np.mgrid[:200, :260]
    waves = [127 + 120 * np.sin(x / 17 + k) * np.cos(y / (23 + k)) for k in range(9)]
    picture = np.stack(waves, -1).reshape(200, 260, 3, 3).transpose(2, 0, 1, 3)
    picture[:, 60:120, 90:150] = 10
    return picture.astype(np.uint8)


@pytest.mark.parametrize(
    "name", ["test_vit", "test_resnet", "resnet50.tv_in1k", "vit_base_patch16_clip_224.openai"]
)
def test_images_are_preprocessed_as_in_timm(timm, pictures, name):
    row = encoders.get(f"timm:{name}")
    config = timm.data.resolve_data_config(pretrained_cfg=timm.get_pretrained_cfg(name).to_dict())
    theirs = torch.stack(
        [timm.data.create_transform(**config)(Image.fromarray(p)) for p in pictures]
    )
    ours = prepare(torch.from_numpy(pictures), row)
    levels = (ours - theirs).abs() * 255 * torch.tensor(row.std).view(1, 3, 1, 1)
    assert ours.shape == theirs.shape
    assert (
        levels.mean() < 0.5 and levels.max() < 4
    )  # timm rounds to whole levels after each of two passes


@pytest.mark.parametrize("key", [key for key in CURATED if key.startswith("clip")])
def test_clip_images_are_preprocessed_as_in_openclip(pictures, key):
    clip, row = text_towers.package(), encoders.get(key)
    theirs = clip.image_transform(row.size, is_train=False, mean=row.mean, std=row.std)
    wanted = torch.stack([theirs(Image.fromarray(p)) for p in pictures])
    levels = (prepare(torch.from_numpy(pictures), row) - wanted).abs() * 255
    assert (levels * torch.tensor(row.std).view(1, 3, 1, 1)).mean() < 0.5


def test_squash_model_receives_whole_image(pictures):
    row = encoders.get("eva02-l")
    assert row.fit == "squash" and row.size == 448
    ready = prepare(torch.from_numpy(pictures[:, :, :, :]), row)
    flipped = prepare(torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 2, 1, 3))), row)
    torch.testing.assert_close(ready, flipped.transpose(2, 3), rtol=0, atol=1e-4)


def test_mean_and_sd_apply_per_channel(pictures):
    row = encoders.get("resnet50")
    grey = torch.full((1, row.size, row.size, 3), 255, dtype=torch.uint8)
    wanted = [(1 - m) / s for m, s in zip(row.mean, row.std, strict=True)]
    assert prepare(grey, row)[0, :, 5, 5].tolist() == pytest.approx(wanted)
    assert prepare(grey[..., 0], row)[0, :, 5, 5].tolist() == pytest.approx(wanted)


@pytest.mark.parametrize("key", CURATED)
def test_curated_encoders_are_known_to_timm_without_weights(key):
    row = encoders.get(key)
    assert (
        row.dim >= 768
        and row.channels == 3
        and len(row.mean) == len(row.std) == 3
        and row.size >= 224
    )
    assert (row.head is None) == (key in ("vit-l14-dinov2", "vit-h14") or key.startswith("clip"))


def test_features_are_penultimate_and_head_gives_logits(timm, pictures):
    row = encoders.get(RANDOM)
    features = embed(pictures, row)
    with torch.inference_mode():
        logits = timm_models._network(RANDOM, "test_resnet", "random")(
            prepare(torch.from_numpy(pictures), row)
        )
    assert features.shape == (3, row.dim) and row.head().weights.shape == (1000, row.dim)
    np.testing.assert_allclose(row.head().logits(features), logits, rtol=1e-4, atol=1e-4)


def test_bundled_encoder_head_fits_its_features(pictures):
    row = ENCODERS["lite0"]
    features = embed(pictures, row)
    with torch.inference_mode():
        whole = timm_models.in_order("tf_efficientnet_lite0", row.weights())
        logits = whole(prepare(torch.from_numpy(pictures), row)).numpy()
    np.testing.assert_allclose(row.head().logits(features), logits, rtol=1e-3, atol=1e-3)


def test_random_weights_are_reproducible_and_labeled():
    row = encoders.get(RANDOM)
    first, again = row.load().state_dict(), row.load().state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert "untrained" in row.title and "random" in row.trained_on and "random" in row.identity


def test_weights_file_is_used(tmp_path, timm, pictures):
    from safetensors.torch import save_file

    torch.manual_seed(5)
    state = timm.create_model("test_resnet").state_dict()
    save_file(state, tmp_path / "w.safetensors")
    torch.save({"state_dict": state}, tmp_path / "w.pth")
    rows = [
        encoders.get(f"timm:test_resnet@{tmp_path / name}") for name in ("w.safetensors", "w.pth")
    ]
    first, second = (embed(pictures, row) for row in rows)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, embed(pictures, encoders.get(RANDOM)))
    assert rows[0].identity != rows[1].identity != encoders.get(RANDOM).identity


class Harm:
    """A pickle that would run code."""

    def __reduce__(self):
        return (pytest.fail, ("code from the file ran",))


def test_invalid_weight_files_are_refused_with_message(tmp_path, timm):
    (tmp_path / "text.pth").write_text("no weights")
    (tmp_path / "harm.pth").write_bytes(pickle.dumps(Harm()))
    torch.save({"a": 1}, tmp_path / "other.pth")
    torch.save(timm.create_model("test_vit").state_dict(), tmp_path / "vit.pth")
    for name, words in [
        ("text", "has no weights"),
        ("harm", "has no weights"),
        ("other", "no state dict"),
        ("vit", "does not fit"),
    ]:
        with pytest.raises(DpvizError, match=words):
            encoders.get(f"timm:test_resnet@{tmp_path / name}.pth").load()
    with pytest.raises(DpvizError, match="which was not found"):
        encoders.get("timm:test_resnet@gone.pth").load()


def test_offline_message_says_what_to_fetch(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(weights_files, "_reachable", lambda: False)
    weights_files.from_hub.cache_clear()
    with pytest.raises(
        DpvizError,
        match="download model.safetensors from huggingface.co/timm/test_resnet.r160_in1k",
    ):
        encoders.get("timm:test_resnet").load()


COMMIT = "c" * 40


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub in a folder, that gives what stands there and remembers what was asked: the function
    that huggingface_hub has for it, with errors to raise and the commit that ``main`` stands for.
    """
    import huggingface_hub
    from huggingface_hub.errors import LocalEntryNotFoundError

    arguments = SimpleNamespace(
        asked=[], error=None, main=COMMIT, content=b"weights", here=tmp_path
    )

    def download(repository, file, revision, local_files_only):
        path = tmp_path / "hub" / repository / "snapshots" / (revision or arguments.main) / file
        arguments.asked.append((file, revision, local_files_only))
        if local_files_only and not path.exists():
            raise LocalEntryNotFoundError("not here")
        if not local_files_only:
            if arguments.error:
                raise arguments.error
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(arguments.content)
        return str(path)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setattr(weights_files, "_reachable", lambda: True)
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path / "cache"))
    return arguments


def weights(repository="timm/some", files=("model.safetensors",)):
    """As a process of its own would ask."""
    weights_files.from_hub.cache_clear()
    weights_files.digest.cache_clear()
    return weights_files.from_hub("key", "some", repository, files)


def test_first_downloaded_commit_is_pinned(hub):
    path = weights()
    assert weights_files.recorded_revision("timm/some") == {
        "revision": COMMIT,
        "sha256": {"model.safetensors": hashlib.sha256(b"weights").hexdigest()},
    }
    path.unlink()
    hub.main, hub.content = "d" * 40, b"weights"
    assert weights() == path and hub.asked[-1] == ("model.safetensors", COMMIT, False)


def test_changed_file_under_same_commit_is_refused(hub):
    weights().write_bytes(b"of someone else")
    with pytest.raises(DpvizError, match="differs from the first download .*Delete"):
        weights()


def test_known_revisions_are_requested(hub):
    for repository, commit in weights_files.REVISIONS.items():
        assert re.fullmatch("[0-9a-f]{40}", commit)
        assert weights(repository).parent.name == commit
    assert weights("timm/resnet50.a1_in1k@" + COMMIT).parent.name == COMMIT
    names = {timm_models._config(name).hf_hub_id for name, *_ in CURATED.values()}
    names |= {hub for _, hub in text_towers.TOWERS.values()}
    assert set(weights_files.REVISIONS) <= names


def _errors():
    import httpx2
    from huggingface_hub import errors

    return [
        errors.XetDownloadError("xet"),
        errors.LocalEntryNotFoundError("gone"),
        errors.RevisionResolutionError("which"),
        errors.FileMetadataError("no etag"),
        httpx2.ReadTimeout("slow"),
        httpx2.ProxyError("refused"),
        httpx2.ConnectError("no route"),
        OSError(28, "No space left on device"),
        RuntimeError("etag"),
    ]


@pytest.mark.parametrize("error", _errors(), ids=lambda error: type(error).__name__)
def test_hub_errors_become_messages(hub, error):
    hub.error = error
    with pytest.raises(
        DpvizError, match=r"are not downloaded, and the hub .*, download model.*\.$"
    ):
        weights()


def test_custom_hub_requires_https(hub, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setenv("HF_HUB_CACHE", str(hub.here))
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://hub.example.org")
    with pytest.raises(DpvizError, match="hub.example.org does not use https"):
        weights()


def test_model_without_weights_is_refused_unless_random(timm):
    name = next(m for m in timm.list_models() if not timm.get_pretrained_cfg(m).hf_hub_id)
    with pytest.raises(DpvizError, match=f"timm has no weights for {name}.*@random"):
        encoders.get(f"timm:{name}").load()


def test_unknown_model_error_suggests_similar_names():
    with pytest.raises(DpvizError, match="did you mean .*resnet50"):
        encoders.get("timm:resnet_50")
