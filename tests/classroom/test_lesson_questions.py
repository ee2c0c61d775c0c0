"""Every prediction of every lesson can be asked in a room."""

import pytest

from dpviz.classroom import Choice, Curve
from dpviz.classroom.lesson_questions import of_step, truth
from dpviz.stats import Interval
from dpviz.views.lessons import LESSONS, Drawing, Reason

STEPS = [
    pytest.param(step, id=f"{lesson.key}-{at}")
    for lesson in LESSONS.values()
    for at, step in enumerate(lesson.steps, 1)
]


@pytest.mark.parametrize("step", STEPS)
def test_a_prediction_becomes_a_question(step):
    asked = of_step(step)
    assert (asked is None) == (step.ask is None)
    if asked is None:
        return
    kind = Curve if isinstance(step.ask, Drawing) else Choice
    assert isinstance(asked, kind) and "**" not in repr(asked)
    if isinstance(step.ask, Reason):
        assert asked.options[asked.right] in step.ask.options[step.ask.right].replace("**", "")


def test_true_curve_is_in_percent():
    assert truth([Interval(0.5, 0.25, 0.7512, 5)]) == ((50.0, 25.0, 75.1),)
