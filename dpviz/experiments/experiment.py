"""run(spec) and sweep(specs): load, plan, check the budget, fit, score and store, for all
callers.
"""

from __future__ import annotations

import dataclasses
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import product
from typing import Any

import numpy as np

from dpviz import data, encoders, methods, privacy
from dpviz.caches import KeyedCache, WeakCache
from dpviz.data import persons, perturbation, preparation, synthetic
from dpviz.data.imbalance import (
    first_of_each,
    long_tail,
    minority_classes,
    sampling_text,
    split_again,
)
from dpviz.data.readers import class_lists
from dpviz.experiments import public_set_use, store, tuned_settings, units
from dpviz.machine import public_mode
from dpviz.machine.fair_queue import Progress, no_progress
from dpviz.machine.plugin_loading import errors_named
from dpviz.machine.threads import limited_cores, one_numeric_thread, parallel_map
from dpviz.methods.components.public_sets import NoPublicSet
from dpviz.text import guarantee_cards as cards
from dpviz.text.template import render_text
from dpviz.types import (
    Budget,
    DataConfig,
    Dataset,
    DpvizError,
    Guarantee,
    Hits,
    Plan,
    Release,
    Result,
    RunSpec,
    Scores,
    Sizes,
    unit_rows,
)

#: Specs of one fit.
Batch = list[RunSpec]
RunBatches = Callable[
    [list[Batch], Mapping[RunSpec, Plan], Mapping[RunSpec, str], Callable[[str], None]],
    Iterator[list[Result]],
]
"""run_batches(batches, plans, keys, report) yields the results of each batch, in any order;
``report`` takes a stage and may raise Cancelled.
"""

PLACEHOLDER_BUDGET = Budget(1.0)
#: Seeds or cells of one fit, whichever is more: enough to share work, few enough for progress
#: reports.
SEEDS_PER_FIT, CELLS_PER_FIT = 5, 15
#: The same if a method stacks any cells and some results are needed first: cells with few steps
#: leave the stack early.
STACKED_CELLS_PER_FIT = 20
#: Largest number of private feature values of a fast fit. If some results are needed first, such
#: fits are small and run one per core.
MAX_SMALL_NUMBERS = 4_000_000
#: Called with new results, by requested spec.
OnResults = Callable[[dict[RunSpec, Result]], None]
#: Bytes of data sets in each of the caches below.
PREPARED_BYTES = 512 * 2**20


def _dataset_cache(max_values: int) -> KeyedCache[Dataset]:
    held = public_mode.cache_bytes
    return KeyedCache(__name__, max_values, PREPARED_BYTES, max_held_size=held)


_features = _dataset_cache(4)
_redivided = _dataset_cache(16)
_imbalanced = _dataset_cache(16)
_bounded = _dataset_cache(16)


def specs(
    material: DataConfig,
    method: str,
    budgets: Sequence[Budget],
    seeds: Iterable[int],
    params: Mapping[str, Any] | None = None,
) -> list[RunSpec]:
    """Return one spec per budget and seed, seeds innermost."""
    settings = tuple((params or {}).items())
    return [
        RunSpec(**material.facts, method=method, budget=budget, params=settings, seed=seed)
        for budget, seed in product(budgets, seeds)
    ]


def run(spec: RunSpec) -> Result:
    """Return the result of one spec.

    Raises:
        DpvizError: For a setting that is not valid.
    """
    return sweep([spec])[0]


def sweep(
    requested: Sequence[RunSpec],
    progress: Progress = no_progress,
    use_store: bool = True,
    run_batches: RunBatches | None = None,
    first: int = 0,
    on_results: OnResults = lambda results: None,
) -> list[Result]:
    """Return the results of many specs, in their order: from the store, or computed in batches.

    Args:
        requested: any mix of specs.
        progress: called after each batch; finished batches stay stored if it raises Cancelled.
        use_store: False recomputes everything and stores nothing.
        run_batches: computes the batches; by default in this process.
        first: number of ``requested`` specs to compute before all others. The order changes no
            number.
        on_results: called with the stored results, and then with those of each batch.

    Raises:
        DpvizError: For a setting that is not valid, before the first fit.
        Cancelled: If ``progress`` raises it.
    """
    unique_specs = list(dict.fromkeys(requested))
    complete_specs, keys = _keyed(unique_specs, progress)
    finished = store.recall(keys.values()) if use_store else {}
    missing = [spec for spec in keys if keys[spec] not in finished]
    plans = plans_of(missing)
    specs_by_key: dict[str, list[RunSpec]] = defaultdict(list)
    for spec_given, spec in zip(unique_specs, complete_specs, strict=True):
        specs_by_key[keys[spec]].append(spec_given)
    report: Callable[[str], None] = lambda stage: progress(stage, len(finished), len(keys))
    report_results: Callable[[dict], None] = lambda by_key: on_results(
        {spec: result for key, result in by_key.items() for spec in specs_by_key[key]}
    )
    report_results(finished)
    _public_made(missing, progress)
    batches, in_any_order = _ordered(missing, set(complete_specs[:first]) if first else set())
    run_batches = run_batches or (_run_in_parallel if in_any_order else _run_in_turn)
    with store.keeping() as keep:
        for results in run_batches(batches, plans, keys, report):
            fresh = {keys[result.spec]: result for result in results}
            if use_store:
                keep(fresh)
            finished |= fresh
            report_results(fresh)
    progress("Finished", len(keys), len(keys))
    by_spec = {m: finished[k] for k, batch_results in specs_by_key.items() for m in batch_results}
    return [by_spec[spec] for spec in requested]


def _public_made(missing: list[RunSpec], progress: Progress) -> None:
    """Embed the required public sets, with progress reports."""
    for spec in dict.fromkeys(
        dataclasses.replace(s, budget=PLACEHOLDER_BUDGET, seed=0) for s in missing
    ):
        if reads_public(spec):
            prepared(spec).public_made(progress)


def reads_public(spec: RunSpec) -> bool:
    """Return whether a complete spec reads public rows."""
    method = methods.get(spec.method)
    return method.needs_public or method.reads_public(dict(spec.params))


def _ordered(missing: list[RunSpec], first: set[RunSpec]) -> tuple[list[Batch], bool]:
    """Return the batches, those of ``first`` before the others, and whether they are small.

    Small batches run one per core.
    """
    head = [spec for spec in missing if spec in first]
    tail = [spec for spec in missing if spec not in first]
    small = bool(first) and bool(missing) and prepared(missing[0]).x.size <= MAX_SMALL_NUMBERS
    return [batch for part in (head, tail) for batch in _batches(part, small)], small


def _run_in_turn(
    batches: list[Batch],
    plans: Mapping[RunSpec, Plan],
    keys: Mapping[RunSpec, str],
    report: Callable[[str], None],
) -> Iterator[list[Result]]:
    for batch in batches:
        report(methods.get(batch[0].method).title)
        yield compute(batch, plans)


def _run_in_parallel(
    batches: list[Batch],
    plans: Mapping[RunSpec, Plan],
    keys: Mapping[RunSpec, str],
    report: Callable[[str], None],
) -> Iterator[list[Result]]:
    def run_batch(batch: Batch) -> list[Result]:
        with limited_cores(1):
            return compute(batch, plans)

    with closing(parallel_map(run_batch, batches)) as batch_results:
        for batch, results in zip(batches, batch_results, strict=True):
            yield results
            report(methods.get(batch[0].method).title)


def stored(specs: Sequence[RunSpec], progress: Progress = no_progress) -> list[Result]:
    """Return the stored results of many specs, in their order; compute nothing.

    Raises:
        DpvizError: If the store cannot be read.
    """
    specs, keys = _keyed(specs, progress)
    results = store.read(keys.values())
    return [results[keys[spec]] for spec in specs if keys[spec] in results]


def _keyed(
    given_specs: Iterable[RunSpec], progress: Progress
) -> tuple[list[RunSpec], dict[RunSpec, str]]:
    """Return complete specs, and the key of each in the store."""
    specs = [complete(spec) for spec in given_specs]
    keys: dict[RunSpec, str] = {}
    fingerprints: dict[tuple, str] = {}
    for spec in specs:
        facts = tuple(spec.facts.values())
        if facts not in fingerprints:
            fingerprints[facts] = prepared(spec, progress).fingerprint
        keys[spec] = store.key(spec, fingerprints[facts])
    return specs, keys


def complete(spec: RunSpec) -> RunSpec:
    """Return the spec with all defaults, checked, so that equal settings have equal keys.

    Raises:
        DpvizError: For an unknown setting or a bad value.
    """
    params = tuple(methods.get(spec.method).check(dict(spec.params)).items())
    dataset_key = (
        synthetic.canonical(spec.dataset) if synthetic.is_synthetic(spec.dataset) else spec.dataset
    )
    public, features = (
        spec.public or data.default_public(dataset_key),
        preparation.canonical(spec.features),
    )
    return dataclasses.replace(
        spec, dataset=dataset_key, params=params, public=public, features=features
    )


def prepared(material: DataConfig, progress: Progress = no_progress) -> Dataset:
    """Return the data of a spec: embedded, with prepared features, subsampled and imbalanced."""
    all_records = data.load(
        material.dataset, material.encoder, material.public, progress, material.classes
    )
    if material.features and preparation.reads_public(material.features):
        all_records.public_made(progress)
    divided = (
        _divided(all_records, material.draw) if data.one_pool(material.dataset) else all_records
    )
    imbalanced = _prepared(divided, material)
    if material.unit == "picture" and not material.per_person:
        return imbalanced
    return _of_persons(imbalanced, material.per_person)


def _divided(all_records: Dataset, draw: int) -> Dataset:
    """Return training and test records divided by a data draw; draw 0 keeps the division."""
    return (
        _redivided.get_or_compute((all_records, draw), lambda: split_again(all_records, draw))
        if draw
        else all_records
    )


def _prepared(all_records: Dataset, config: DataConfig) -> Dataset:
    def prepare() -> Dataset:
        limited = first_of_each(
            _featured(all_records, config.features), config.records, config.draw
        )
        return long_tail(limited, config.ir, config.draw)

    return _imbalanced.get_or_compute(
        (all_records, config.features, config.records, config.ir, config.draw), prepare
    )


def _of_persons(dataset: Dataset, per_person: int) -> Dataset:
    return _bounded.get_or_compute(
        (dataset, per_person), lambda: persons.bounded(dataset, per_person)
    )


def _featured(all_records: Dataset, features: str) -> Dataset:
    return _features.get_or_compute(
        (all_records, features), lambda: preparation.prepare(all_records, features)
    )


def planned(spec: RunSpec) -> Plan:
    """Return the plan of a spec, made from sizes and budget and checked against the budget.

    Raises:
        DpvizError: If it is not valid or exceeds the budget.
    """
    spec = complete(spec)
    try:
        plan = plan_with(spec, prepared(spec).sizes)
    except NoPublicSet as error:
        raise DpvizError(
            f"{error}{public_set_use.ways_out(spec)}", options=public_set_use.options(spec)
        ) from None
    privacy.check(plan, spec.budget)
    return dataclasses.replace(plan, guarantee=card(plan, spec))


def plan_with(spec: RunSpec, sizes: Sizes) -> Plan:
    """Return the plan of a complete spec on these sizes, for its unit of privacy.

    Raises:
        DpvizError: If it is not valid.
    """
    public_set_use.check_features(spec)
    method, params = methods.get(spec.method), dict(spec.params)
    max_records = (
        0 if spec.unit == "picture" else spec.per_person or persons.most_records(prepared(spec))
    )
    return methods.plan(method, sizes, spec.budget, params, max_records)


def plans_of(specs: Iterable[RunSpec]) -> dict[RunSpec, Plan]:
    """Return the plan of each spec, made once for all seeds, since no plan depends on a seed.

    Raises:
        DpvizError: as ``planned``.
    """
    shared: dict[RunSpec, Plan] = {}
    plans = {}
    for spec in specs:
        first_seed_spec = dataclasses.replace(spec, seed=0)
        if first_seed_spec not in shared:
            shared[first_seed_spec] = planned(first_seed_spec)
        plans[spec] = shared[first_seed_spec]
    return plans


def card(plan: Plan, spec: RunSpec) -> Guarantee:
    """Return the guarantee of a plan with the facts about the data.

    These are further public data, the unit, and the steps before the guarantee begins.
    """
    guarantee, features_public = plan.guarantee, preparation.public_part(spec.features)
    public_text = guarantee.public
    if spec.encoder and encoders.get(spec.encoder).unlearned:
        public_text = public_text.replace("the encoder", "the encoder (untrained)", 1)
    public = f"{public_text}; {features_public}" if features_public else public_text
    record, begins = "image", cards.STARTS["image"]
    if synthetic.is_synthetic(spec.dataset):
        record, begins = "synthetic feature vector", cards.STARTS["synthetic"]
    elif spec.dataset.endswith(".npz"):
        record, begins = "row of the file", cards.STARTS["row"]
    ready = prepared(spec)
    class_source = [class_lists.READ] if ready.classes_read else []
    public = "; ".join([public, *class_source, *units.assumed(plan, spec, record)])
    images, aside = public_set_use.held_aside_text(spec, ready)
    return dataclasses.replace(
        guarantee,
        public=public,
        unit=units.unit(plan, spec, record),
        starts=_starts(
            begins, aside + _draw_key(spec) + units.steps_before_guarantee(spec, record)
        ),
        held_aside=images,
        defaults=tuned_settings.origin(spec) or _defaults_text(spec),
    )


def _starts(begins: str, steps: str) -> str:
    """Return the start of the guarantee, with the steps before it joined to the encoder's."""
    if begins == cards.STARTS["image"] and steps.startswith(", after "):
        return begins + cards.AND_AFTER + steps.removeprefix(", after ")
    return begins + steps


def _defaults_text(spec: RunSpec) -> str:
    if spec.dataset in data.DEVELOPMENT_SETS:
        return cards.DEFAULTS_HERE
    return render_text(cards.DEFAULTS_ELSEWHERE, dataset=data.DEVELOPMENT_SETS[0])


def _draw_key(spec: RunSpec) -> str:
    return sampling_text(spec.records, spec.ir, spec.draw, data.one_pool(spec.dataset))


def _batches(missing: Iterable[RunSpec], small: bool = False) -> Iterator[list[RunSpec]]:
    """Yield the specs of each fit: equal except for budget, seed and ``cell_settings``.

    Args:
        small: limit the budgets per fit as well, in about the order of ``missing``.
    """
    seeds_of: dict[RunSpec, list[RunSpec]] = defaultdict(list)
    place: dict[RunSpec, int] = {}
    for spec in missing:
        place[spec] = len(place)
        seeds_of[dataclasses.replace(spec, budget=PLACEHOLDER_BUDGET)].append(spec)
    grids: dict[tuple, list[list[RunSpec]]] = defaultdict(list)
    for column in seeds_of.values():
        shared_spec = dataclasses.replace(_shared(column[0]), budget=PLACEHOLDER_BUDGET, seed=0)
        grids[shared_spec, tuple(spec.budget for spec in column)].append(column)
    batches = []
    for columns in grids.values():
        budgets, cells_per_fit = len(columns[0]), CELLS_PER_FIT
        if small:
            cells_per_fit = (
                STACKED_CELLS_PER_FIT
                if methods.get(columns[0][0].method).fit_cells
                else cells_per_fit
            )
            budgets = max(1, cells_per_fit // len(columns))
        seeds = max(SEEDS_PER_FIT, cells_per_fit // budgets)
        for top in range(0, len(columns[0]), budgets):
            for start in range(0, len(columns), seeds):
                chunk = columns[start : start + seeds]
                batches.append([spec for column in chunk for spec in column[top : top + budgets]])
    yield from sorted(batches, key=lambda batch: place[batch[0]]) if small else batches


def _shared(spec: RunSpec) -> RunSpec:
    """Return the spec without the settings that may differ within a batch."""
    limit = methods.get(spec.method).cell_settings
    if not limit:
        return spec
    return dataclasses.replace(spec, params=tuple(p for p in spec.params if p[0] not in limit))


def fit(
    batch: Sequence[RunSpec], plans: Mapping[RunSpec, Plan] | None = None
) -> dict[RunSpec, tuple[Release, dict]]:
    """Return release and notes of each spec of a batch, as of ``_batches``.

    A method without noise is fitted once.
    """
    method, ready = methods.get(batch[0].method), prepared(batch[0])
    plan_of = {spec: plans[spec] if plans else planned(spec) for spec in batch}
    if method.fit_cells:
        with errors_named():
            releases = method.fit_cells(ready, [(plan_of[spec], spec.seed) for spec in batch])
        return {spec: (release, {}) for spec, release in zip(batch, releases, strict=True)}
    budgets, seeds = (
        list(dict.fromkeys(getattr(spec, name) for spec in batch)) for name in ("budget", "seed")
    )
    plan_by_budget = {spec.budget: plan_of[spec] for spec in batch}
    cell_grid = (budgets, seeds) if method.private else (budgets[:1], seeds[:1])
    with errors_named():
        plans_in_order = [plan_by_budget[budget] for budget in cell_grid[0]]
        fitted = method.fit(ready, plans_in_order, cell_grid[1])
    notes = fitted.trace.get("notes")
    cells = {}
    for spec in batch:
        i, j = (budgets.index(spec.budget), seeds.index(spec.seed)) if method.private else (0, 0)
        cells[spec] = fitted.releases[i][j], notes[i][j] if notes else {}
    return cells


def release(spec: RunSpec) -> Release:
    """Return the release of ``spec``, which its result scores."""
    spec = complete(spec)
    with one_numeric_thread():
        return fit([spec])[spec][0]


def compute(batch: Sequence[RunSpec], plans: Mapping[RunSpec, Plan]) -> list[Result]:
    """Fit and score a batch of specs, each with its plan."""
    ready = prepared(batch[0])
    minority = minority_classes(ready.counts, ready.draw)
    start = time.perf_counter()
    with one_numeric_thread():
        cells = fit(batch, plans)
        scores = {id(release): score(release, ready, minority) for release, _ in cells.values()}
    seconds = (time.perf_counter() - start) / len(batch)
    return [
        Result(
            spec,
            scores[id(release)],
            plans[spec].guarantee,
            minority,
            ready.counts,
            seconds,
            store.versions(),
            notes,
            persons=units.protected(ready, spec.unit) if spec.unit == "person" else 0,
        )
        for spec, (release, notes) in cells.items()
    ]


_unit_rows: WeakCache[np.ndarray] = WeakCache(__name__)


def score(release: Release, ready: Dataset, minority: Sequence[int]) -> Scores:
    """Return the accuracies of a release on the test set; classes without test records do not
    count.
    """
    rows = _unit_rows.get_or_compute(ready.x_test, "", lambda: unit_rows(ready.x_test))
    right = release.labels(rows if release.normalise else ready.x_test) == ready.y_test
    if ready.adversary is not None:
        right &= perturbation.survives(release, ready.x_test, ready.y_test, ready.adversary)
    return marked(right, ready.y_test, ready.classes, minority)


def marked(right: np.ndarray, y: np.ndarray, classes: int, minority: Sequence[int]) -> Scores:
    """Return accuracies from correct records ``right`` (n,) bool of classes ``y`` (n,)."""
    totals = np.bincount(y, minlength=classes)
    tested = totals > 0
    per_class = np.full(classes, np.nan)
    per_class[tested] = np.bincount(y, weights=right, minlength=classes)[tested] / totals[tested]
    tail = [c for c in minority if tested[c]]
    return Scores(
        overall=float(right.mean()),
        balanced=float(per_class[tested].mean()),
        minority=float(per_class[tail].mean()) if tail else float("nan"),
        per_class=tuple(per_class.tolist()),
        hits=Hits.from_labels(right, y, classes, minority),
    )
