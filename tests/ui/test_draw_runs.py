"""Accuracies of pages whose picture shows one data draw: they are means over all draws, as on
Trade-off, once these are computed.
"""

import pytest

from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.stats import accuracy
from dpviz.types import Budget
from dpviz.ui.live import refining, rerun_scheduling
from dpviz.views import data_draws
from dpviz.views.page_config import PageConfig
from tests.kit.seen import APP, captions, html, opened
from tests.kit.tiles import tiles

pytestmark = pytest.mark.slow

MEAN, ONE = "mean of 10 data draws", "1 data draw."


def page(own, name, **link):
    """A page on data whose draws differ, at the level Plain."""
    return opened(APP, {"data": own, "ir": "10", "voice": "plain"} | link, f"pages/{name}.py")


@pytest.fixture
def complete(monkeypatch):
    """Pages wait for all that they show, as those of an exported file do."""
    monkeypatch.setattr(rerun_scheduling, "no_browser", True)


def over_draws(own, method):
    facts = {"ir": 10.0, "budget": Budget(1.0), "first_seed": 0, "seeds": 5, "methods": (method,)}
    view = PageConfig(uploads.display_path(uploads.path(own)), None, **facts)
    group = data_draws.one_budget_group(view.spec(method))
    return accuracy(experiment.sweep(group), "minority")


@pytest.mark.parametrize(
    ("name", "method", "label"),
    [
        ("dp_means", "dppl-mean", "Rare classes"),
        ("public_prototypes", "dppl-public", "Rare classes"),
        ("who_pays", "noisy-gd", "Accuracy, rare classes"),
    ],
)
def test_accuracy_is_that_of_all_draws(own, complete, name, method, label):
    at = page(own, name)
    assert not at.exception
    value = f"{100 * over_draws(own, method).mean:.0f}%"
    assert tiles(at)[label][0] == value and MEAN in html(at) + captions(at)


def test_command_repeats_all_draws(own, complete):
    at = page(own, "dp_means", look="table")
    assert any("--draws 10 --seeds 5" in code.value for code in at.code)


@pytest.mark.parametrize("link", [{"draw": "1"}, {"n": "3"}, {"lesson": "noise"}])
def test_chosen_draw_and_lessons_keep_to_one_draw(own, complete, link):
    assert ONE in captions(page(own, "dp_means", **link))


def test_server_that_never_refines_shows_one_draw(own, complete, monkeypatch):
    monkeypatch.setattr(refining, "DISABLED", True)
    assert ONE in captions(page(own, "dp_means"))


def test_page_without_a_visitor_computes_one_draw(own):
    assert ONE in captions(page(own, "dp_means"))
