from dpviz.plots.teachers import PrintedStudent, StudentCurve, StudentPoint
from dpviz.stats import Interval
from dpviz.text.charts import PRINTED_STUDENT

HALF = Interval(0.5, 0.4, 0.6, 3, 0.02)
LINES = {
    "Queries": [StudentPoint("50", 2.0, HALF), StudentPoint("<20>", 1.0, HALF)],
    "Teachers": [],
}
PRINTED = (PrintedStudent("Table 4", "Some & al.", "CIFAR-10", 1.04, 0.8755, sanitised=1.2),)


def curve(printed=()):
    return StudentCurve.from_lines(LINES, LINES["Queries"][0], printed, 10)


def examples():
    return [(curve(),), (curve(PRINTED),), (StudentCurve.from_lines({}, None, (), 2),)]


def test_lines_increase_in_epsilon_and_empty_are_omitted():
    shown = curve()
    assert [title for title, _ in shown.lines] == ["Queries"] and shown.chance == 0.1
    assert [p.epsilon for p in shown.lines[0][1]] == [1.0, 2.0]
    drawn = shown.figure().to_dict()["data"]
    assert len(drawn) == 2 and list(drawn[1]["x"]) == [2.0], "the ring is where the page is"


def test_printed_students_are_labeled():
    drawn = curve(PRINTED).figure().to_dict()["data"][-1]
    assert drawn["name"] == PRINTED_STUDENT and "not comparable" in PRINTED_STUDENT
    said = drawn["customdata"][0]
    assert "Table 4: Some &amp; al. on CIFAR-10, 87.55% at ε = 1.04 (1.2" in said
    rows = curve(PRINTED).table()
    assert len(rows) == 3 and rows[-1]["setting varied"].startswith("from the paper")
    assert "published results" in curve(PRINTED).alt()
