"""Refinement while idle on Trade-off: which seeds in memory a page shows, and when none."""

from dataclasses import replace

import pytest

from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.types import Budget
from dpviz.ui.live import refining
from dpviz.views.page_config import PageConfig
from tests.kit.seen import captions, page

METHODS = ("dppl-mean", "class-mean")


def link(own, **more):
    return page(own, m="dppl-mean", table="true", **more)


@pytest.fixture()
def in_memory(own):
    """Runs of the page at 10 seeds, as a refinement leaves them."""
    facts = {"ir": 10.0, "budget": Budget(1.0), "first_seed": 0, "seeds": 10, "methods": METHODS}
    view = PageConfig(uploads.display_path(uploads.path(own)), None, **facts)
    groups = view.groups()
    for group in groups:
        refining.WORK.results.put(group, experiment.sweep(group))
    yield view
    for group in groups:
        refining.WORK.results.drop(group)


def test_page_without_a_browser_shows_the_first_seeds(own):
    at = link(own)
    assert "over 5 [noise seeds]" in captions(at)
    assert "5 seeds (0–4). Refining: 5 of 60 seeds." in captions(at)
    assert not at.exception


def test_seeds_in_memory_are_shown_everywhere(own, in_memory):
    at = link(own)
    assert "over 10 [noise seeds]" in captions(at)
    assert "10 seeds (0–9). Refining: 10 of 60" in captions(at)
    table = next(frame.value for frame in at.dataframe if "seed" in frame.value)
    assert set(table["seed"]) >= set(range(10))


def test_chosen_number_of_seeds_is_kept(own, in_memory):
    at = link(own, n="2")
    assert "over 2 [noise seeds]" in captions(at) and "Refining" not in captions(at)


def test_link_from_page_without_switch_is_kept(own, in_memory):
    at = link(own, n="5")
    assert "over 5 [noise seeds]" in captions(at) and "Refining" not in captions(at)
    assert not at.toggle(key="refine").value


def test_switch_turns_refinement_off(own, in_memory):
    at = link(own, refine="false")
    assert "over 5 [noise seeds]" in captions(at) and "Refining" not in captions(at)


def test_other_settings_start_with_first_seeds(own, in_memory):
    at = link(own, seed="3")
    assert "over 5 [noise seeds]" in captions(at) and "5 seeds (3–7)" in captions(at)


def test_idle_refinement_step_matches_a_sweep(own, in_memory):
    finer = replace(in_memory, seeds=11)
    job = refining.JOBS
    refining._requests["who::"] = float("inf")
    try:
        done = job.ask("who::", finer.groups(), refining.WORK)
        assert done.finished.wait(60) and done.complete
    finally:
        del refining._requests["who::"]
    group = finer.groups()[-1]
    told = lambda some: [(run.spec.seed, run.scores.overall) for run in some]
    assert told(done.done[group]) == told(experiment.sweep(group))
    assert refining.in_memory(finer.groups())
    for one in finer.groups():
        refining.WORK.results.drop(one)
