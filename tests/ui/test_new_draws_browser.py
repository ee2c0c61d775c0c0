"""New noise in an exported file: 1,000 draws by its own script equal those of Python."""

import random

import numpy as np
import pytest

from dpviz.machine.threads import one_numeric_thread
from dpviz.mechanisms import portable_gumbels, portable_normals
from dpviz.mechanisms.portable_noise import portable_uniforms
from dpviz.methods import dppl_mean
from dpviz.types import Budget
from dpviz.ui.assets import asset
from dpviz.ui.explorable import draws_section, page_file
from dpviz.ui.explorable.spec import Spec
from dpviz.views import new_draws
from dpviz.views.page_config import PageConfig
from tests.kit import axe
from tests.kit.from_disk import fits, opened

DRAWS = 1000
PLACES = random.Random(41).sample(range(3001), DRAWS)
"""Of the slider."""
PRESS = """(places) => {
  const [section, drawn] = [document.querySelector(".nd"), []];
  const [range, button] = [section.querySelector("input"), section.querySelector("button")];
  section.addEventListener("drawn", (event) => drawn.push(event.detail));
  for (const place of places) {
    range.value = place;
    button.click();
  }
  return drawn;
}"""
"""Presses the button once at each place of the slider; returns the draws."""
SCALE_TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The file of Trade-off with one method, one budget and two ratios."""
    place = tmp_path_factory.mktemp("file") / "page.html"
    settings = {
        "m": dppl_mean.KEY,
        "pub": "uci-digits",
        "n": "1",
        "draws": "1",
        "score": "balanced",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        spec = Spec("trade-off", settings, "", {"eps": ("1",), "ir": ("1", "50")}, new_noise=True)
        place.write_text(page_file.build(spec, "python -m dpviz explorable spec.toml"))
    return place


@pytest.fixture(scope="module")
def means():
    methods = {"methods": (dppl_mean.KEY,), "first_seed": 0, "seeds": 1}
    view = PageConfig(dataset="mnist5k", encoder="glyphnet", ir=50.0, budget=Budget(1.0), **methods)
    return new_draws.means(view, "balanced")


def unequal(drawn, carried):
    """Draws of a page that differ from Python's in accuracy, chosen images or noise scale."""
    with one_numeric_thread():
        expected = [carried.draw(draw["epsilon"], draw["seed"]) for draw in drawn]
    return [
        draw
        for draw, own in zip(drawn, expected, strict=True)
        if (tuple(draw["accuracies"]), tuple(draw["chosen"])) != (own.accuracies, own.chosen)
        or abs(draw["scale"] / own.scale - 1) > SCALE_TOLERANCE
    ]


def test_script_draws_the_noise_of_python(browser):
    draw = """([seed, count]) => {
      SCRIPT
      return [words, normals, gumbels].map((kind) => [...kind(seed, count)]);
    }"""
    page = browser.new_page()
    for seed in (1, 0xFFFFFFFF):
        drawn = page.evaluate(draw.replace("SCRIPT", asset("portable_draws.js")), [seed, 20_001])
        words, normals, gumbels = map(np.array, drawn)
        assert np.array_equal((words + 0.5) * 2.0**-32, portable_uniforms(seed, 20_001))
        np.testing.assert_allclose(normals, portable_normals(seed, 20_001), 1e-12, 1e-15)
        np.testing.assert_allclose(gumbels, portable_gumbels(seed, 20_001), 1e-12, 1e-15)
    page.close()


def test_thousand_draws_equal_those_of_python(browser, file, means):
    assert file.stat().st_size < draws_section.MAX_BYTES == 2_000_000
    with opened(browser, file, "#ir=50") as tab:
        drawn = tab.evaluate(PRESS, PLACES)
        assert tab.locator(".nd-number").nth(1).inner_text().endswith("1 at this ε")
    assert len({(draw["seed"], draw["epsilon"]) for draw in drawn}) == DRAWS
    assert min(draw["epsilon"] for draw in drawn) < 0.02
    assert max(draw["epsilon"] for draw in drawn) > 9
    assert not unequal(drawn, means)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("(1 + MARGIN) /", "1.01 /"),  # noise 1% too large
        ("0xcd9e8d57", "0xcd9e8d59"),  # another generator
        ("2 * Math.PI *", "Math.PI *"),
    ],
)
def test_faulty_script_is_found(browser, file, means, tmp_path, right, wrong):
    faulty = tmp_path / "faulty.html"
    words = file.read_text()
    assert right in words
    faulty.write_text(words.replace(right, wrong))
    with opened(browser, faulty, "#ir=50", bypass_csp=True) as tab:
        drawn = tab.evaluate(PRESS, PLACES[:50])
    for draw in drawn:
        draw["scale"] = means.draw(draw["epsilon"], draw["seed"]).scale
    assert len(unequal(drawn, means)) > 25, "the accuracies alone show it"


def test_section_follows_sliders_and_fits_phones(browser, file, means):
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with opened(browser, file, "#ir=1", **phone) as tab:
        number, dots = tab.locator(".nd-number strong"), tab.locator(".nd-dots circle")
        tab.get_by_role("button", name="Draw 100 times").click()
        dots.nth(99).wait_for(state="attached")
        tab.get_by_role("button", name="Clear draws").click()
        assert dots.count() == 0
        tab.get_by_role("button", name="Draw new noise").click()
        assert dots.count() == 1
        before = number.first.inner_text()
        tab.get_by_role("slider", name="Imbalance ratio").press("End")
        dots.wait_for(state="detached")  # other sums, other draws
        assert number.first.inner_text() == f"{100 * means.draw(1.0, 1).accuracies[0]:.0f}%"
        assert number.first.inner_text() != before
        tab.get_by_role("slider", name="ε", exact=True).press("Home")
        assert tab.locator(".nd output").inner_text() == "0.01"
        assert number.first.inner_text() == f"{100 * means.draw(0.01, 1).accuracies[0]:.0f}%"
        assert fits(tab)
        assert not axe.problems(tab)
