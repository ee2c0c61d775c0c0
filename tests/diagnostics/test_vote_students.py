"""From votes to a student: the same student as the method's, pools apart from tests, pixels."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from dpviz.data import record_hashes
from dpviz.diagnostics import vote_students
from dpviz.diagnostics.pate_votes import Poll
from dpviz.diagnostics.vote_students import PIXELS, Course
from dpviz.experiments import experiment
from dpviz.methods.components import pixel_students
from dpviz.methods.components.teachers import Ensemble
from dpviz.privacy.vote_ledger import Setting
from dpviz.types import Budget, DataConfig, DpvizError, RunSpec

FEW = DataConfig("mnist5k", "glyphnet", public="held-aside", records=60)


def silent(*stage):
    return None


def course(**changes):
    by = Setting(12.0, 6.0, 4.0, 1e-5)
    return dataclasses.replace(Course(Poll(FEW, Ensemble("linear", 20)), by, 60), **changes)


def taught(**changes):
    asked = course(**changes)
    return vote_students.taught(asked.material, asked, silent)


def test_student_matches_method_with_same_answers():
    params = ("teachers", 20), ("check", "none")
    spec = RunSpec(**FEW.facts, method="transfer-pate", budget=Budget(8.0), params=params, seed=3)
    plan, result = experiment.planned(spec), experiment.run(spec)
    by = Setting(-math.inf, math.inf, plan.notes["sigma2"], 1e-5)
    mine = taught(setting=by, queries=plan.notes["answers_at_most"], seeds=(3,))
    assert mine.scores[0] == result.scores and mine.epsilon == pytest.approx(8.0, rel=1e-3)


def test_student_scores_depend_only_on_noise():
    one, again = taught(), taught()
    assert one.scores == again.scores and one.query_count == 60
    assert taught(setting=Setting(12.0, 6.0, 400.0, 1e-5)).accuracy.mean < one.accuracy.mean - 0.1
    assert taught(setting=Setting(12.0, 12.0, 8.0, 1e-5)).epsilon < one.epsilon


def test_student_may_use_another_encoder(monkeypatch):
    """Here one that turns all features around: the same answers and records."""
    original = experiment.prepared

    def turned(material, progress=silent):
        data = original(dataclasses.replace(material, encoder="glyphnet"), progress)
        if material.encoder == "glyphnet":
            return data
        kept = slice(None, -1 if material.encoder == "lacks one" else None)
        turned = data.map_rows(lambda x: x[:, ::-1])
        return dataclasses.replace(turned, public_rows=turned.x_public[kept])

    monkeypatch.setattr(experiment, "prepared", turned)
    same, other = taught(), taught(sees="other")
    assert other.answered == same.answered and other.course.sees == "other"
    assert other.accuracy.mean == pytest.approx(same.accuracy.mean, abs=0.01)
    with pytest.raises(DpvizError, match="does not have the same public"):
        taught(sees="lacks one")


def test_pixel_students_need_images():
    etf = DataConfig("etf:classes=3,dim=16,n=300", None)
    poll = Poll(etf, Ensemble("linear", 10))
    with pytest.raises(DpvizError, match="needs images"):
        vote_students.taught(etf, course(poll=poll, sees=PIXELS), silent)


CLOTHES = DataConfig("clothes", "lite0-128")


@pytest.mark.parametrize("material", [FEW, CLOTHES], ids=lambda material: material.dataset)
def test_pool_and_test_share_no_image(material):
    data = experiment.prepared(material)
    pool, tested = (
        {row.tobytes() for row in record_hashes.hashes(rows, np.zeros(len(rows), np.int64))}
        for rows in (np.array(data.public, np.float32), np.array(data.x_test, np.float32))
    )
    assert pool and tested and not pool & tested


# ------------------------------------------------------------------------------------------- pixels


def test_augmentations_keep_shape_and_range_and_change_image():
    draw = np.random.default_rng(0)
    for channels in (1, 3):
        pictures = torch.from_numpy(draw.random((6, channels, 12, 12), dtype=np.float32))
        for name, (move, low, high) in pixel_students.MOVES.items():
            for size in (low, high):
                found = move(pictures, torch.full((6, 1, 1, 1), float(size)))
                assert found.shape == pictures.shape, name
                assert found.min() >= -1e-6 and found.max() <= 1 + 1e-6, name
                same = name in ("identity",) or (name == "posterize" and size == high)
                grey = name == "colour" and channels == 1
                assert torch.allclose(found, pictures, atol=1 / 200) == (same or grey) or (
                    name == "solarize" and size == 1
                ), name


def test_weak_views_shift_by_eighth_and_mirror_half():
    ramp = torch.arange(16.0).expand(200, 1, 16, 16) / 16
    seen = pixel_students.weak_views(ramp, np.random.default_rng(1), mirrors=False)
    moved = (seen[:, 0, 0, 8] * 16 - 8).long()
    assert set(moved.tolist()) == {-2, -1, 0, 1, 2}
    turned = pixel_students.weak_views(ramp, np.random.default_rng(1), mirrors=True)
    falling = (turned[:, 0, 0, 4] > turned[:, 0, 0, 10]).float().mean()
    # of 200 fair coins, 60 to 140 heads but for 2e-9
    assert 0.3 < falling < 0.7


def test_strong_views_have_their_gray_square():
    black = torch.zeros(20, 1, 16, 16)
    seen = pixel_students.strong_views(black, np.random.default_rng(2), mirrors=True)
    share = ((seen - pixel_students.GREY).abs() < 1e-6).float().mean((1, 2, 3))
    assert (share > 0).all() and share.max() <= 0.25


def test_letters_and_digits_are_not_mirrored():
    assert not pixel_students.mirrors(("0", "1")) and pixel_students.mirrors(("hat", "skirt"))


@pytest.mark.parametrize("kind", pixel_students.KINDS)
def test_pixel_student_learns_bars_and_is_reproducible(kind, monkeypatch):
    monkeypatch.setattr(pixel_students, "STEPS", 15)
    draw = np.random.default_rng(3)
    y = np.arange(80) % 2
    pixels = draw.integers(0, 60, (80, 12, 12), dtype=np.uint8)
    pixels[y == 0, 4:8] = 255
    pixels[y == 1, :, 4:8] = 255
    pictures = pixel_students.prepared(pixels)
    labels = np.where(np.arange(80) < 30, y, -1)
    asked = pictures[30:], 2, False, silent
    said = pixel_students.predicted(kind, pictures[:60], labels[:60], *asked)
    again = pixel_students.predicted(kind, pictures[:60], labels[:60], *asked)
    assert np.array_equal(said, again) and (said == y[30:]).mean() > 0.8
    nothing = pixel_students.predicted(kind, pictures[:60], np.full(60, -1), *asked)
    assert not nothing.any()
