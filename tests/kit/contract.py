"""What every method must keep. ``CHECKS`` are run over the whole table, so a new method gets them
for free.

Each check takes a method and the toy data and raises AssertionError where the promise is broken.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from dpviz import audits, mechanisms, privacy
from dpviz.audits import audited_methods, method_checks, sensitivity
from dpviz.experiments import experiment, release_file
from dpviz.machine.threads import one_numeric_thread
from dpviz.methods import METHODS, pate
from dpviz.types import (
    Budget,
    DataConfig,
    Dataset,
    DpvizError,
    Exponential,
    Gaussian,
    LineStyle,
    Method,
    Minimiser,
)

BUDGETS = [Budget(v, axis) for axis in ("approx", "zcdp", "paper") for v in (0.01, 0.3, 1.0, 10.0)]
NO_PRIVACY = Budget(math.inf)
PAIRS = 14
"""Of the sensitivity search, for methods that train teachers on each: every fifth, so that every
odd record comes and every size of set; other methods and the command try all.
"""


FEW_RUNS = 50
"""Runs of an audit whose bounds are not looked at."""
NOT_SEARCHED = {
    "adamix": {("init", "class-names"), ("step_size", "theorem-3"), ("public_use", "private")},
    "prom-pate": {("prompt", "frame"), ("prompt", "everywhere")},
}
"""Choices that plans refuse alone on the sets of the search: they need a text tower, pictures, or
other choices beside them. Private shots are searched with these in the settings of an event case.
"""


QUICK = {key: {"max_steps": 200} for key in ("adamix", "ppgd")}
"""Settings that save steps, of which lax budgets pay for thousands."""
NO_START = {"adamix": {"init": "none", "public_use": "none"}}
"""Settings without a head from public records, which predicts well under any noise."""


def _plan(method: Method, data: Dataset, budget: Budget = BUDGETS[2]):
    return method.plan(data.sizes, budget, method.check(QUICK.get(method.key, {})))


def _weights(fitted):
    return [[release.weights for release in row] for row in fitted.releases]


def _leaves(event):
    """The events inside an event that draw noise."""
    if isinstance(event, Gaussian | Exponential | Minimiser):
        return [event]
    return [leaf for inner in event.events for leaf in _leaves(inner)]


def _noise(plan) -> list[float]:
    """Noise of each event, larger is more: 1 / epsilon, or sigma of the mean of its releases."""
    leaves = [leaf for event in plan.events.values() for leaf in _leaves(event)]
    return [
        1 / leaf.epsilon
        if isinstance(leaf, Exponential)
        else leaf.sigma / getattr(leaf, "times", 1) ** 0.5
        for leaf in leaves
    ]


def cost_stays_within_the_budget(method, data):
    for budget in BUDGETS if method.private else []:
        plan = _plan(method, data, budget)
        assert plan.events, f"{method.key}: a private method must have events, and has none"
        privacy.check(plan, budget)
        delta = plan.guarantee.delta
        assert delta == budget.delta, f"{method.key}: delta is {delta}, must be {budget.delta}"


def _rho_of_the_papers(event) -> float:
    """Their axis counts epsilon^2/8 for an exponential mechanism, which costs less."""
    return max(
        leaf.epsilon**2 / 8 if isinstance(leaf, Exponential) else privacy.event_rho(leaf)
        for leaf in _leaves(event)
    )


def _spent(plan, budget: Budget) -> float:
    if budget.axis == "paper":
        return sum(_rho_of_the_papers(event) for event in plan.events.values())
    return plan.guarantee.epsilon_delta if budget.axis == "approx" else plan.guarantee.rho


def most_of_the_budget_is_used(method, data):
    for budget in BUDGETS if method.private else []:
        plan = _plan(method, data, budget)
        spent = _spent(plan, budget)
        allowed = privacy.rho_for(budget) if budget.axis != "approx" else budget.value
        assert spent >= 0.85 * allowed, (
            f"{method.key}: spends {spent:.4g} of {allowed:.4g} at {budget},"
            f" must spend {0.85 * allowed:.4g} at least"
        )


def noise_falls_as_the_budget_grows(method, data):
    for axis in ("approx", "zcdp", "paper") if method.private else []:
        noise = [_noise(_plan(method, data, Budget(v, axis))) for v in (0.1, 1.0, 10.0)]
        for more, less in itertools.pairwise(noise):
            assert all(a > b for a, b in zip(more, less, strict=True)), (
                f"{method.key}: a larger budget on {axis} must lower the noise {more}, got {less}"
            )


def plan_sees_only_what_the_card_calls_public(method, data):
    if not method.private:
        return
    card = _plan(method, data).guarantee.public
    sizes = data.sizes
    moved = tuple(np.array(sizes.counts) + np.arange(sizes.classes) - sizes.classes // 2)
    same_total = dataclasses.replace(sizes, counts=(*moved[:-1], sizes.n - sum(moved[:-1])))
    fewer = dataclasses.replace(
        sizes, n=sizes.n - 1, counts=(sizes.counts[0] - 1, *sizes.counts[1:])
    )
    others = [same_total] if "class counts" not in card else []
    others += [fewer] if "number of records" not in card and "class counts" not in card else []
    for other in others:
        planned = method.plan(other, BUDGETS[2], method.check({})).events
        own = _plan(method, data).events
        assert planned == own, (
            f"{method.key}: the plan reads sizes that the card does not call public;"
            f" {sizes} gives {own}, {other} gives {planned}"
        )


def card_is_complete(method, data):
    g = _plan(method, data).guarantee
    notions = {"pure", "zcdp", "gdp", "approx"}
    assert g.notion in notions, f"{method.key}: the notion is {g.notion!r}, must be in {notions}"
    for name in ("adjacency", "public", "source", "unit"):
        assert getattr(g, name), f"{method.key}: the guarantee's {name} is empty"
    for name in ("rho", "epsilon_delta"):
        value = getattr(g, name)
        finite = method.private or g.value == 0
        assert not math.isnan(value) and math.isfinite(value) == finite, (
            f"{method.key}: the guarantee's {name} is {value},"
            f" must be {'finite' if finite else 'infinite'}"
        )
    assert method.title and method.source, f"{method.key}: the title or the source is empty"
    for of, text in [("summary", method.summary), *((p.name, p.help) for p in method.params)]:
        assert text.endswith("."), f"{method.key}: {of} must be a sentence, is {text!r}"
    assert all(p.label for p in method.params), f"{method.key}: a parameter has no label"


def same_seed_same_bits_other_seed_other_noise(method, data):
    plan = _plan(method, data, Budget(0.3))
    first, again = (method.fit(data, [plan], [3, 4]) for _ in range(2))
    same = np.array_equal(_weights(first), _weights(again))
    assert same, f"{method.key}: two fits with seeds 3 and 4 must give the same bits, and do not"
    if method.private:
        one, other = (release.weights for release in first.releases[0])
        assert not np.array_equal(one, other), f"{method.key}: seeds 3 and 4 give the same noise"


def a_cell_does_not_depend_on_its_batch(method, data):
    forms = [{}] + [
        {p.name: choice} for p in method.params for choice in p.choices if choice != p.default
    ]
    for form in forms:
        params = method.check(QUICK.get(method.key, {}) | form)
        try:
            plans = [method.plan(data.sizes, Budget(v), params) for v in (0.1, 1.0, 10.0)]
        except DpvizError:
            assert form, f"{method.key}: the default settings refuse each other"
            continue  # a choice that wants another with it
        batch = method.fit(data, plans, [5, 6])
        alone = method.fit(data, [plans[1]], [6])
        for name in ("weights", "bias"):
            together, single = (
                getattr(r, name) for r in (batch.releases[1][1], alone.releases[0][0])
            )
            apart = np.abs(together - single).max()
            assert apart == 0, (
                f"{method.key}: {name} of a cell depend on its batch with {form}: they differ by"
                f" {apart:.3g}, must differ by 0"
            )


def without_noise_every_seed_is_the_same_and_right(method, data):
    fitted = method.fit(data, [_plan(method, data, NO_PRIVACY)], [0, 1])
    one, other = (release.predict(data.x_test) for release in fitted.releases[0])
    assert np.array_equal(one, other), f"{method.key}: without noise the seed changes predictions"
    right = np.mean(one == data.y_test)
    assert right > 0.9, f"{method.key}: accuracy without noise is {right:.2f}, must be above 0.9"


def heavy_noise_is_heavy(method, data):
    if not method.private:
        return
    params = method.check(QUICK.get(method.key, {}) | NO_START.get(method.key, {}))
    plans = [method.plan(data.sizes, budget, params) for budget in (Budget(1e-4), NO_PRIVACY)]
    fitted = method.fit(data, plans, list(range(8)))
    noisy, clean = (
        np.mean([np.mean(r.predict(data.x_test) == data.y_test) for r in row])
        for row in fitted.releases
    )
    assert noisy < clean - 0.2, (
        f"{method.key}: accuracy at ε = 1e-4 is {noisy:.2f}, must be below {clean - 0.2:.2f}"
    )


def releases_predict(method, data):
    fitted = method.fit(data, [_plan(method, data)], [0])
    release = fitted.releases[0][0]
    shape = (data.classes, data.x.shape[1])
    found = release.weights.shape, release.weights.dtype
    assert found == (shape, np.float32), (
        f"{method.key}: weights have shape and type {found}, must have {(shape, 'float32')}"
    )
    for name in ("weights", "bias"):
        assert np.isfinite(getattr(release, name)).all(), f"{method.key}: {name} are not finite"
    labels = release.predict(data.x_test)
    assert labels.shape == data.y_test.shape and set(labels) <= set(range(data.classes)), (
        f"{method.key}: predictions of shape {labels.shape} have labels {sorted(set(labels))},"
        f" must be {len(data.y_test)} labels below {data.classes}"
    )


def fit_leaves_its_input_alone(method, data):
    arrays = ("x", "y", "x_test", "y_test", "public_rows", "y_public")
    own = dataclasses.replace(data, **{name: getattr(data, name).copy() for name in arrays})
    method.fit(own, [_plan(method, own)], [0])
    for name in arrays:
        same = np.array_equal(getattr(own, name), getattr(data, name))
        assert same, f"{method.key}: fit changes the {name} it is given"


def settings_are_checked_in_sentences(method, data):
    for param in method.params:
        bad = (
            ["certainly not"]
            if param.choices
            else [param.low - 1, param.high * 2 + 1, "many", float("nan")]
        )
        bad += [] if param.choices or not param.integer else [param.default + 0.5]
        for value in bad:
            with pytest.raises(DpvizError, match=r"\.$"):
                method.check({param.name: value})
        checked = method.check({param.name: param.default})[param.name]
        assert checked == param.default, (
            f"{method.key}: the default of {param.name} is checked to {checked!r},"
            f" must stay {param.default!r}"
        )
    with pytest.raises(DpvizError, match="Unknown parameter"):
        method.check({"no_such_setting": 1})


def a_missing_public_set_is_said(method, data):
    without = dataclasses.replace(data, public_rows=None, y_public=None, public_key=None)
    if method.needs_public:
        with pytest.raises(DpvizError, match="public"):
            _plan(method, without)
    else:
        method.fit(without, [_plan(method, without)], [0])


def one_record_a_class_is_enough_or_refused_in_a_sentence(method, data):
    first = np.array([np.flatnonzero(data.y == c)[0] for c in range(data.classes)])
    tiny = dataclasses.replace(data, x=data.x[first], y=data.y[first], fingerprint="tiny")
    try:
        fitted = method.fit(tiny, [_plan(method, tiny)], [0])
    except DpvizError as refusal:
        text = str(refusal)
        assert text.endswith("."), f"{method.key}: a refusal must be a sentence, is {text!r}"
    else:
        finite = np.isfinite(fitted.releases[0][0].weights).all()
        assert finite, f"{method.key}: weights from one record per class are not finite"


def scores_come_out_of_the_one_run_path(method, data):
    from dpviz import data as data_package

    spec = experiment.specs(DataConfig("toy", None, ir=4), method.key, [Budget(1.0)], [0])[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_package, "load", lambda *a, **k: data)
        first, again = experiment.run(spec), experiment.run(spec)
    origins = (first.origin, again.origin)
    assert origins == ("computed", "stored"), (
        f"{method.key}: two runs are {origins}, must be computed and stored"
    )
    same = dataclasses.replace(again, origin="computed") == first
    assert same, f"{method.key}: the stored result differs from the computed one"
    balanced, mean = first.scores.balanced, np.mean(first.scores.per_class)
    assert balanced == pytest.approx(mean), (
        f"{method.key}: balanced accuracy is {balanced}, must be the mean of classes, {mean}"
    )
    ratio = max(first.class_counts) / min(first.class_counts)
    assert ratio == 4, f"{method.key}: the imbalance ratio is {ratio}, must be 4"


def it_looks_like_no_other_method(method, data):
    assert isinstance(method.line_style, LineStyle), (
        f"{method.key}: line_style is {method.line_style!r}, must be a LineStyle"
    )
    alike = [
        row.key
        for row in METHODS.values()
        if row.key != method.key and row.line_style == method.line_style
    ]
    assert not alike, f"{method.key}: has the look of {', '.join(alike)}, must have its own"


def the_loss_of_each_record_is_known_or_it_is_said_why_not(method, data):
    """For the worst neighbours it lies between half the claim and the claim."""
    if not method.private:
        return
    reasons = [method.why_no_losses(method.check(case.params)) for case in _cases(method)]
    for reason in reasons:
        assert reason is None or reason.endswith("."), (
            f"{method.key}: why_no_losses must be a sentence or None, is {reason!r}"
        )
    assert method.losses or all(reasons), f"{method.key}: has neither losses nor why_no_losses"
    for case, reason in zip(_cases(method), reasons, strict=True):
        if reason is None:
            plan = method.plan(case.with_record.sizes, case.budget, method.check(case.params))
            with one_numeric_thread():
                epsilon, rho = method.losses(case.with_record, plan, 0)
            for name, loss in (("epsilon", epsilon), ("rho", rho)):
                found, wanted = (loss.shape, loss.dtype), (case.with_record.y.shape, np.float64)
                assert found == wanted, (
                    f"{method.key}: {name} of losses is {found}, must be {wanted}"
                )
            claim = plan.guarantee
            claimed = claim.value if claim.notion == "pure" else claim.epsilon_delta
            most = epsilon.max()
            assert 0.5 * claimed <= most <= claimed * (1 + 1e-9), (
                f"{method.key}: the largest loss ε is {most:.4g} on its worst neighbors, must be"
                f" from {claimed / 2:.4g} to the claim, {claimed:.4g}"
            )
            assert 0 < rho.max() <= claim.rho * (1 + 1e-9), (
                f"{method.key}: the largest loss ρ is {rho.max():.4g}, must be above 0 and at most"
                f" {claim.rho:.4g}"
            )


def the_audit_stays_under_the_claim_and_catches_the_faulty_variant(method, data):
    if not method.private:
        return
    assert _cases(method), f"{method.key}: has no worst neighbors to audit"
    for row in audits.of_method(method, audits.QUICK_RUNS):
        _audited(row)


def every_draw_has_a_query_and_no_record_moves_it_too_far(method, data):
    if not method.private:
        return
    found = sensitivity.search(method, PAIRS if method.key in pate.ENSEMBLES else None)
    assert found, f"{method.key}: no neighbors could be searched"
    searched = {(k, v) for form in sensitivity.searched(method) for k, v in form.items()}
    needs_more = NOT_SEARCHED.get(method.key, set())
    for param in method.params:
        left = {c for c in param.choices if c != param.default and (param.name, c) not in searched}
        assert not left, f"{method.key}: {param.name} {left} is never searched"
    for form in sensitivity.searched(method):
        if not any(moved.params == form for moved in found):
            assert set(form.items()) & needs_more, f"{method.key}: {form} is refused everywhere"
    for moved in found:
        assert moved.holds, (
            f"{method.key}: {moved.event} moves by {moved.moved:.9g}, must move by"
            f" {moved.claimed:.9g} at most ({moved.neighbours}; {dict(moved.params)})"
        )
    for moved in sensitivity.worst(found):
        assert moved.moved > 0, f"{method.key}: no neighbors move {moved.event}"


def what_follows_the_noise_reads_no_record(method, data):
    """Given the noisy outputs of a fit on other data, a fit releases the same bits: everything that
    depends on private records went through an event.
    """
    if not method.private:
        return
    for params, more, less in _neighbours(method, data):
        plan = method.plan(less.sizes, Budget(1.0), method.check(params))
        others = [less, *sensitivity.unlike(method, plan, more)]
        reads = method_checks.reads_after_noise(method, plan, more, others)
        assert not reads, f"{method.key}: the release reads records after the noise, with {params}"


def _neighbours(method, data):
    for case in method.event_cases():
        yield case.params, case.with_record, case.without_record
    if _plan(method, data).guarantee.adjacency == privacy.ADD_REMOVE:
        fewer = dataclasses.replace(data, x=data.x[1:], y=data.y[1:], fingerprint="one fewer")
        yield {}, data, fewer


def every_draw_is_audited(method, data):
    if not method.private:
        return
    left = {name for form in sensitivity.forms(method) for name in _drawn(method, data, form)}
    for case in method.event_cases():
        plan = audited_methods.case_plan(method, case)
        for row in audited_methods.event_audits(method, case, plan, FEW_RUNS) if left else ():
            left.discard(row.event)
            if not left:
                break  # the other faulty variants need not run
    assert not left, f"{method.key}: no audit covers the draws {', '.join(sorted(left))}"


def the_audit_of_each_event_catches_its_faulty_variants(method, data):
    if not method.private:
        return
    for row in audits.of_events(method, audits.QUICK_RUNS):
        _audited(row)


def _audited(row):
    of = f"{row.method}: the audit of {row.event} with {dict(row.params)}"
    assert 0 < row.audited <= row.claimed, (
        f"{of} shows ε = {row.audited:.4g}, must be above 0 and at most {row.claimed:.4g}"
    )
    assert row.variant_audited > row.claimed, (
        f"{of} shows ε = {row.variant_audited:.4g} of the faulty variant"
        f" “{row.faulty_variant}”, must be above {row.claimed:.4g}"
    )


def _drawn(method, data, params):
    try:
        return method.plan(data.sizes, Budget(1.0), method.check(params)).draws
    except DpvizError:
        return ()


def a_release_takes_its_noise_from_the_system(method, data):
    if not method.private:
        return
    for case in method.event_cases():
        plan = method.plan(case.with_record.sizes, Budget(0.5), method.check(case.params))
        fitted = method.fit(case.with_record, [plan], [mechanisms.SYSTEM] * 12)
        releases = fitted.releases[0]
        finite = all(np.isfinite(release.weights).all() for release in releases)
        assert finite, f"{method.key}: weights with noise from the system are not finite"
        drawn = len({release.weights.tobytes() for release in releases})
        assert drawn > 1, (
            f"{method.key}: 12 releases from the system's entropy are {drawn} different"
        )
    for params in [{}] if method.key in pate.ENSEMBLES else sensitivity.forms(method):
        try:
            plan = method.plan(data.sizes, Budget(0.5), method.check(params))
        except DpvizError:
            continue  # a choice that needs another one
        faults = release_file.recorded(method, data, plan)[2]
        assert not faults, f"{method.key}: {'; '.join(faults)}, with {params}"


def _cases(method):
    assert method.cases, f"{method.key}: has no worst neighbors"
    return method.cases()


CHECKS = [
    cost_stays_within_the_budget,
    most_of_the_budget_is_used,
    noise_falls_as_the_budget_grows,
    plan_sees_only_what_the_card_calls_public,
    card_is_complete,
    same_seed_same_bits_other_seed_other_noise,
    a_cell_does_not_depend_on_its_batch,
    without_noise_every_seed_is_the_same_and_right,
    heavy_noise_is_heavy,
    releases_predict,
    fit_leaves_its_input_alone,
    settings_are_checked_in_sentences,
    a_missing_public_set_is_said,
    one_record_a_class_is_enough_or_refused_in_a_sentence,
    scores_come_out_of_the_one_run_path,
    it_looks_like_no_other_method,
    the_loss_of_each_record_is_known_or_it_is_said_why_not,
    the_audit_stays_under_the_claim_and_catches_the_faulty_variant,
    every_draw_has_a_query_and_no_record_moves_it_too_far,
    what_follows_the_noise_reads_no_record,
    every_draw_is_audited,
    the_audit_of_each_event_catches_its_faulty_variants,
    a_release_takes_its_noise_from_the_system,
]

AUDITS = [
    the_audit_stays_under_the_claim_and_catches_the_faulty_variant,
    the_audit_of_each_event_catches_its_faulty_variants,
]
"""Checks that `make audit` makes of the methods of this package, with the same runs and seeds."""
