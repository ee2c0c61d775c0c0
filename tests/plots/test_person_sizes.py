from dpviz.plots import person_sizes

SENT = (573, 40, 8, 4, 4, 2, 1, 1, 1)


def drawn():
    return person_sizes.info(SENT)


def examples():
    return [(drawn(),), (person_sizes.info([1]),), (person_sizes.info([5] * 40),)]


def test_every_person_and_record_is_in_one_bar():
    sizes = drawn()
    assert sum(sizes.persons) == len(SENT) and sum(sizes.records) == sum(SENT)
    assert sizes.names[:4] == ("1", "2", "3–5", "6–20") and sizes.names[-1] == "101–573"
    assert sizes.persons == (3, 1, 2, 1, 1, 1)
    assert "3 with 1; 1 with 2; 2 with 3–5" in person_sizes.alt(sizes)
    assert person_sizes.info([1]).names == ("1",)
