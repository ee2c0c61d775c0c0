from dpviz.plots.by_class import ClassSizes


def make_chart():
    return ClassSizes.from_counts((40, 20, 4, 9), (2,), ("a", "b", "<i>c", "d"))


def examples():
    return [
        (make_chart(),),
        (ClassSizes.from_counts(range(1, 60), (), [str(n) for n in range(1, 60)]),),
    ]


def test_classes_are_ranked_and_minority_is_marked():
    sizes = make_chart()
    assert sizes == ClassSizes(("a", "b", "d", "<i>c"), (40, 20, 9, 4), (False, False, False, True))
    assert sizes.figure().data[0].customdata[3] == "&lt;i&gt;c (rare)"
    assert "from 40 down to 4" in sizes.alt()
