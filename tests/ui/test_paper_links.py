"""Every control that a claim's link sets is one that its page draws, at a value that it takes.

Read off the tables that the controls themselves are made from, since opening a hundred pages takes
minutes.
"""

import ast
import math
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from dpviz import papers
from dpviz.data import DATASETS, public_available, synthetic
from dpviz.data.data_set_table import HELD_ASIDE
from dpviz.diagnostics import mean_estimators
from dpviz.encoders.encoder_table import CURATED, ENCODERS
from dpviz.experiments.tuning import SAMPLERS
from dpviz.formatting import METRICS
from dpviz.methods import METHODS
from dpviz.methods.components import pixel_students, students
from dpviz.methods.components.teachers import KINDS as TEACHER_KINDS
from dpviz.methods.components.teachers import POOLS
from dpviz.papers import model, verdicts
from dpviz.papers.checks import collapse_experiments, mixed_runs, prototype_curves
from dpviz.papers.checks import votes as vote_checks
from dpviz.text import grid, trade_off
from dpviz.text import teachers_vote as student_text
from dpviz.types import AXES, DpvizError
from dpviz.ui.attackers_view.controls import DESIGNS
from dpviz.ui.dp_means import estimators
from dpviz.ui.dp_means import sections as means
from dpviz.ui.mixed_privacy import controls as mixed
from dpviz.ui.mixed_privacy import curves_section
from dpviz.ui.mixed_privacy import sections as mixed_looks
from dpviz.ui.neural_collapse import against_dimension, theory
from dpviz.ui.neural_collapse import changed_features as changed
from dpviz.ui.neural_collapse import sections as collapse
from dpviz.ui.public_prototypes import sections as public
from dpviz.ui.teachers_vote import controls as teachers
from dpviz.ui.teachers_vote import sections as votes
from dpviz.ui.tuning.controls import MAX_TRIALS
from dpviz.ui.who_pays import controls as who_pays
from dpviz.ui.widgets import shared_controls
from dpviz.views import panels
from dpviz.views.maps_page import MAPS, fitting

TOGGLE = {"true", "false"}
PRIVATE = {key for key, row in METHODS.items() if row.private}
MATERIAL = {
    "data": {key for key, row in DATASETS.items() if "private" in row.roles} | {synthetic.KEY},
    "enc": {*ENCODERS, *CURATED},
    "ir": {str(ratio) for ratio in shared_controls.RATIOS},
}
SEEDS = {str(count) for count in range(1, 21)}
RUNS = MATERIAL | {"eps": float, "axis": AXES, "delta": float, "score": METRICS, "records": int}
"""Controls of every page that runs methods; ``float``: a positive number, ``int``: a whole one."""
PANELS = {"across": panels.ORDERS, "down": {*panels.ORDERS, "none"}}
SOME = {"g.dataset": MATERIAL["data"], "g.encoder": {*ENCODERS, *CURATED}}
SOME |= {"g.ir": MATERIAL["ir"], "g.records": int}
BY_PAGE = {
    "trade-off": RUNS
    | {"n": SEEDS}
    | {"m": METHODS, "as": grid.KINDS, "sizes": trade_off.SIZE_VIEWS}
    | PANELS
    | SOME,
    "dp-means": RUNS | {"n": SEEDS, "look": means.SECTIONS},
    "public-prototypes": RUNS | {"n": SEEDS, "see": public.SECTIONS},
    "maps": RUNS | {"n": SEEDS, "map": MAPS},
    "tuning": RUNS
    | {
        "tm": {key for key in PRIVATE if METHODS[key].params},
        "sampler": SAMPLERS,
        "trials": {str(count) for count in range(2, MAX_TRIALS + 1)},
    },
    "teachers-vote": MATERIAL
    | {
        "look": votes.SECTIONS,
        "M": {str(count) for count in teachers.TEACHERS},
        "asked": {str(count) for count in teachers.QUERIES},
        "teach": TEACHER_KINDS,
        "pool": POOLS,
        "delta": float,
        **{name: {str(share) for share in range(121)} for name in ("T", "s1", "s2")},
    },
    "data": {},
    "mixed-privacy": RUNS
    | {
        "mix": mixed_looks.SECTIONS,
        "pre": mixed.by_link_name(mixed.PRIVATE),
        "shots": {str(count) for count in mixed.SHOTS},
        "lrx": {f"{rate:g}" for rate in mixed.RATES},
    },
    "attackers-view": RUNS | {"attacked": METHODS, "design": DESIGNS, "auc": TOGGLE},
    "who-pays": RUNS | {"a": PRIVATE, "b": PRIVATE, "scale": who_pays.SCALES, "seed": {"0"}},
    "neural-collapse": RUNS | {"look": collapse.SECTIONS, "beside": ENCODERS, "n": SEEDS},
}
"""By page: name in the link, and what it may be."""
TABLES = dict.fromkeys(("prompts", "scratch", "others"), TOGGLE)
TABLES |= {"a-to-f": student_text.SCRATCH_TITLES}
STUDENT = {
    "sees": {"", "pixels", *ENCODERS},
    "learns": {*students.KINDS, *pixel_students.KINDS},
    "printed": TOGGLE,
}
AXIS = {f"m{name}": {f"{v:g}" for v in mean_estimators.AXES[name]} for name in estimators.AXES}
SIZES = {str(n) for n in theory.SIZES}
MOVES_BY = {f"{step / 100:g}" for step in range(51)}
MOVED = {"signs", "train", "test", "offset"}
BY_LOOK = {
    ("dp-means", "means"): AXIS | {"maxis": estimators.AXES},
    ("teachers-vote", "tables"): TABLES,
    ("teachers-vote", "learned"): STUDENT,
    ("mixed-privacy", "curves"): {"curves": curves_section.KINDS, "encs": ENCODERS},
    ("mixed-privacy", "attacked"): {"design": DESIGNS},
    ("neural-collapse", "needed"): {
        "moved": MOVED,
        "along": theory.SHIFT_CURVES,
        "err": theory.ERROR_LEVELS,
    },
    ("neural-collapse", "theorems"): {
        "thm": theory.RECORD_CHARTS,
        "tn": SIZES,
        "tp": theory.DIMS,
        "tb": theory.SHIFTS,
    },
    ("neural-collapse", "dim"): {"move": changed.MOVES, "by": MOVES_BY},
    ("neural-collapse", "map"): {"mn": SIZES},
    ("neural-collapse", "skew"): {"off": MOVES_BY},
    ("neural-collapse", "moved"): {
        "by-method": against_dimension.TRAINING,
        "moved-by": against_dimension.MOVES,
        "moved-who": against_dimension.MOVED_RECORDS,
        "moved-far": MOVES_BY,
    },
    ("neural-collapse", "kept"): {
        "by-method": against_dimension.TRAINING,
        "kept-noise": MOVES_BY,
    },
    **{("public-prototypes", look): {"over": {"now", "all"}} for look in ("k", "size", "set")},
}
"""Of a closer look alone."""
THEOREMS = sorted({key.removesuffix("-apart") for key in theory.RECORD_CHARTS})
LISTS = {"m", "attacked", "encs", "pre", "beside", *SOME}


def unread(address: str) -> list[str]:
    """What of a link its page would not take."""
    parts = urlsplit(address)
    said = {key: values[0] for key, values in parse_qs(parts.query, True).items()}
    look = said.get("look") or said.get("see") or said.get("mix") or ""
    takes = BY_PAGE[parts.path] | BY_LOOK.get((parts.path, look), {})
    if parts.path == "maps" and said.get("map") in MAPS:
        takes = takes | {"mapped": fitting(said["map"])}
    if "data" in said or parts.path != "data":
        found = public_available(said.get("data", "mnist5k"))
        takes = takes | {"pub": {HELD_ASIDE, *found, ""}}
    return [f"{key}={value}" for key, value in said.items() if not _takes(takes, key, value, said)]


def _takes(takes, key, value, said) -> bool:
    if key in takes:
        every = value.split(",") if key in LISTS else [value]
        return all(_fits(takes[key], one) for one in every)
    method, _, name = key.partition(".")
    if method in METHODS:
        METHODS[method].check({name: _number(value)})
        return True
    made_up = {f"{synthetic.KEY}.{param.name}": param for param in synthetic.PARAMS}
    if said.get("data") != synthetic.KEY or key not in made_up:
        return False
    return made_up[key].check(_number(value)) is not None


def _number(value):
    try:
        return float(value)
    except ValueError:
        return value


def _fits(allowed, value) -> bool:
    if allowed is float:
        return 0 < float(value) < math.inf
    if allowed is int:
        return value.isdecimal() and int(value) > 0
    return value in allowed


CLAIMS = papers.claims()
ADDRESSES = sorted({link.address for claim in CLAIMS for link in claim.links})


def test_every_claim_link_is_valid_for_its_page():
    wrong = {address: bad for address in ADDRESSES if (bad := unread(address))}
    assert not wrong


DECIDE = {
    "trade-off": {"data", "enc", "ir", "eps", "delta", "score", "m"},
    "teachers-vote": {"data", "enc", "ir", "delta", "pub", "M", "T", "s1", "s2", "asked", "look"},
    "mixed-privacy": {"data", "enc", "ir", "eps", "delta", "score", "pub", "shots"},
    "who-pays": {"data", "enc", "ir", "eps", "delta", "pub", "a", "b"},
    "neural-collapse": {"data", "enc", "ir", "eps", "delta", "score"},
}
PAPER_AXIS = {"data", "enc", "ir", "axis", "eps", "score"}
"""On the axes of the prototypes' papers δ changes nothing that is drawn."""
DPPL = dict.fromkeys(("trade-off", "dp-means", "maps", "tuning", "public-prototypes"), PAPER_AXIS)
NAMED = dict.fromkeys(("prompts", "mixed", "collapse"), DECIDE)
NAMED |= dict.fromkeys(("prototypes", "beyond_the_mean"), DPPL)
"""What a link of a row that was tried on data names, by paper and page: all that decides what is
seen."""
TRIED = [
    claim
    for paper in NAMED
    for claim in papers.claims(paper)
    if claim.links and set(claim.grounds) & set(model.ENCODERS)
]


WITHOUT_LINK = {"omniglot-60"}
"""Data sets on which claims are tried, but not linked: the table of the row has the figures."""


@pytest.mark.parametrize("claim", TRIED, ids=lambda claim: claim.key)
def test_data_claims_link_to_their_tested_settings(claim):
    """The page's own settings would show other numbers than the row."""
    links = [urlsplit(link.address) for link in claim.links]
    linked = {data for link in links for data in parse_qs(link.query)["data"]}
    assert linked == set(claim.grounds) - WITHOUT_LINK
    assert not [link for link in links if NAMED[claim.paper][link.path] - set(parse_qs(link.query))]


def settings_in_links(paper, name):
    """Settings of each link of a paper that names a control."""
    every = {link.address for claim in papers.claims(paper) for link in claim.links}
    given = [dict(parse_qsl(urlsplit(address).query)) for address in every]
    return [one for one in given if name in one]


@pytest.mark.parametrize("paper", ["prototypes", "beyond_the_mean"])
def test_links_to_equal_clothes_name_checked_records(paper):
    equal = prototype_curves.equal(model.Ground("clothes"), {"ir": 1.0})["records"]
    links = settings_in_links(paper, "ir")
    views = [one for one in links if one["data"] == "clothes" and one["ir"] == "1"]
    assert {one["records"] for one in views if "g.records" not in one} == {str(equal)}


def test_links_name_the_settings_of_the_checks():
    shots = [given["shots"] for given in settings_in_links("mixed", "shots")]
    assert set(shots) == {str(mixed_runs.SHOTS), "20"} and shots.count("20") == 2
    for given in settings_in_links("prompts", "prom-pate.teachers"):
        assert given["prom-pate.teachers"] == str(vote_checks.TEACHERS)
    for given in settings_in_links("prompts", "pub"):
        assert given["pub"] == vote_checks.PUBLIC[given["data"]]
    for name in ("moved-far", "kept-noise"):
        far = {given[name] for given in settings_in_links("collapse", name)}
        assert far == {f"{collapse_experiments.MOVED_BY:g}"}


def test_best_drawn_settings_in_links_match_verdict():
    [claim] = [claim for claim in CLAIMS if claim.key == "beyond-f19"]
    found, prefix = verdicts.stored()[0], "dppl-mean-trained."
    for link in claim.links:
        said = parse_qs(urlsplit(link.address).query)
        mine = {key.removeprefix(prefix): v[0] for key, v in said.items() if key.startswith(prefix)}
        words = ", ".join(f"{name} {value}" for name, value in mine.items())
        assert words in found["beyond-f19", said["data"][0]].because


def test_theory_claims_link_to_budget_and_view():
    """Class by class has no budget."""
    queries = {
        link.address: parse_qs(urlsplit(link.address).query)
        for claim in papers.claims("collapse")
        if claim.check
        for link in claim.links
    }
    shown = {at: set(said) for at, said in queries.items() if said.get("look") != ["class"]}
    assert not [at for at, named in shown.items() if not {"data", "eps"} <= named]


@pytest.mark.parametrize("key", THEOREMS)
def test_theorem_links_open_that_theorem(key):
    """And not at another one."""
    linked = [
        values[0]
        for claim in papers.claims("collapse")
        if f"Theorem {key}" in claim.place
        for link in claim.links
        for values in [parse_qs(urlsplit(link.address).query).get("thm")]
        if values
    ]
    assert linked
    assert {name.removesuffix("-apart") for name in linked} == {key}


@pytest.mark.parametrize(
    ("address", "bad"),
    [
        ("trade-off?epz=3&eps=1", ["epz=3"]),
        ("trade-off?ir=7&score=vibes", ["ir=7", "score=vibes"]),
        ("trade-off?m=dppl-mean,gone", ["m=dppl-mean,gone"]),
        ("dp-means?look=pool&mradius=30", ["mradius=30"]),
        ("dp-means?look=means&mradius=31", ["mradius=31"]),
        ("neural-collapse?look=theorems&thm=9.9", ["thm=9.9"]),
        ("neural-collapse?etf.beta=0.1", ["etf.beta=0.1"]),
        ("maps?map=gone&mapped=dppl-mean", ["map=gone", "mapped=dppl-mean"]),
        ("mixed-privacy?pub=moon", ["pub=moon"]),
    ],
)
def test_unknown_page_parameter_is_detected(address, bad):
    assert unread(address) == bad


def test_method_setting_is_checked_against_its_method():
    with pytest.raises(DpvizError, match="must be one of"):
        unread("dp-means?dppl-mean.form=gone")
    assert unread("dp-means?dppl-mean.form=coinpress") == []


def test_link_names_exist_in_page_code():
    """A control that is renamed takes its name out of the tables above."""
    root = Path(panels.__file__).parents[1]
    written = {
        node.value
        for path in root.joinpath("ui").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    written |= {
        node.value
        for path in root.parent.joinpath("pages").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {key for some in (*BY_PAGE.values(), *BY_LOOK.values()) for key in some}
    assert named - set(AXIS) - set(SOME) <= written
