from dpviz.plots.settings import SettingCurve
from tests.kit.charts import result


def make_chart(now):
    values = {5: (0.4, 0.6), 1: (0.2, 0.2)}
    curve = {
        k: [result("dppl-publick", 1.0, 0, v).scores for v in row] for k, row in values.items()
    }
    return SettingCurve.from_scores(curve, "K", "dppl-publick", "balanced", now, [("chance", 0.1)])


def examples():
    return [(make_chart(5),), (make_chart(3),)]


def test_info_is_exact():
    knob = make_chart(5)
    assert knob.values == (1, 5) and knob.best == 5 and knob.point_at(5).mean == 0.5


def test_value_off_the_line_gets_no_ring():
    rings = [list(make_chart(now).figure().data[2]["x"]) for now in (5, 3)]
    assert rings == [[5], []]
