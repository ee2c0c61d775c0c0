"""Refinement while idle on Trade-off: which runs in memory a page shows, and when none."""

import re
from dataclasses import replace

import pytest

from dpviz.data import uploads
from dpviz.experiments import experiment
from dpviz.types import Budget
from dpviz.ui.live import refining
from dpviz.views import page_config
from dpviz.views.page_config import DRAW_STEPS, PageConfig
from tests.kit.charts import result
from tests.kit.seen import captions, html, page

METHODS = ("dppl-mean", "class-mean")


def link(own, **more):
    return page(own, **{"m": "dppl-mean", "tab": "table", "draws": "1"} | more)


def view_of(own, methods=METHODS, **more):
    facts = {"ir": 10.0, "budget": Budget(1.0), "first_seed": 0, "seeds": 5, "methods": methods}
    return PageConfig(uploads.display_path(uploads.path(own)), None, **facts | more)


@pytest.fixture()
def in_memory(own):
    """Runs of the page at 10 seeds, as a refinement leaves them."""
    view = view_of(own, seeds=10)
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


def test_new_settings_make_no_finer_curves(own, monkeypatch):
    made = []
    monkeypatch.setattr(page_config, "_grid", lambda *grid: made.append(grid))
    monkeypatch.setattr(refining, "_is_on", lambda view: True)
    view = view_of(own, ir=7.0)
    assert refining.refined_view(view) == view and not made


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


RIVALS = ("dppl-mean", "noisy-gd", "class-mean")


def made_up(spec):
    """On draw 0 the probe is far ahead; on the other draws it is behind as far."""
    ahead = (spec.draw == 0) == (spec.method == "noisy-gd")
    share = (0.8 if ahead else 0.5) + 0.01 * (spec.seed % 3) + 0.02 * spec.draw
    run = result(spec.method, spec.budget.value, spec.seed, share)
    return replace(run, spec=spec, seconds=0.01)


@pytest.fixture()
def made_up_draws(own):
    """Made-up runs of the first draw and of the first step of the refinement."""
    once = view_of(own, RIVALS)
    step = DRAW_STEPS[0]
    several = replace(once, seeds=step.seeds, draws=step.draws)
    groups = [group for view in (once, several) for group in view.groups() + view.quiet()]
    for group in groups:
        refining.WORK.results.put(group, [made_up(spec) for spec in group])
    yield several
    for group in groups:
        refining.WORK.results.drop(group)


def compared(own, **more):
    """The page of two private methods: chart title, all HTML, captions, commands."""
    at = page(own, m="dppl-mean,noisy-gd", tab="table", **more)
    code = " ".join(block.value for block in at.code)
    words = html(at).replace("\u00a0", " ")
    return re.search(r'dp-finding">([^<]*)', words)[1].strip(), words, captions(at), code


def test_verdict_uses_all_draws_in_memory(own, made_up_draws):
    title, words, below, code = compared(own)
    assert "5 data draws (0–4) with 5 seeds each (0–4)." in below
    assert title.startswith("DPPL-Mean does not differ significantly from the private linear probe")
    assert "data draw" not in title and "Preliminary" not in words, "five draws are an answer"
    assert "Rare classes" in words
    assert "--draws 5 --seeds 5" in code


def test_chosen_draw_is_shown_alone(own, made_up_draws):
    title, words, below, code = compared(own, draws="1")
    assert "5 seeds (0–4). Refining: 5 of 60 seeds." in below and "--draws" not in code
    assert "Rare classes" in words, "the same name, however many draws there are"
    assert title.endswith("significantly better than DPPL-Mean on one data draw")


def test_other_draw_is_refined_by_seeds(own):
    below = captions(link(own, draws="auto", draw="3"))
    assert "Refining: 5 of 60 seeds." in below


def test_page_begins_with_one_draw(own):
    below = captions(link(own, draws="auto"))
    assert "5 seeds (0–4). Refining: 1 of 10 data draws, 5 of 50 runs per point." in below


def test_stored_runs_are_read_once_all_are_there(own, monkeypatch):
    view = view_of(own, seeds=6)
    assert not refining._recall(view), "an upload is never looked up for somebody else"
    monkeypatch.setattr(refining, "DATASETS", {view.dataset: None})
    groups = view.groups()
    specs = [spec for group in groups for spec in group]
    references = [spec for spec in specs if spec.method == "class-mean"]
    experiment.sweep(references)
    assert not refining._recall(view) and not refining.in_memory(groups)
    stored = experiment.sweep(specs)
    for group in groups:
        refining.WORK.results.drop(group)
    assert refining._recall(view) and refining.in_memory(groups)
    found = [run for group in groups for run in refining.WORK.results.get(group)]
    assert [run.scores for run in found] == [run.scores for run in stored]


def test_setup_computes_only_steps_below_its_limit(own, monkeypatch):
    view = view_of(own, seeds=5)
    first = experiment.sweep([spec for group in view.groups() for spec in group])
    swept = []
    monkeypatch.setattr(refining.experiment, "sweep", lambda specs: swept.append(specs) or [])
    monkeypatch.setattr(refining.WORK.results, "put", lambda group, runs: None)
    slow = [replace(run, seconds=refining.MAX_AHEAD) for run in first]
    refining.compute_ahead(view, slow)
    assert not swept
    refining.compute_ahead(view, [replace(run, seconds=0.001) for run in first])
    seeds = {spec.seed for spec in swept[0]}
    assert len(seeds) > 5 or {spec.draw for spec in swept[0]} != {0}
