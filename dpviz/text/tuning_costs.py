"""Texts about the privacy cost of tuning, on the Tuning page and in ``dpviz tune``."""

from dpviz.text.cli import PRIVATE_VIEW

#: Samplers of settings.
SAMPLERS = {
    "tpe": "TPE: learns from earlier trials",
    "random": "Random: independent trials",
}
#: Distributions of the number of trials.
COUNTS = {
    "fixed": "fixed",
    "geometric": "geometric, secret",
    "logarithmic": "logarithmic, secret",
    "poisson": "Poisson, secret",
}
#: Whether the selection theorem holds for a study, by reason.
APPLIES = {
    "holds": (
        "This bound holds if only the best run is shown. The number of trials and all other runs"
        " must stay secret."
    ),
    "no_guarantee": "A run without noise has no guarantee, so tuning has no finite cost.",
    "minority": (
        "Private selection does not cover accuracy on rare classes. Private class sizes"
        " define which classes are rare."
    ),
    "tpe": (
        "Private selection does not cover TPE, which uses earlier scores. Use the random sampler."
    ),
    "fixed": (
        "Private selection does not cover a fixed number of trials. Use a random number of trials."
    ),
}
#: Lines of ``dpviz tune``.
REPORT = {
    "best": "{method} at {budget} per trial: {score} {metric} accuracy with {settings}.",
    "best_person": (
        "{method} at {budget} per trial ({unit}): {score} {metric} accuracy with {settings}."
    ),
    "private": (
        PRIVATE_VIEW + ": {score} {metric} accuracy of {method} at {budget} with {settings}."
    ),
    "trials": "Best of {trials:count trial}.",
    "selected": (
        "Cost of showing only the best: ε = {epsilon} at δ = {delta} ({count} number of trials,"
        " mean {mean})."
    ),
    "composed": "Cost of all trials: ε = {epsilon} at δ = {delta}.",
    "without_scores": "Cost of all trials without their scores: ε = {epsilon} at δ = {delta}.",
    "hidden": (
        "Cost of showing only the best: ε = {epsilon} with a secret {count} number of trials of"
        " mean {mean}."
    ),
    "free": "Cost of a single run, which papers often report instead: ε = {epsilon}.",
    "replay": "Simulated: the seed determines the number of trials and the noise.",
    "nothing": "No trial gave a result.",
    "zero": "The random number of trials was 0, so there is no result.",
}
#: Values of ``told`` in the JSON output: what its ε covers.
SCOPES = {
    "best": "the best trial",
    "without_scores": "all trials without their scores",
    "all": "all trials",
}
