"""Put a table into README.md between its marks, ``<!-- name: begin -->`` and ``<!-- name: end
-->``.

python -m benchmarks._readme audit < table.md
"""

from __future__ import annotations

import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"


def put(name: str, text: str) -> None:
    """Replace what stands between the marks of ``name``."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = README.read_text(encoding="utf-8").split(begin)
    after = rest.split(end)[1]
    README.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    put(sys.argv[1], sys.stdin.read())
