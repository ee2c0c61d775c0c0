"""What a page shows is what the command and the code printed beside it give: on random views, and
on every page with a command.
"""

import csv
import json
import re
import shlex
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpviz.cli import main
from dpviz.types import AXES
from tests.kit.own_files import with_paths
from tests.kit.seen import html, sentence
from tests.kit.sweeps import ran
from tests.kit.whole_app import opened

pytestmark = pytest.mark.slow

SHOWN = ("overall", "balanced", "minority")
COLUMN = {name: name for name in SHOWN} | {"minority": "private_view.minority"}


@contextmanager
def elsewhere(tmp_path_factory):
    """An empty store: what is asked for is computed anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(tmp_path_factory.mktemp("elsewhere")))
        yield


def shell(command, capsys):
    """What a printed command prints."""
    capsys.readouterr()
    assert main(shlex.split(command)[3:]) == 0
    return json.loads(capsys.readouterr().out)


def agrees(at, capsys, tmp_path_factory):
    """The first command on the page and the Python code beside it give the numbers of the table's
    first row, which is returned.
    """
    codes = [with_paths(c.value) for c in at.code]
    command = next(c for c in codes if c.startswith("python -m dpviz run")).splitlines()[0]
    shown = next(d.value for d in at.dataframe if "private_view.seconds" in d.value.columns).iloc[0]
    with elsewhere(tmp_path_factory):
        again, names = shell(command, capsys), {}
        exec(
            next((c for c in codes if c.startswith("from dpviz")), "result = None"),
            names,
        )
    assert again["origin"] == "computed" and (again["method"], again["seed"]) == (
        shown["method"],
        shown["seed"],
    )
    accuracies = again["accuracy"] | again["private_view"]
    assert [accuracies[name] for name in SHOWN] == [shown[COLUMN[name]] for name in SHOWN]
    assert names["result"] is None or [getattr(names["result"].scores, name) for name in SHOWN] == [
        shown[COLUMN[name]] for name in SHOWN
    ]
    return shown


IR = st.sampled_from([1, 5, 10])
VIEWS = {
    "axis": st.sampled_from(sorted(AXES)),
    "eps": st.sampled_from([0.01, 0.37, 1.0, 7.5]),
    "delta": st.sampled_from([1e-5, 1e-7]),
    "m": st.sampled_from(
        ["dppl-mean", "dppl-public", "noisy-gd,class-mean", "dppl-publick,dppl-mean"]
    ),
    "seed": st.integers(0, 2**31),
    "score": st.sampled_from(SHOWN),
    "dppl-public.d_min": st.sampled_from([0.5, 1.3]),
    "dppl-mean.form": st.sampled_from(["sum", "coinpress"]),
}


@given(drawn=st.fixed_dictionaries({"ir": IR}, optional=VIEWS))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_view_matches_its_command_and_code(drawn, own, capsys, tmp_path_factory):
    at = opened(
        "trade_off",
        {"data": own, "n": "1", "table": "true", "m": "dppl-mean"}
        | {key: str(value) for key, value in drawn.items()},
    )
    mine = agrees(at, capsys, tmp_path_factory)
    lone = "m" not in drawn or "," not in drawn["m"]
    if lone:  # the sentence names this very run; one noise seed gives no decimals
        said = re.search(r"<strong>([\d.]+)%", html(at))[1]
        assert said == f"{100 * mine[COLUMN[drawn.get('score', 'minority')]]:.0f}"


@pytest.mark.parametrize("name", ["dp_means", "public_prototypes", "mixed_privacy"])
def test_single_method_page_matches_its_command(name, labelled, capsys, tmp_path_factory):
    at = opened(
        name,
        {
            "data": labelled,
            "ir": "5",
            "n": "2",
            "eps": "0.7",
            "seed": "3",
            "table": "true",
            "adamix.max_steps": "8",
        },
    )
    agrees(at, capsys, tmp_path_factory)


def test_study_matches_its_command(own, capsys, tmp_path_factory):
    at = opened(
        "tuning",
        {"data": own, "ir": "5", "trials": "4", "tseed": "2", "score": "balanced", "table": "true"},
    )
    command = with_paths(next(c.value for c in at.code if "dpviz tune" in c.value))
    frame = next(d.value for d in at.dataframe if "trial" in d.value.columns)
    with elsewhere(tmp_path_factory):
        again = shell(command, capsys)
    assert again["best"]["score"] == frame["balanced"].max()
    assert f"ε = **{again['epsilon']['of_what_is_told']:.4g}**" in sentence(at, "Showing all")


def test_sweep_csv_matches_its_page(own, tmp_path):
    ran(own, tmp_path)
    at = opened("sweeps", {"data": own, "sir": "4", "seps": "0.1", "table": "true"})
    with open(tmp_path / "o.csv", newline="") as file:
        rows = [
            r
            for r in csv.DictReader(file)
            if r["ir"] == "4.0" and r["method"] == "dppl-mean" and r["clip"] == "0.5"
        ]
    shown = next(d.value for d in at.dataframe if "private_view.seconds" in d.value.columns)
    mine = shown[(shown["method"] == "dppl-mean") & (shown["budget"] == 0.1)]
    assert (
        sorted(mine[COLUMN["minority"]])
        == sorted(float(r[COLUMN["minority"]]) for r in rows if r["budget"] == "0.1")
        and len(mine) == 2
    )
