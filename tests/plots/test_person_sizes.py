from dpviz.plots.by_class import PersonSizes

SENT = (573, 40, 8, 4, 4, 2, 1, 1, 1)


def make_chart():
    return PersonSizes.from_counts(SENT)


def examples():
    return [(make_chart(),), (PersonSizes.from_counts([1]),), (PersonSizes.from_counts([5] * 40),)]


def test_every_user_and_record_is_in_one_bar():
    sizes = make_chart()
    assert sum(sizes.persons) == len(SENT) and sum(sizes.records) == sum(SENT)
    assert sizes.names[:4] == ("1", "2", "3–5", "6–20") and sizes.names[-1] == "101–573"
    assert sizes.persons == (3, 1, 2, 1, 1, 1)
    assert "3 with 1; 1 with 2; 2 with 3–5" in sizes.alt()
    assert PersonSizes.from_counts([1]).names == ("1",)
