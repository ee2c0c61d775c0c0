"""Files of weights, on this disk or from the hub, at a commit that does not move; none of their
code is run.
"""

from __future__ import annotations

import hashlib
import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from dpviz.caches import cached
from dpviz.machine import public_mode
from dpviz.machine.files import cache_dir, write_atomic
from dpviz.machine.user_files import secure
from dpviz.types import DpvizError

REVISIONS = {
    "timm/vit_base_patch16_224.augreg2_in21k_ft_in1k": "063c6c38a5d8510b2e57df480445e94b231dad2c",
    "timm/resnet50.a1_in1k": "767268603ca0cb0bfe326fa87277f19c419566ef",
    "timm/swin_base_patch4_window7_224.ms_in22k_ft_in1k": (
        "a6a1eb2321b4f556fa0fa243fb777d47679f13c9"
    ),
    "timm/vit_base_patch16_clip_224.openai": "977e3dd0ec55ab8da155f2fbeb6b5f54948b6e3d",
    "timm/vit_large_patch14_clip_224.openai": "18d0535469bb561bf468d76c1d73aa35156c922b",
    "laion/CLIP-ViT-H-14-laion2B-s32B-b79K": "1c2b8495b28150b8a4922ee1c8edee224c284c0c",
}
"""Commits of the hub's repositories that are asked for. Any other repository is held to the commit
that came first.

Source: each stands in three or more public projects that have nothing to do with each other, as
the commit that they pin or that the hub gave them.
"""


FILES = ("model.safetensors", "pytorch_model.bin")


@cached(16)
def from_hub(key: str, name: str, hub: str, files: tuple[str, ...] = FILES) -> Path:
    """A file of a repository of the hub, from this disk where it is there.

    Args:
        key: of the encoder, for refusals; name: timm's, for the remedy.
        hub: ``repository`` or ``repository@revision``; files: the first of them that is there.

    Raises:
        DpvizError: where there is none, saying what to fetch; for a file that is another than the
            first that came of the same commit.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    repository, revision = _commit(hub)
    reason = UNREACHED
    for offline in (
        True,
        False,
    ):  # what is on this disk first: the hub asks six times before it gives up
        for file in files:
            try:
                if not (offline or _reachable()):
                    continue
                path = hf_hub_download(
                    repository, file, revision=revision or None, local_files_only=offline
                )
            except LocalEntryNotFoundError:
                continue
            except DpvizError:
                raise
            except Exception as error:  # its client passes on what four libraries raise
                cause = getattr(error, "strerror", None) or type(error).__name__
                reason = f"the hub refused the download ({cause})"
                continue
            return _as_first(repository, Path(path))
    raise DpvizError(_remedy(key, name, hub, files[0], reason))


UNREACHED = "the hub cannot be reached"


def _remedy(key: str, name: str, hub: str, file: str, reason: str) -> str:
    repository, revision = _commit(hub)
    revision_text = f" at revision {revision}" if revision else ""
    instruction = (
        f"download {file} from huggingface.co/{repository} on another machine and use it in a shell"
    )
    return (
        f"The weights of {key}{revision_text} are not downloaded, and {reason}. To use them,"
        f" {instruction}: timm:{name}@FILE."
    )


def lacking(key: str, name: str, hub: str) -> str:
    """What ``from_hub`` would refuse with, without fetching anything; empty where the weights are
    on this disk or the hub is there to be asked.
    """
    if on_disk(hub) or _reachable():
        return ""
    return _remedy(key, name, hub, FILES[0], UNREACHED)


def on_disk(hub: str) -> bool:
    """Whether a file of weights lies on this disk, at the commit that ``from_hub`` asks for."""
    repository, revision = _commit(hub)
    if not (_hub_folder() / f"models--{repository.replace('/', '--')}").is_dir():
        return False  # and the hub's client, slow to import, need not be asked
    from huggingface_hub import try_to_load_from_cache

    paths = (try_to_load_from_cache(repository, file, revision=revision or None) for file in FILES)
    return any(isinstance(path, str) for path in paths)


def repositories_of(owner: str) -> list[str]:
    """Names of an owner's repositories of which the hub's folder on this disk has something."""
    folders = _hub_folder().glob(f"models--{owner}--*")
    return sorted(path.name.removeprefix(f"models--{owner}--") for path in folders)


def _hub_folder() -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def _commit(hub: str) -> tuple[str, str]:
    """Repository, and the commit of it that is asked for; empty where any will do."""
    repository, _, revision = hub.partition("@")
    return (
        repository,
        revision or REVISIONS.get(repository) or recorded_revision(repository).get("revision", ""),
    )


def recorded_revision(repository: str) -> dict[str, Any]:
    """What came first of a repository: ``revision``, a commit, and ``sha256`` of each file; empty
    where nothing did.
    """
    try:
        record = json.loads(_record(repository).read_text())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _record(repository: str) -> Path:
    return cache_dir() / "weights" / f"{repository.replace('/', '--')}.json"


def _as_first(repository: str, path: Path) -> Path:
    """The same path, once its file was found to be what came first of that commit."""
    revision, file, checksum = path.parent.name, path.name, digest(path)
    record = recorded_revision(repository)
    files = record.get("sha256", {}) if record.get("revision") == revision else {}
    if files.get(file, checksum) != checksum:
        raise DpvizError(
            f"{file} of {repository} differs from the first download of the same commit (sha256"
            f" {checksum}, not {files[file]}). Delete {path} and try again."
        )
    if file not in files:
        facts = {"revision": revision, "sha256": {**files, file: checksum}}
        write_atomic(_record(repository), lambda out: out.write(json.dumps(facts).encode()))
    return path


@cached(16)
def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _reachable() -> bool:
    """Whether the hub's name is known here, or a proxy stands for it.

    Raises:
        DpvizError: for a hub of one's own without https, and in public mode.
    """
    public_mode.refuse("downloads")
    from huggingface_hub.constants import ENDPOINT

    address = urlsplit(secure(ENDPOINT))
    try:
        return bool(getproxies().get(address.scheme)) or bool(
            socket.getaddrinfo(address.hostname, address.port or 443)
        )
    except OSError:
        return False


def read_state(path: Path) -> dict[str, Any]:
    """The tensors of a ``.safetensors`` or ``torch.save``d file, read without running code from it.

    Raises:
        DpvizError: for a file that is neither.
    """
    import torch

    try:
        if path.suffix == ".safetensors":
            from safetensors.torch import load_file

            return load_file(path)
        state = torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:
        problem = f"{path.name} has no weights ({type(error).__name__})"
        raise DpvizError(f"{problem}. Use .safetensors, or torch.save of a state dict.") from error
    state = (
        state.get("state_dict", state.get("model", state)) if isinstance(state, Mapping) else None
    )
    if not state or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise DpvizError(
            f"{path.name} has no state dict. Save model.state_dict(), or use .safetensors."
        )
    return dict(state)
