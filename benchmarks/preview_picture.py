"""The picture that stands beside a shared link: what the mechanism picks for each digit at three
budgets, written to ``dpviz/ui/assets/preview.png``.

Needs Chromium.

    PYTHONPATH=. python benchmarks/preview_picture.py
"""

from __future__ import annotations

import subprocess
import tempfile
from base64 import b64encode
from pathlib import Path

from dpviz.diagnostics import prototype_choices
from dpviz.experiments import experiment
from dpviz.machine import pdf
from dpviz.plots.kit.drawing import class_order
from dpviz.plots.kit.png import png
from dpviz.types import Budget, RunSpec
from dpviz.ui.server import link_previews

BUDGETS, SEED = (10.0, 1.0, 0.1), 0
SIDES = ("more accurate", "", "more private")
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 44px 48px; width: 1104px; height: 542px; background: #fff;
  font: 24px/1.3 sans-serif; color: #1f2430; overflow: hidden }}
h1 {{ font-size: 31px; margin: 14px 0 48px; white-space: nowrap; letter-spacing: -0.02em }}
table {{ border-spacing: 8px 14px; margin: 0 -8px }}
th {{ font-weight: 400; text-align: left; width: 176px; font-size: 22px; color: #5f4dc4 }}
th b {{ display: block; color: #1f2430 }}
img {{ width: 84px; border-radius: 6px; display: block; image-rendering: pixelated }}
p {{ display: flex; justify-content: space-between; margin: 28px 0 0 186px }}
</style><h1>{title}</h1><table>{rows}</table>
<p><span>← many pictures each</span><span>few each →</span></p>"""


def rows() -> str:
    """A row a budget, a column a digit, the largest class first."""
    spec = RunSpec("mnist5k", "glyphnet", "dppl-public", Budget(1.0), public="glyphs", ir=50.0)
    data = experiment.prepared(spec)
    draws = prototype_choices.draws(spec, BUDGETS, (SEED,))
    assert data.thumbnails is not None
    made = []
    for budget, side, picks in zip(BUDGETS, SIDES, draws.chosen[:, 0], strict=True):
        pictures = data.thumbnails("public", picks[class_order(data.counts)])
        cells = (
            f'<td><img src="data:image/png;base64,{b64encode(png(picture)).decode()}">'
            for picture in pictures
        )
        made.append(f"<tr><th><b>ε = {budget:g}</b>{side}</th>{''.join(cells)}</tr>")
    return "".join(made)


def main() -> None:
    """Draw it."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(PAGE.format(title=link_previews.START[0], rows=rows()), encoding="utf-8")
        size = f"--window-size={link_previews.WIDTH},{link_previews.HEIGHT}"
        shot = f"--screenshot={link_previews.PICTURE}"
        program = pdf.browser() or "chromium"
        command = [program, *pdf.FLAGS, "--no-sandbox", "--hide-scrollbars", size, shot]
        subprocess.run([*command, page.as_uri()], check=True, capture_output=True)
    print(link_previews.PICTURE, link_previews.PICTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
