from dpviz.plots import class_sizes


def drawn():
    return class_sizes.info((40, 20, 4, 9), (2,), ("a", "b", "<i>c", "d"))


def examples():
    return [(drawn(),), (class_sizes.info(range(1, 60), (), [str(n) for n in range(1, 60)]),)]


def test_classes_are_ranked_and_the_minority_marked():
    sizes = drawn()
    assert sizes == class_sizes.ClassSizes(
        ("a", "b", "d", "<i>c"), (40, 20, 9, 4), (False, False, False, True)
    )
    assert class_sizes.figure(sizes).data[0].customdata[3] == "&lt;i&gt;c, minority"
    assert "from 40 down to 4" in class_sizes.alt(sizes)
