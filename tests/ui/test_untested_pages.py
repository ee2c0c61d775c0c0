"""Every page on an upload whose smallest classes have no test records."""

import re

import numpy as np
import pytest

from dpviz.data import uploads
from tests.kit.markdown_links import texts
from tests.kit.toys import packed, toy_data
from tests.kit.whole_app import ADDRESSES, opened

pytestmark = [pytest.mark.slow, pytest.mark.shared_cache]

PAGES = sorted(set(ADDRESSES) - {"front"})  # it has data of its own, and links to other pages
FEW_STEPS = {"adamix.max_steps": "8", "noisy-gd.steps": "10"}
SCORES = {"trade_off", "public_prototypes", "maps", "dp_means", "mixed_privacy", "neural_collapse"}
"""Pages whose answer is about the accuracy asked for."""


def without_tests(empty: bool) -> bytes:
    """An upload whose last class has no test records, and no training records if ``empty``."""
    data = toy_data(per_class=30)
    train = np.flatnonzero((data.y < 3) if empty else (data.y < 3) | (np.arange(len(data.y)) > 109))
    test = np.flatnonzero(data.y_test < 3)
    arrays = {"X_train": data.x[train], "y_train": data.y[train]}
    arrays |= {"X_test": data.x_test[test], "y_test": data.y_test[test]}
    arrays |= {"X_public": data.x_public, "y_public": data.y_public}
    return packed(arrays | {"class_names": np.array(["ant", "bee", "cat", "doe"])})


@pytest.mark.parametrize("empty", [True, False], ids=["no records", "no test records"])
@pytest.mark.parametrize("page", PAGES)
def test_page_opens_without_test_records_of_rare_classes(page, empty):
    own = uploads.keep(without_tests(empty))
    at = opened(page, FEW_STEPS, data=own, score="minority", voice="plain", ir="1", n="1")
    shown = texts(at) + [html.proto.body for html in at.get("html")]
    assert not [text for text in shown if re.search(r"\bnan\b", text)]
    if page in SCORES and not at.error:
        unknown = r"their accuracy is \*\*not known|have no test images"
        assert any(re.search(unknown, text) for text in shown)
    for chart in at.get("plotly_chart"):
        assert '"nan' not in chart.proto.spec
