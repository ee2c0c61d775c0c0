"""Pages as files: what is asked for, what is kept of each view, what cannot be had."""

import dataclasses
import json
import re

import pytest

from dpviz.cli import main
from dpviz.data import uploads
from dpviz.types import DpvizError
from dpviz.ui.explorable import html_file, page_file, spec, walk
from dpviz.ui.explorable.serialization import Pool, cell
from dpviz.ui.explorable.spec import Spec
from tests.kit.browser import keep
from tests.kit.toys import content

FEW = {"m": "dppl-mean,class-mean", "n": "2", "score": "balanced"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def upload(folder):
    return keep(folder, content())


@pytest.fixture(autouse=True)
def one_cache(monkeypatch, folder):
    monkeypatch.setenv("DPVIZ_CACHE", str(folder))


@pytest.fixture(scope="module")
def small(upload, folder):
    """A file of four views, and what is asked for."""
    asked = Spec("trade-off", {"data": upload} | FEW, "", {"eps": ("0.1", "10"), "ir": ("1", "10")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_CACHE", str(folder))
        return asked, page_file.build(asked, "python -m dpviz explorable spec.toml --out page.html")


def told(file):
    """The data of a file."""
    words = re.search(f'id="{html_file.DATA}">(.*?)</script>', file)[1]
    return json.loads(words)


NO_VIEWS = (
    "",
    " ",
    "\\u0000",
    "//evil",
    "/\\u0000/",
    "http:trade-off",
    "file:///trade-off",
    "?ir=5",
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "either view or lesson"),
        ('view = "trade-off"\nlesson = "epsilon"', "either view or lesson"),
        ('lesson = "none"', "Unknown lesson 'none'"),
        ('lesson = "epsilon"\n[sliders]\neps = [1]', "Remove [sliders]"),
        ("view = 3", "view must be text in quotation marks"),
        ('view = "trade-off"\nprivate = "yes"', "private must be true or false"),
        ('view = "trade-off"\ncolour = "red"', "Unknown field 'colour'"),
        ('view = "trade-off"\nserver = "javascript:alert(1)"', "an address such as"),
        ('view = "trade-off"\n[sliders]\neps = []', "1 to 30 different values"),
        ('view = "trade-off"\n[sliders]\neps = [1, 1.0]', "1 to 30 different values"),
        ('view = "trade-off"\n[sliders]\neps = [[1]]', "1 to 30 different values"),
        ('view = "trade-off"\n[sliders]\na=[1]\nb=[1]\nc=[1]\nd=[1]\ne=[1]', "At most 4 sliders"),
        ('view = "trade-off"\n[sliders]\neps = [nan, 1]', "1 to 30 different values"),
        ('view = "http://[x/trade-off"', "Invalid address"),
        *((f'view = "{view}"', "must be an address such as") for view in NO_VIEWS),
        ('view = "trade-off"\nserver = "http://a b\\">/"', "an address such as"),
        ('view = "/"\n[sliders]\neps = [1]', "has its own slider"),
        ('view = "/"\nnew_noise = true', "for the page trade-off only, got front"),
        ('lesson = "epsilon"\nnew_noise = true', "for the page trade-off only, got epsilon"),
        ('view = "trade-off"\nnew_noise = 1', "new_noise must be true or false"),
        ("view = ", "is not TOML"),
        (f"a = {'[' * 20_000}", "is not TOML"),
        ("#" * 70_000, "the limit is 65,536 bytes"),
    ],
)
def test_invalid_spec_is_refused_with_message(tmp_path, words, said):
    path = tmp_path / "spec.toml"
    path.write_text(words)
    with pytest.raises(DpvizError, match=re.escape(said)):
        spec.read(path)


def test_too_many_views_are_refused_before_computing():
    sliders = {key: list(range(30)) for key in ("eps", "ir")}
    with pytest.raises(DpvizError, match="at most 600 views together, got 900"):
        spec.spec_of({"view": "trade-off", "sliders": sliders})


def test_spec_round_trips_through_toml():
    asked = Spec(
        "trade-off",
        {"m": "dppl-mean,class-mean", "data": 'a"b\\c'},
        sliders={"eps": ("0.1", "1"), "dppl-mean.k_pool": ("1", "2")},
        private=True,
        new_noise=True,
        server="https://example.org/dpviz/",
    )
    assert spec.spec_of(spec.tomllib.loads(asked.toml())) == asked
    lesson = Spec(lesson="epsilon")
    assert spec.spec_of(spec.tomllib.loads(lesson.toml())) == lesson


def test_page_spec_includes_stops_and_current_value():
    found = spec.suiting("trade-off", {"eps": "0.7", "ir": "50", "axis": "approx"})
    assert "0.7" in found["eps"] and found["ir"] == ("1", "10", "50", "100")
    assert list(map(float, found["eps"])) == sorted(map(float, found["eps"]))


def test_shared_view_data_are_stored_once():
    pool = Pool()
    assert pool.place({"a": [1, 2]}) == pool.place({"a": [1, 2]}) == 0
    assert pool.place({"a": [1, 3]}) == 1 and len(pool.pieces) == 2


def test_exported_views_match_the_page(small):
    asked, file = small
    kept = told(file)
    assert len(kept["cells"]) == 4 and [s["key"] for s in kept["sliders"]] == ["eps", "ir"]
    seen = walk.view("trade-off", {**asked.settings, "eps": "10", "ir": "1"})
    own = kept["cells"][2]
    sentences = [kept["pool"][place] for place in own["said"]]
    assert sentences == [seen.content.plain_answer, seen.content.precise_answer]
    assert kept["pool"][own["settings"]] == seen.settings
    rows = kept["pool"][own["promises"]][0][2]
    assert rows[0][0] == "DPPL-Mean" and "attack" not in rows[0][1]
    assert len(file) < 250_000


def test_drawn_numbers_match_the_command(small, upload, capsys):
    """The command names a placeholder where the server has the upload."""
    _, file = small
    place = str(uploads.path(upload))
    kept = told(file)
    own = kept["cells"][3]
    line = next(one for one in kept["pool"][own["again"]].split("\n") if "dppl-mean" in one)
    seeds = re.match(r"for s in ([\d ]+);", line)[1].split()
    scores = []
    for seed in seeds:
        words = line.partition("do ")[2].removesuffix("; done").replace("$s", seed)
        words = words.replace(uploads.portable(place), place).split()
        capsys.readouterr()
        assert main(words[words.index("run") :]) == 0
        scores.append(json.loads(capsys.readouterr().out)["accuracy"]["balanced"])
    assert len(scores) == 2
    lines = [kept["pool"][place] for place in own["picture"]["data"]]
    drawn = {t["y"][t["x"].index(10)] for t in lines if len(t.get("x") or ()) > 5 and 10 in t["x"]}
    mean = 100 * sum(scores) / 2
    assert any(
        y == pytest.approx(mean, rel=1e-4) or 100 * y == pytest.approx(mean, rel=1e-4)
        for y in drawn
    )


def test_file_loads_nothing_and_runs_only_own_script(small):
    _, file = small
    assert "default-src 'none'" in file and "script-src 'sha256-" in file
    assert not re.search(r"(\bsrc=|url\(|@import|import\()\W*(https?:|//)", file)


def test_hostile_names_cannot_break_out_of_html():
    file = html_file.write_html(
        "</title><script>alert(1)</script>", "", {"name": "</script><!--"}, [], []
    )
    assert "<script>alert" not in file and told(file) == {"name": "</script><!--"}


def test_file_of_private_data_draws_no_new_noise(small):
    asked, file = small
    assert 'class="nd"' not in file and "portableDraws" not in file
    with pytest.raises(DpvizError, match="needs published data.* own-.* remove new_noise"):
        page_file.build(dataclasses.replace(asked, new_noise=True), "")


def test_oversized_file_is_refused():
    with pytest.raises(DpvizError, match="at most 4 MB"):
        html_file.write_html("", "", ["x" * html_file.MAX_BYTES], [], [])


def test_private_view_is_exported_only_on_request(upload):
    seen = walk.view("dp-means", {"data": upload, "ir": "1", "n": "1"})
    assert seen.content.private_main
    with pytest.raises(DpvizError, match="private = true"):
        cell(seen, Pool(), private=False)
    assert cell(seen, Pool(), private=True)["private"]


@pytest.mark.parametrize(
    ("page", "settings", "said"),
    [
        ("nowhere", {}, "Unknown page 'nowhere'"),
        ("trade-off", {"ir": "7"}, "cannot be “7”"),
        ("trade-off", {"colour": "red"}, "no setting of this view"),
    ],
)
def test_impossible_view_is_refused(upload, page, settings, said):
    with pytest.raises(DpvizError, match=re.escape(said)):
        walk.view(page, {"data": upload} | FEW | settings)


def test_command_writes_file_and_embed_code(upload, tmp_path, capsys):
    text, out = tmp_path / "spec.toml", tmp_path / "page.html"
    asked = Spec("trade-off", {"data": upload} | FEW, sliders={"eps": ("1",)})
    text.write_text(asked.toml())
    assert main(["explorable", str(text), "--out", str(out), "--embed"]) == 0
    assert '<iframe src="page.html"' in capsys.readouterr().out
    assert out.stat().st_mode & 0o044, "others may read what is made to be sent"
    text.write_text("")
    assert main(["explorable", str(text), "--out", str(out)]) == 2
