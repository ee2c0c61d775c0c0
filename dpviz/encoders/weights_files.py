"""Files of weights, on this disk or from the hub; none of their code is run."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from dpviz.caches import remembered
from dpviz.types import DpvizError


@remembered(16)
def from_hub(
    key: str,
    name: str,
    hub: str,
    files: tuple[str, ...] = ("model.safetensors", "pytorch_model.bin"),
) -> Path:
    """A file of a repository of the hub, from this disk where it is there.

    Args:
        key: of the encoder, for refusals; name: timm's, for the remedy.
        hub: ``repository`` or ``repository@revision``; files: the first of them that is there.

    Raises:
        DpvizError: where there is none, saying what to fetch.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    repository, _, revision = hub.partition("@")
    reason = "the hub cannot be reached"
    for offline in (
        True,
        False,
    ):  # what is on this disk first: the hub asks six times before it gives up
        for file in files:
            try:
                if offline or _reachable():
                    return Path(
                        hf_hub_download(
                            repository, file, revision=revision or None, local_files_only=offline
                        )
                    )
            except LocalEntryNotFoundError:
                continue
            except (OSError, ValueError) as error:
                reason = f"the hub did not give them ({type(error).__name__})"
    where = (
        f"download {files[0]} of huggingface.co/{repository} elsewhere and name it:"
        f" timm:{name}@FILE"
    )
    raise DpvizError(f"The weights of {key} are not on this disk and {reason}; {where}.")


def _reachable() -> bool:
    """Whether the hub's name is known here, or a proxy stands for it."""
    from huggingface_hub.constants import ENDPOINT

    address = urlsplit(ENDPOINT)
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
        what = f"{path.name} holds no weights ({type(error).__name__})"
        raise DpvizError(f"{what}; use .safetensors, or torch.save of a state dict.") from error
    state = (
        state.get("state_dict", state.get("model", state)) if isinstance(state, Mapping) else None
    )
    if not state or not all(isinstance(value, torch.Tensor) for value in state.values()):
        raise DpvizError(
            f"{path.name} holds no state dict; save model.state_dict(), or use .safetensors."
        )
    return dict(state)
