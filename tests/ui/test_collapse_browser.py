"""The page "Neural collapse" in a real browser: keyboard moves it, every look fits a phone, reset
leaves it.
"""

import re

from dpviz.text import neural_collapse as text
from tests.kit.browser import (
    PATIENCE,
    PHONE_IN_THE_DARK,
    every_look_fits,
    sentence,
    settled,
    visit,
)

ONE_VISIT = True
LINK = (
    "neural-collapse?voice=precise&data=etf&etf.dim=16&etf.n=300&etf.beta=0.1&beside=&n=2"
    "&noisy-gd.steps=10&eps=1"
)
LOOKS = {
    text.TABS["dimension"]: text.ONCE_PERTURBED,
    text.VIEWS["pca"]: r"With K − 1\s=\s9 public directions",
    text.TABS["imbalance"]: text.SKEW_CLAIM,
    text.TABS["classes"]: "All measures are zero in a perfect collapse",
}


def begin(page, server):
    ready = lambda: page.get_by_text("Setting in the paper").wait_for(timeout=PATIENCE)
    visit(page, f"{server['url']}/{LINK}", ready, moved=True)


def test_keyboard_moves_budget_and_shift_kept_in_link(page, server):
    begin(page, server)
    before = sentence(page, r"At \(1, 1e-5\)-DP, noise")
    page.get_by_role("slider", name="Privacy budget ε").focus()
    page.keyboard.press("ArrowLeft")
    after = sentence(page, r"At \(0\.5, 1e-5\)-DP, noise")
    settled(page)
    page.get_by_role("slider", name="Feature shift β").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text(re.compile(r"β\s=\s0\.11")).first.wait_for(timeout=PATIENCE)
    settled(page)
    shifted = sentence(page, r"\(0\.5, 1e-5\)-DP, noise")
    assert before != after and "eps=0.5" in page.url and "etf.beta=0.11" in page.url
    page.reload()
    assert sentence(page, r"At \(") == shifted
    settled(page)
    for name, key in (("Feature shift β", "ArrowLeft"), ("Privacy budget ε", "ArrowRight")):
        page.get_by_role("slider", name=name).press(key)  # so that the other views are not computed
        page.wait_for_timeout(300)  # for further settings
        settled(page)


@PHONE_IN_THE_DARK
def test_every_view_fits_phone_in_dark_mode(page, server):
    begin(page, server)
    every_look_fits(page, LOOKS.items())
