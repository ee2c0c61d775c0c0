"""The page "Neural collapse" in a real browser: keyboard moves it, every look fits a phone, reset
leaves it.
"""

from tests.kit.browser import PATIENCE, PHONE_IN_THE_DARK, every_look_fits, sentence, settled

LINK = (
    "neural-collapse?voice=precise&data=etf&etf.dim=16&etf.n=300&etf.beta=0.1&beside=&n=2"
    "&noisy-gd.steps=10"
)
LOOKS = {
    "Dimension": "That dimension hurts private training",
    "Public PCA": "Kept to K − 1 = 9 public directions",
    "Imbalance and offset": "That imbalance is harmless by itself",
    "Class by class": "All are 0 in a perfect collapse",
}


def begin(page, server):
    page.goto(f"{server['url']}/{LINK}")
    page.get_by_text("All are 0 in a perfect collapse").wait_for(timeout=PATIENCE)
    settled(page)


def test_keyboard_moves_budget_and_shift_kept_in_link(page, server):
    begin(page, server)
    before = sentence(page, r"At IR 1 and \(1, 1e-5\)-DP privacy costs")
    page.get_by_role("slider", name="Budget ε").focus()
    page.keyboard.press("ArrowLeft")
    after = sentence(page, r"At IR 1 and \(0\.5, 1e-5\)-DP privacy costs")
    settled(page)
    page.get_by_role("slider", name="Feature shift β").focus()
    page.keyboard.press("ArrowRight")
    shifted = sentence(page, r"\(0\.5, 1e-5\)-DP privacy costs .*β\s=\s0\.11")
    settled(page)
    assert (
        len({before, after, shifted}) == 3 and "eps=0.5" in page.url and "etf.beta=0.11" in page.url
    )
    page.reload()
    assert sentence(page, "At IR 1") == shifted


@PHONE_IN_THE_DARK
def test_every_view_fits_phone_in_dark_mode(page, server):
    begin(page, server)
    every_look_fits(page, LOOKS.items())
