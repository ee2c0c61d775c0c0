"""Texts about settings, the comparison of two views, the sources of data, and the runs behind."""

# settings left empty
EMPTY = {
    "encoder": "none, features as uploaded",
    "public": "from the data file",
    "features": "unchanged",
    "records": "all",
    "per_person": "all",
    "classes": "as in the data",
}
NOT_SET = "none"
#: Line below the answer on phones: data set and imbalance; the budget follows.
PHONE_DATA = {
    "changed": "{data:md} · imbalance {ratio:number}",
    "original": "{data:md} · original class sizes",
}
SEED, SEEDS, DRAWS, METHODS = "noise seed", "noise seeds", "data draws", "methods"
#: Noise seeds and data draws behind a point.
RUNS_SHOWN = {
    "seeds": "{seeds:count seed} ({first:md}–{last:md}).",
    "draws": (
        "{draws:count data_draw} ({first_draw:md}–{last_draw:md}) with {seeds:count seed} each"
        " ({first:md}–{last:md})."
    ),
}
#: Noise seeds and data draws at the foot of a saved chart.
FOOT_SEEDS = {
    "one": "noise seed {first:md}",
    "several": "{seeds:count noise_seed} ({first:md}–{last:md})",
}
FOOT_DRAWS = {
    "one": "data draw {first:md}",
    "several": "{draws:count data_draw} ({first:md}–{last:md})",
}
PRELIMINARY = {
    "seeds": "Preliminary: {seeds:count} of {last_seeds:count} seeds",
    "draws": "Preliminary: {draws:count} of {last_draws:count} data draws",
}
REFINING = {
    "seeds": "Refining: {seeds:count} of {last_seeds:count} seeds.",
    "draws": (
        "Refining: {draws:count} of {last_draws:count} data draws, {runs:count} of"
        " {last_runs:count} runs per point."
    ),
}
SEED_RANGE = "{first:count} to {last:count}"
CHANGE = "{label:md} {before:md} → {after:md}"
CHANGED_LABEL = "{label:md} {before:md} → {other:md} {after:md}"

# TOML
UPLOAD_COMMENT = (
    "# dataset is {name:md}, uploaded to one server. On another machine, replace its path\n"
    "# with the path of your file ({path:md})."
)

# view A against view B
PINNED = "**View A is pinned.** Change a setting to see the difference from A."
COMPARED = "**A → B: {changes:md}.** {scores:md}."
SCORE = "{method:md} **{metric:md} {change:md}**"
NO_COMMON_METHOD = "No method is in both views"
NOT_SHOWN = "not shown"
SAME, SINGLE_RUN, UNCLEAR, CLEAR = (
    "the same",
    "single run, no interval",
    "not significant",
    "yes",
)
WITH_VERDICT = "{difference:md}, {verdict:md}"
#: Columns of the table of the comparison.
COLUMNS = {
    "method": "Method",
    "a": "A",
    "b": "B",
    "difference": "B − A",
    "significant": "Significant",
}

# sources and runs
DATA_SOURCE = "{title:md}: {source:md}. License: {terms:md}."
ENCODER_SOURCE = "{title:md}: {source:md}. Trained on {trained:md}. License: {license:md}."
COMPUTED_BY = "Computed with {versions:md}."
COMPUTED = "{fresh:count} of {runs:count run} computed since the server started, in {seconds:md} s"
STORED = "{runs:count run} loaded from cache"
