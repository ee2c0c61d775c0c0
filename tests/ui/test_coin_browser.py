"""The coin of a private answer as the browser runs it is audited as every mechanism is.

Its draws are the browser's own, new every time: a bound above its claim comes in less than one of
1,000 runs at CONFIDENCE, and the count of what falls in one of a million.
"""

import math

import numpy as np
import pytest

from dpviz import privacy
from dpviz.audits.bounds import lower_bound
from dpviz.ui.assets import asset

pytestmark = pytest.mark.slow
RUNS = 20_000
EPSILON = 1.0
TOSSED = """([script, threshold, runs]) => {
  const recorded = new Function(`${script}; return coinFalls`)();
  const digit = ({ said, through }) => (said === "yes") + 2 * through;
  const each = { length: runs };
  const told = (own) => Array.from(each, () => digit(recorded(own, threshold))).join("");
  return [told("yes"), told("no")];
}"""


def tossed(page, epsilon, script=None):
    """What the browser records of so many yes and so many no: (2, RUNS, 2) bool, the answer and
    whether the own one got through.
    """
    given = [script or asset("coin.js"), privacy.coin_threshold(epsilon), RUNS]
    digits = np.array([list(map(int, told)) for told in page.evaluate(TOSSED, given)])
    return np.stack([digits % 2 == 1, digits > 1], axis=2)


def shown(answers):
    return lower_bound(*answers[..., 0].astype(float), privacy.one_answer("coin", EPSILON))


@pytest.fixture
def blank(browser):
    """No page of the app: the script alone."""
    tab = browser.new_page()
    yield tab
    tab.close()


def test_browser_coin_stays_within_claim_variants_are_caught(blank):
    assert 0.8 * EPSILON < shown(tossed(blank, EPSILON)) <= EPSILON
    assert shown(tossed(blank, 2 * EPSILON)) > EPSILON
    signed = asset("coin.js").replace("first < threshold", "(first | 0) < threshold")
    assert signed != asset("coin.js")
    assert shown(tossed(blank, EPSILON, signed)) > EPSILON, "a threshold for signed numbers"


def test_browser_coin_falls_at_stated_rate(blank):
    """Both draws, within 5 standard deviations."""
    answers = tossed(blank, EPSILON)
    honesty = privacy.coin_threshold(EPSILON) / privacy.COIN_STEPS
    near = lambda share, chance, n: abs(share - chance) < 5 * math.sqrt(chance * (1 - chance) / n)
    for own, got in zip((True, False), answers, strict=True):
        said, through = got.T
        assert near(through.mean(), honesty, RUNS) and (said[through] == own).all()
        assert near(said[~through].mean(), 0.5, (~through).sum())
