"""The key of a page's settings changes with every setting but the budget's value."""

from dpviz.types import Budget
from dpviz.ui.widgets.shared_controls import _settings_key


def test_settings_key_ignores_budget_value_only():
    fields = {"dataset": "mnist5k", "budget": Budget(1.0), "methods": ("adamix",)}
    key = _settings_key(fields)
    assert _settings_key(fields | {"budget": Budget(3.0)}) == key
    others = {"dataset": "omniglot"}, {"methods": ()}, {"budget": Budget(1.0, "zcdp")}
    assert len({key, *(_settings_key(fields | other) for other in others)}) == 4
