import dataclasses

from dpviz.plots.prototypes import ClassChoice, choices_html
from dpviz.text.charts import OWN_CHOICE_HEAD


def test_table_escapes_names_and_has_own_name_column():
    rows = [ClassChoice("<b>", 1200, True, 0.9, 0.0999, 0.0001, 1.02, 0.999, None)]
    text = choices_html(rows)
    assert (
        "&lt;b&gt;" in text
        and "<b>" not in text
        and "1,200" in text
        and OWN_CHOICE_HEAD not in text
    )
    assert "90.0%" in text and "< 0.1%" in text and "> 99%" in text
    assert OWN_CHOICE_HEAD in choices_html([dataclasses.replace(rows[0], own=0.0)])
