"""A lock from what pip would install: ``pip install --dry-run --report - … | python -m
benchmarks._lock``.
"""

import json
import platform
import re
import sys

HEAD = """\
# What requirements.txt stands for, with all it brings and the SHA-256 of each file: made by
# `make lock` from PyPI for Python {python} on {system} {machine}. It holds PyPI's own torch, with
# its CUDA libraries; one for the CPU alone comes from another index and has another checksum.
# To install: pip install --require-hashes -r requirements.lock
"""


def lock(report: dict) -> str:
    """Lines of a requirements file, one package each, without index or path."""
    lines = []
    for item in report["install"]:
        facts, hashes = item["metadata"], item["download_info"]["archive_info"]["hashes"]
        name = re.sub("[-_.]+", "-", facts["name"]).lower()
        lines.append(f"{name}=={facts['version']} --hash=sha256:{hashes['sha256']}\n")
    platform_facts = {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "system": platform.system(),
        "machine": platform.machine(),
    }
    return HEAD.format(**platform_facts) + "".join(sorted(lines))


if __name__ == "__main__":
    sys.stdout.write(lock(json.load(sys.stdin)))
