"""Limits and sizes that a reader could take for others say which they are."""

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


def test_belief_label_names_its_exception(monkeypatch):
    odds = SimpleNamespace(posterior=0.813, tail=0.01)
    monkeypatch.setattr(attackers_view_page.attack_bound, "odds", lambda *_: odds)
    limit = attackers_view_page.Limit(("A",), PURE, 0.5, 0.7, 0.7)
    tile = attackers_view_page.belief_tile(limit, True)
    assert (tile.label, tile.note) == ("Belief in 99% of releases", "before: 50%")
    assert "except in 1 of 100 releases" in tile.help
    plain = attackers_view_page.belief_tile(limit, False)
    assert (plain.label, plain.note) == ("Attacker's belief", "in 99% of releases")
    odds.tail = 0.0
    for precise in (True, False):
        tile = attackers_view_page.belief_tile(limit, precise)
        assert (tile.label, tile.note) == ("Attacker's belief", "before: 50%")


def test_synthetic_title_gives_size_before_imbalance():
    assert "before IR" in controls._title(synthetic.KEY, None)


@pytest.mark.parametrize(
    ("candidates", "words"),
    [
        ([30_008.2, 30_007.9], "Every class chooses among about **30,008 candidates**."),
        ([3.0, 200.0], "Class b (40 images) chooses among about **200**."),
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
