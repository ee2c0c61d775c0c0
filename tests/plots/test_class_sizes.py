from dpviz.plots.by_class import ClassSizes


def drawn():
    return ClassSizes.from_counts((40, 20, 4, 9), (2,), ("a", "b", "<i>c", "d"))


def examples():
    return [(drawn(),), (ClassSizes.from_counts(range(1, 60), (), [str(n) for n in range(1, 60)]),)]


def test_classes_are_ranked_and_the_minority_marked():
    sizes = drawn()
    assert sizes == ClassSizes(("a", "b", "d", "<i>c"), (40, 20, 9, 4), (False, False, False, True))
    assert sizes.figure().data[0].customdata[3] == "&lt;i&gt;c, minority"
    assert "from 40 down to 4" in sizes.alt()
