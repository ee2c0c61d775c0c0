"""Private views: figures of the minority stand under a badge on every page and in its tables."""

import re
from datetime import date

import pytest

from dpviz.data import uploads
from dpviz.experiments import result_files
from dpviz.text import cards as text
from dpviz.types import DpvizError
from dpviz.ui.explorable import walk
from dpviz.ui.explorable.serialization import Pool, cell
from dpviz.ui.widgets import cards
from dpviz.views import report
from tests.kit import badges
from tests.kit.toys import full_content
from tests.kit.whole_app import opened

pytestmark = pytest.mark.shared_cache

FEW = {"ir": "10", "n": "2"}
PAGES = {
    "trade_off": {"m": "dppl-mean,class-mean"},
    "dp_means": {},
    "public_prototypes": {},
    "mixed_privacy": {"adamix.max_steps": "8"},
    "who_pays": {},
    "maps": {},
    "tuning": {"trials": "4"},
    "teachers_vote": {},
    "attackers_view": {},
    "neural_collapse": {"noisy-gd.steps": "10"},
    "data": {},
}
LOOKS = [
    ("dp_means", {"look": "errors"}),
    ("dp_means", {"look": "forms"}),
    ("dp_means", {"look": "pool"}),
    ("public_prototypes", {"see": "scores"}),
    ("public_prototypes", {"see": "like"}),
    ("mixed_privacy", {"mix": "compare"}),
    ("teachers_vote", {"look": "cards"}),
    ("teachers_vote", {"look": "classes"}),
    ("neural_collapse", {"look": "cards"}),
    ("neural_collapse", {"look": "class"}),
]


@pytest.fixture
def upload():
    return uploads.keep(full_content())


def page(name, upload, score, more):
    at = opened(name, {"data": upload, "score": score, "table": "true"} | FEW | more)
    assert not at.error, [one.value for one in at.error]
    return at


@pytest.mark.parametrize("score", ["minority", "balanced"])
@pytest.mark.parametrize("name", PAGES)
def test_minority_is_named_only_under_badge(name, score, upload):
    assert badges.unmarked(page(name, upload, score, PAGES[name])) == []


@pytest.mark.parametrize(("name", "more"), LOOKS)
def test_detail_view_names_minority_only_under_badge(name, more, upload):
    assert badges.unmarked(page(name, upload, "balanced", PAGES[name] | more)) == []


def test_missing_badge_on_card_is_detected(upload, monkeypatch):
    monkeypatch.setattr(cards, "private_view", lambda: None)
    monkeypatch.setattr(badges, "WORD", re.compile("rare classes"))
    at = page("mixed_privacy", upload, "balanced", PAGES["mixed_privacy"] | {"mix": "compare"})
    assert any("rare classes" in words for words in badges.unmarked(at))


def seen_by(score, upload):
    link = {"data": upload, "score": score} | FEW | PAGES["trade_off"]
    return walk.view("trade-off", link)


def test_exported_page_omits_minority_unless_requested(upload):
    seen, pool = seen_by("balanced", upload), Pool()
    kept = cell(seen, pool, private=False)
    assert text.MINORITY_TITLE in seen.content.tables and "inority" not in str(pool.pieces)
    assert not kept["private"]
    asked = Pool()
    cell(seen, asked, private=True)
    (table,) = (p for p in asked.pieces if isinstance(p, list) and p[:1] == [text.MINORITY_TITLE])
    assert "Private view" in table[3] and "Rare classes: " in table[3]


def test_minority_export_is_refused_unless_requested(upload):
    seen = seen_by("minority", upload)
    with pytest.raises(DpvizError, match="private = true, or choose another score"):
        cell(seen, Pool(), private=False)
    assert cell(seen, Pool(), private=True)["private"]


def test_report_marks_private_view_parts(upload):
    for score, badged in (("minority", 2), ("balanced", 1)):
        shown = seen_by(score, upload).content
        made = report.page(shown, "http://localhost/", date(2026, 1, 1))
        assert made.count(report.text.PRIVATE_VIEW) == badged


def test_columns_about_the_minority_begin_with_private_view():
    name = result_files.private_column
    assert name("minority low") == "private_view.minority low"
    assert (name("accuracy"), name("accuracy", True)) == ("accuracy", "private_view.accuracy")
    assert name("private_view.minority") == "private_view.minority"
    assert name("majority") == "majority"
