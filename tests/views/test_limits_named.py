"""Limits and sizes that a reader could take for others say which they are."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz import privacy
from dpviz.data import synthetic
from dpviz.types import Guarantee
from dpviz.ui.neural_collapse import controls
from dpviz.ui.public_prototypes import sections
from dpviz.views import attackers_view_page

PURE = Guarantee("pure", 1.0, 1e-5, privacy.ADD_REMOVE, "", 1.0, 0.5, "")


def test_tiles_have_names_and_numbers_of_panels():
    limit = attackers_view_page.Limit(("A",), PURE, 0.5, 0.7, 0.7)
    found = SimpleNamespace(right=0.54, unsure=0.03)
    attack = SimpleNamespace(easiest=found, everyone=SimpleNamespace(right=0.52))
    tiles = attackers_view_page.loss_tiles(limit, "A", attack, attack, "picture", False)
    panels = attackers_view_page.loss_panels(limit, attack, attack, running=False)
    assert [tile.label for tile in tiles] == [panel.title for panel in panels]
    assert [panel.note.replace("\u00a0", " ") for panel in panels] == [
        "≤ 70 of 100",
        "54 of 100 (48–60)",
        "54 of 100 (48–60)",
    ]
    assert (tiles[2].note, tiles[2].aside) == ("no guarantee", "most exposed images")
    assert [tile.value for tile in tiles] == ["≤ 70%", "54%", "54%"]
    assert [sum(panel.counts.values()) for panel in panels] == [70, 54, 54]
    assert panels[1].counts["pale"] == 4, "not clearly better than chance"
    assert "strong" not in attackers_view_page.guesses_legend(panels)
    assert not attackers_view_page.passes_limit(limit, attack)
    low = replace(limit, even=0.56)
    assert attackers_view_page.passes_limit(low, attack), "54 is within 56, and 60 is not"
    assert "Over all images: 52%." in tiles[1].help
    precise = attackers_view_page.loss_tiles(limit, "A", attack, None, "person", True)
    assert precise[1].value == "54% (48–60)"


def test_synthetic_title_gives_size_before_imbalance():
    assert "before IR" in controls._title(synthetic.KEY, None)


@pytest.mark.parametrize(
    ("candidates", "words"),
    [
        ([30_008.2, 30_007.9], "Every class has about **30,008 effective candidates**."),
        ([3.0, 200.0], "Class b (40 images) has about **200**."),
    ],
)
def test_scores_answer_names_no_class_twice(monkeypatch, candidates, words):
    monkeypatch.setattr(sections, "window", lambda spec: (0.0, 0.05))
    shown = SimpleNamespace(
        data=SimpleNamespace(class_names=("a", "b"), counts=(46, 40)),
        odds=SimpleNamespace(candidates=np.array(candidates)),
        spec=None,
    )
    counts = np.ones((2, 200), int)
    monkeypatch.setattr(
        sections.prototype_choices, "clipped_shares", lambda *_: np.array([[0.5, 0.5, 0.0]])
    )
    said = sections._scores_answer(shown, counts)
    assert said.endswith(words) and said.count("Class a") <= 1
