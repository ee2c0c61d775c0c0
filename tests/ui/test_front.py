"""The front page: what its numbers are, what it needs, where old links lead."""

import json
import math
import os
import subprocess
import sys
from dataclasses import asdict
from statistics import fmean

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.diagnostics import attack_bound
from dpviz.experiments import experiment
from dpviz.machine.files import cache_dir
from dpviz.text import front as text
from dpviz.types import unit_rows
from dpviz.ui.front import answer, wrong_addresses
from dpviz.views import front_page
from tests.kit.seen import APP
from tests.kit.whole_app import ROOT
from tests.ui.test_first_chart import COMPUTES

NAME = "clothes"
OPEN = """
import sys
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("app.py", default_timeout=120)
page.query_params["pictures"] = sys.argv[1]
page.run()
assert not page.exception and page.get("bidi_component")
print(*sys.modules)
"""


@pytest.mark.parametrize(
    ("names", "old"),
    [
        ((), False),
        (("privacy", "pictures", "voice"), False),
        (("utm_source", "fbclid"), False),
        (("m", "eps"), True),
        (("privacy", "dppl-mean.clip"), True),
        (("lesson", "step"), True),
        (("only",), True),
        (("ask",), True),
        (("present",), True),
    ],
)
def test_old_root_links_are_recognized(names, old):
    assert wrong_addresses.is_old(list(names)) == old


def shown(at):
    """What the browser is sent."""
    return json.loads(at.get("bidi_component")[-1].proto.json)


@pytest.mark.slow
def test_every_number_comes_from_a_run():
    at = AppTest.from_file(APP, default_timeout=120)
    at.query_params["pictures"] = NAME
    at.run()
    assert not at.exception and not at.error
    told = shown(at)
    quiet = experiment.run(front_page.spec(NAME, float("inf")))
    public = experiment.run(front_page.public_run(NAME))
    places = [0, front_page.BUDGETS.index(1.0), len(front_page.BUDGETS) - 1]
    for place in places:
        runs = [
            experiment.run(front_page.spec(NAME, front_page.BUDGETS[place], seed))
            for seed in range(front_page.SEEDS)
        ]
        mean = round(100 * fmean(run.scores.minority for run in runs))
        without = round(100 * quiet.scores.minority)
        tiles = {label: value for label, value, *_ in told["places"][place]["tiles"]}
        rare, guess, quiet_tile, alone = tiles.values()
        counts = [count for *_, count in told["places"][place]["tiles"]]
        assert counts[0] == f"{front_page.SEEDS} runs, 1 data draw"
        assert rare == f"{mean}%" and quiet_tile == f"{without}%"
        assert alone == f"{100 * public.scores.minority:.0f}%"
        most = 100 * attack_bound.success_bound(runs[0].guarantee, 0.5)
        assert guess == f"{math.ceil(10 * most) / 10:g}%" or "more than 99" in guess
        halves = [
            now < before / 2
            for now, before in zip(runs[0].scores.per_class, quiet.scores.per_class, strict=True)
        ]
        assert told["places"][place]["lost"] == halves
        card = dict(map(tuple, told["places"][place]["card"]))
        assert card[text.GUARANTEE] == f"pure DP, ε = {front_page.BUDGETS[place]:g}"
        assert most == 100 or any(f"{math.ceil(10 * most) / 10:g}%" in v for v in card.values())
        assert f"--budget {front_page.BUDGETS[place]}" in told["places"][place]["command"]
    assert len({json.dumps(place) for place in told["places"]}) == len(told["places"])
    constant = dict(map(tuple, told["card"])).values()
    assert runs[0].guarantee.unit in constant and runs[0].guarantee.adjacency in constant


@pytest.mark.slow
def test_front_images_match_the_released_run():
    spec = front_page.spec(NAME, 1.0)
    rows = list(front_page.picks(NAME).rows[front_page.BUDGETS.index(1.0)])
    released = unit_rows(experiment.release(spec).weights)
    assert np.allclose(released, unit_rows(experiment.prepared(spec).x_public[rows]), atol=1e-6)


@pytest.mark.slow
def test_damaged_images_are_recomputed_stored_page_computes_nothing():
    kept = front_page.picks(NAME)
    (file,) = (
        path for path in (cache_dir() / "front").iterdir() if path.stem == front_page._key(NAME)
    )
    file.write_bytes(file.read_bytes()[:-9])
    assert asdict(front_page.picks(NAME)) == asdict(kept)
    public = front_page.public_run(NAME)
    experiment.sweep([public, *(spec for group in front_page.groups(NAME) for spec in group)])
    command = [sys.executable, "-c", OPEN, NAME]
    found = subprocess.check_output(command, cwd=ROOT, env=os.environ, text=True).split()
    assert not set(found) & COMPUTES


def test_marks_are_placed_at_their_budget():
    places = [answer._slider_place(budget) for budget in front_page.BUDGETS]
    assert places == pytest.approx(range(len(front_page.BUDGETS)))
    assert 12 < answer._slider_place(1.2) < 13
