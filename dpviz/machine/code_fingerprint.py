"""Digests of the code, so that stored numbers are never used for new code."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
#: Tables beside the code move numbers as code does.
HASHED_SUFFIXES = (".py", ".toml")
#: Texts, which change no number.
TEXTS = ("content/", "papers/claims/", "text/")
#: Code that changes no stored number; all other code is in the digest.
MOVES_NO_NUMBER = (
    *("plots/", "ui/", "views/", "cli/", "content/", "text/", "diagnostics/", "audits/", "papers/"),
    *(
        "formatting.py",
        "stats.py",
        "shares.py",
        "types/line_style.py",
        "__main__.py",
        "machine/pdf.py",
        "machine/notes.py",
    ),
    *(
        "machine/sandbox.py",
        "machine/scratch.py",
        "machine/ownership.py",
        "data/untrusted_files.py",
    ),
    *("data/uploads.py", "experiments/embedding_work.py", "encoders/availability.py"),
    *(
        "experiments/jobs.py",
        "machine/fair_queue.py",
        "machine/executor.py",
        "experiments/worker_processes.py",
        "experiments/cluster.py",
    ),
    *("experiments/sweep_files.py", "experiments/sweep_process.py", "experiments/cleanup.py"),
    *("experiments/tuning.py", "experiments/study_files.py"),
    *(
        "experiments/release_file.py",
        "experiments/result_files.py",
        "experiments/reproduce.py",
        "experiments/repeated.py",
        "experiments/method_verdicts.py",
    ),
)


def digest(root: Path = PACKAGE, left_out: tuple[str, ...] = MOVES_NO_NUMBER) -> str:
    """Return a hash of the places and texts of all code below ``root`` that is not left out."""
    checksum = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in HASHED_SUFFIXES):
        place = path.relative_to(root).as_posix()
        if not place.startswith(left_out):
            checksum.update(f"{place}\n".encode() + path.read_bytes())
    return checksum.hexdigest()[:12]


@cache
def own() -> str:
    """Return the digest of this package at its first use."""
    return digest()


@cache
def whole() -> str:
    """Return the digest of all modules of this package at its first use."""
    return digest(left_out=TEXTS)
