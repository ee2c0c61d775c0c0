"""Write the screenshots of docs/images, light and dark. Needs Chromium.

PYTHONPATH=. python docs/site_build/screenshots.py [NAME ...]
"""

from __future__ import annotations

import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from dpviz.text import settings
from tests.kit.browser import CHROMIUM, FLAGS, serving

IMAGES = Path(__file__).resolve().parents[1] / "images"
DESK = (1280, 800)
#: Most bytes of a screenshot.
MAX_BYTES = 150_000
#: Milliseconds without a change until a page counts as complete, and the longest wait.
STILL, PATIENCE = 3_000, 120_000
#: Whether no more runs are computed for the answer.
FINAL = f"""[{settings.PRELIMINARY["draws"]!r}, {settings.REFINING["draws"]!r}]
    .every(words => !document.body.innerText.includes(words.split(":")[0] + ":"))"""


@dataclass(frozen=True)
class Shot:
    """A view: its address and the size of the window."""

    address: str
    size: tuple[int, int] = DESK


SHOTS = {
    "front": Shot("/"),
    "trade-off": Shot("/trade-off?ir=50&eps=1&score=minority&m=dppl-mean,dppl-public,noisy-gd"),
    "teach": Shot("/class?teach=plan"),
    "own-data": Shot("/data?tab=own"),
    "papers": Shot("/papers"),
    "quiz": Shot("/questions"),
}


def main(names: list[str]) -> None:
    """Write the named screenshots, or all."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), refine=True) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for name in names or SHOTS:
            width, height = SHOTS[name].size
            for scheme in ("light", "dark"):
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                page.goto(server["url"] + SHOTS[name].address)
                settle(page)
                page.wait_for_function(FINAL, timeout=PATIENCE)
                settle(page)
                save(page.screenshot(), IMAGES / f"{name}-{scheme}.webp")
                page.close()


def settle(page: Page) -> None:
    """Wait until the page has not changed for a while."""
    page.wait_for_function("document.querySelector('h1') !== null", timeout=PATIENCE)
    page.evaluate(
        """still => new Promise(done => {
            let timer = setTimeout(done, still);
            new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, still); })
                .observe(document.body, {subtree: true, childList: true, characterData: true});
        })""",
        STILL,
    )


def save(shot: bytes, path: Path) -> None:
    """Write a screenshot as WebP, at the highest quality that fits."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    for quality in (85, 75, 65, 50):
        image.save(path, quality=quality, method=6)
        if path.stat().st_size <= MAX_BYTES:
            return
    raise SystemExit(f"{path.name} has more than {MAX_BYTES:,} bytes.")


if __name__ == "__main__":
    main(sys.argv[1:])
