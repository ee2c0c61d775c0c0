"""The fold "About the numbers": what is public, what nobody pays for, what varies."""

from __future__ import annotations

import streamlit as st

from dpviz.formatting import INTERVAL_NOTE
from dpviz.ui.frame import page_parts
from dpviz.views import origins, settings_in_words
from dpviz.views.page_config import PageConfig

TEXT = """
- **What this is**: a teaching replay, not for release: the noise can be drawn again from the seed
  that is shown. Beside the command of a run stands a release from the machine's entropy.
- **What is protected**: the training records, or the persons whom they are from; each card
  says which, what a record is, how neighbours differ and where the guarantee begins.
- **Taken as public**: the set of classes, the encoder, the public set, the test images, and
  whatever a card lists; these cost nothing.
- **Not paid for**: this page reads the test set and the private records to draw accuracies, class
  sizes and ceilings, and whoever moves the settings of a method until the curve looks good has
  looked at private data. The guarantee covers one release with settings fixed beforehand.
- **What the seeds vary**: the noise alone. Private records, split and imbalance stay, so the bands
  do not say how the curve would move with other private data. Seeds are shared by all budgets of a
  method, which makes its curve smooth.
- **How sure a difference is**: SURE
  Settings are compared on the same test records, one by one, resampled within each class.
- **Minority**: the ⌈C/4⌉ smallest classes. **Balanced**: mean over classes. **Overall**: share of
  all test records.
- **Without noise**: the same method on the same features, no noise drawn. **Not private**: another
  method, which has no private form here. **Guessing**: right for one class in C, 1/C.
"""


def fold(view: PageConfig) -> None:
    """The fold itself."""
    page_parts.current_page().view = view
    with st.expander("About the numbers"):
        title, seeds = settings_in_words.words(view)["seeds"]
        lines = [*origins.data(view), f"Now: {title} {seeds}."]
        lines += origins.computed_by(page_parts.current_page().results)
        st.markdown(TEXT.replace("SURE", INTERVAL_NOTE) + "\n".join(f"- {line}" for line in lines))
