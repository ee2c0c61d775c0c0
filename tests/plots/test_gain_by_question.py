from dpviz.plots.classroom import QuestionGains
from dpviz.text.charts import LABELS
from tests.kit.charts import HOSTILE


def make_chart():
    names = ("a", HOSTILE, "c")
    return QuestionGains.from_shares(
        names, (0.2, 0.5, 0.4), (0.3, 0.9, 0.4), (False, True, False), 24
    )


def examples():
    return [(make_chart(),)]


def test_largest_gain_is_first_with_full_line():
    chart = make_chart()
    assert chart.names == (HOSTILE, "a", "c") and chart.share_before == (0.5, 0.2, 0.4)
    figure = chart.figure()
    full, dotted, before, after = figure.data
    assert list(full.x) == [0.5, 0.9, None] and full.line.dash is None
    assert list(dotted.x) == [0.2, 0.3, None, 0.4, 0.4, None] and dotted.line.dash == "dot"
    assert before.name == LABELS["question_before"] and list(after.x) == [0.9, 0.3, 0.4]
    assert not before.customdata[0].endswith("not significant")
    assert before.customdata[1].endswith("not significant")
    assert HOSTILE not in str(figure.to_dict())
    assert "24 people" in chart.alt()
