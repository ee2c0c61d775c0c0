"""Values of Optuna studies by trial."""

from dpviz.plots.stored_studies import StudyLine, StudyValues

HOSTILE = "<img src=x>"


def chart():
    return StudyValues(
        (
            StudyLine("first", True, (0, 1, 3), (0.5, 0.7, 0.2)),
            StudyLine(HOSTILE, False, (0, 2), (0.1, 0.4)),
        )
    )


def examples():
    return [(chart(),), (StudyValues(chart().studies[:1]),)]


def test_marks_are_values_and_lines_the_best_so_far():
    marks, line, _, other = chart().figure().to_dict()["data"]
    assert (list(marks["x"]), list(marks["y"])) == ([0, 1, 3], [0.5, 0.7, 0.2])
    assert list(line["y"]) == [0.5, 0.5, 0.2] and list(other["y"]) == [0.1, 0.4]
    assert line["line"]["shape"] == "hv" and line["line"]["color"] != other["line"]["color"]


def test_names_stay_text():
    assert HOSTILE not in str(chart().figure().to_dict()) and "first" in chart().alt()


def test_few_trials_have_whole_ticks():
    assert chart().figure().to_dict()["layout"]["xaxis"]["dtick"] == 1
    many = StudyValues((StudyLine("many", True, (0, 50), (1.0, 0.5)),))
    assert "dtick" not in many.figure().to_dict()["layout"]["xaxis"]
