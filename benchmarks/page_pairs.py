"""Open every page after every other in one session and report any error.

Each ordered pair of pages follows once, 462 of 22 pages. Run: ``python benchmarks/page_pairs.py``;
the exit status is 1 if a page raised an exception. Pages are run without a browser.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Seconds after which a page counts as stuck.
PATIENCE = 300


def circuit(pages: list[str]) -> list[str]:
    """Closed walk that takes each ordered pair of different pages once (Hierholzer)."""
    left = {page: [other for other in pages if other != page] for page in pages}
    walk, stack = [], [pages[0]]
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            walk.append(stack.pop())
    return walk[::-1]


def main() -> int:
    """Walk all pairs; print errors and the time taken."""
    from streamlit.components.v2 import manifest_scanner
    from streamlit.testing.v1 import AppTest

    from dpviz.ui.live import rerun_scheduling

    rerun_scheduling.FIRST_PAUSE = 0.0
    scan = manifest_scanner.scan_component_manifests
    manifest_scanner.scan_component_manifests = cache(scan)
    pages = sorted(page.name for page in (ROOT / "pages").glob("*.py"))
    walk, begun = circuit(pages), time.perf_counter()
    pairs = set(itertools.pairwise(walk))
    assert len(pairs) == len(walk) - 1 == len(pages) * (len(pages) - 1)
    session, failed, before = AppTest.from_file(str(ROOT / "app.py")), 0, "nothing"
    for page in walk:
        session.switch_page(f"pages/{page}").run(timeout=PATIENCE)
        for error in session.exception:
            failed += 1
            print(f"{page} after {before}: {error.value}", flush=True)
        before = page
    seconds = time.perf_counter() - begun
    print(f"{len(pairs)} ordered pairs of {len(pages)} pages: {failed} errors, {seconds:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DPVIZ_CACHE", folder)
        sys.exit(main())
