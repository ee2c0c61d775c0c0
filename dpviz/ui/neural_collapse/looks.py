"""The closer looks of the page "Neural collapse"; each draws its chart, says what it shows, and
returns its table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dpviz import privacy
from dpviz.data import name_settings, perturbation, preparation, synthetic
from dpviz.diagnostics import collapse_measures as measures
from dpviz.plots import cosine_matrix, error_by_setting
from dpviz.plots.kit.style import GREEN, GREY, ORANGE, RED, Look
from dpviz.run import experiment, reproduce, result_files
from dpviz.stats import Interval, interval, within_noise
from dpviz.types import Material, Result, RunSpec
from dpviz.ui.live import long_work, page_caches
from dpviz.ui.neural_collapse import controls as page
from dpviz.ui.neural_collapse.controls import Shown, Source
from dpviz.ui.widgets import cards, charts, text
from dpviz.ui.widgets.choices import choice
from dpviz.views.view import Group, View
from dpviz.words import METRIC_WORDS, at, minus, percent, spread, unbroken

KEY = "neural-collapse"
LOOKS = {
    "class": "Class by class",
    "dim": "Dimension",
    "pca": "Public PCA",
    "skew": "Imbalance and offset",
    "step": "One step, exactly",
}
MOVES = {kind: kind.capitalize() for kind in perturbation.KINDS if kind != "none"}
DIMS = (16, 64, 256, 1024, 4096)
SCALES = (0.125, 0.25, 0.5, 1, 2, 4)
LARGEST = 10_300_000
"""Numbers in the largest data set of a look: 10,000 records of 1,024."""
RANKS = (2, 5, 20, 50, 100)
ALPHAS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
DRAWS = 100
DEPTHS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
WATCHED = 3_000_000
GD, GD_MOVED = Look(GREY, "solid", "circle-open"), Look(GREY, "dash", "square-open")
NOISY, NOISY_MOVED = Look(RED, "solid", "triangle-up"), Look(RED, "dash", "triangle-down")
Rows = list[dict[str, Any]]
Key = tuple[str, float]
"""(line, place)"""


def choose() -> str:
    """Which closer look: a key of ``LOOKS``."""
    return choice(
        st.segmented_control,
        "A closer look",
        LOOKS,
        "class",
        "look",
        required=True,
        label_visibility="collapsed",
    )


def show(look: str, found: Sequence[Shown], view: View, metric: str) -> Rows:
    """The chosen look; returns its table."""
    draw = {"class": classes, "dim": dimension, "pca": pca, "skew": skew, "step": step}[look]
    return draw(found, view, metric)


def caption(view: View) -> None:
    """What the main chart shows."""
    cards.private_view()
    st.caption(
        "Left: β, how far a record of length 1 lies from its class's mean in its largest"
        " coordinate. Middle: cosines between class means, the common mean taken off; the dotted"
        " line is a perfect frame. Right: test accuracy of the same linear probe. Synthetic"
        f" features are generated, nothing in them is real. [The paper's setting]({page.PAPER}): K"
        " = 10, n = 10,000, (1, 1e-4)-DP, β = 0."
    )


def _of(found: Sequence[Shown]) -> Shown:
    titles = {str(i): one.source.title for i, one in enumerate(found)}
    return found[int(choice(st.selectbox, "Features", titles, "0", "of"))]


def _collect(name: str, wanted: Mapping[Key, Group]) -> dict[Key, list[Result]]:
    """Results by line and place, with progress and a stop."""
    status = st.empty()
    job = long_work.collect(
        f"{KEY}-{name}", list(dict.fromkeys(wanted.values())), status, lambda job: None
    )
    text.refusals(job.errors.values())
    found = {key: job.done[group] for key, group in wanted.items() if group in job.done}
    if found:
        st.caption(text.origin([r for mine in found.values() for r in mine]))
    return found


def _errors(found: Mapping[Key, Sequence[Result]], metric: str) -> dict[str, dict[float, Interval]]:
    lines: dict[str, dict[float, Interval]] = {}
    for (name, place), runs in found.items():
        lines.setdefault(name, {})[place] = interval([1 - getattr(r.scores, metric) for r in runs])
    return lines


def _draw(chart: error_by_setting.ErrorLines, name: str) -> Rows:
    if chart.lines:
        charts.show(error_by_setting.figure(chart), error_by_setting.alt(chart), f"{KEY}-{name}")
    return error_by_setting.table(chart)


def _where(view: View, metric: str) -> str:
    return (
        f"Error: 100 % minus records {METRIC_WORDS[metric]}, at"
        f" {at(view.budget)}. Bands: 95 % t-interval over N = {view.seeds}"
        " noise seeds; without privacy nothing varies."
    )


def moved(points: Mapping[float, Interval]) -> str:
    """From the first place to the last, in words: figures, and whether they differ beyond the
    noise.
    """
    first, last = points[min(points)], points[max(points)]
    told = f"from **{percent(first)}** to **{percent(last)}**"
    if min(first.runs, last.runs) > 1:
        return f"{told}{' (within noise)' if within_noise(first, last) else ''}"
    return told


# ------------------------------------------------------------------------------------------ classes


@page_caches.remembered(20, "Training without noise for NC3 …")
def _nc3(spec: RunSpec, content: str) -> float:
    return measures.nc3(
        measures.measure(experiment.prepared(spec)).means, experiment.release(spec).weights
    )


def classes(found: Sequence[Shown], view: View, metric: str) -> Rows:
    """Shift by class and cosines between classes."""
    one = _of(found)
    spec = one.quiet[0].spec
    data = experiment.prepared(spec)
    chart = cosine_matrix.info(
        data.class_names, one.measures.cosines, one.measures.beta, one.measures.y
    )
    cards.private_view()
    m = one.measures
    third = (
        f"NC3 = **{_nc3(spec, data.fingerprint):.2g}**"
        if data.x.size <= WATCHED
        else "NC3 left out, as training again would take long"
    )
    st.markdown(
        unbroken(
            f"{one.source.title}: NC1 = **{m.nc1:.2g}**, NC2: lengths vary by **{100 * m.nc2:.0f}"
            f" %** and cosines miss {minus(f'{m.corner:.2f}')} by **{m.nc2_angle:.2f}** on average,"
            f" {third}. All are 0 in a perfect collapse."
        )
    )
    left, right = st.columns(2)
    with left:
        charts.show(
            cosine_matrix.shift_figure(chart), cosine_matrix.shift_alt(chart), f"{KEY}-shift"
        )
    with right:
        charts.show(cosine_matrix.figure(chart), cosine_matrix.alt(chart), f"{KEY}-cosines")
    st.caption(
        "Left: shift β by class, middle half and middle nine tenths of its records (Figure 2 of the"
        " paper). Right: cosines of class means after the common mean is taken off; the paper reads"
        " them before and against +1/(K−1), a perfect frame has −1/(K−1). NC3: distance of class"
        " means and noiseless rule, both centred and scaled to 1."
    )
    return cosine_matrix.table(chart)


# ---------------------------------------------------------------------------------------- dimension


def features(view: View, **changes: Any) -> str:
    """The view's preparation with some settings changed."""
    return name_settings.write(
        name_settings.read(view.features, preparation.PARAMS, "Features") | changes,
        preparation.PARAMS,
    )


def at_dimension(
    view: View, source: Source, have: int, p: int, move: dict[str, Any]
) -> dict[str, str]:
    """Changes of a run that give its features ``p`` coordinates and a test perturbation."""
    if synthetic.asked(source.material.dataset):
        return {
            "dataset": synthetic.name(
                **synthetic.parse(source.material.dataset) | {"dim": p, "test": "none"} | move
            )
        }
    return {"features": features(view, dim=p if p != have else 0, **move)}


def dims(source: Source, have: int, n: int) -> list[int]:
    """Dimensions to draw: of new frames, or by copying and dropping coordinates."""
    if synthetic.asked(source.material.dataset):
        some, least = {*DIMS, have}, synthetic.parse(source.material.dataset)["classes"]
    else:
        some, least = {round(have * s) for s in SCALES}, 2
    return sorted(
        p for p in some if p == have or (least <= p and p * n <= LARGEST and p <= DIMS[-1])
    )


def dimension(found: Sequence[Shown], view: View, metric: str) -> Rows:
    """Error against dimension with and without a test perturbation (Figure 3)."""
    one = _of(found)
    kind = choice(
        st.segmented_control,
        "Test perturbation",
        MOVES,
        "stochastic",
        "move",
        required=True,
        help=perturbation.TEST.help,
    )
    size = st.slider(
        "Its size",
        0.01,
        0.5,
        0.1,
        0.01,
        key="by",
        help=perturbation.SIZE.help,
        bind="query-params",
    )
    data = experiment.prepared(one.quiet[0].spec)
    have = experiment.data.load(
        one.source.material.dataset, one.source.material.encoder, one.quiet[0].spec.public
    ).x.shape[1]
    wanted: dict[Key, Group] = {}
    for p in dims(one.source, have, len(data.x)):
        for words, move in (("", {}), (", perturbed", {"test": kind, "size": size})):
            quiet, noisy = page.pair(
                view, one.source, **at_dimension(view, one.source, have, p, move)
            )
            wanted |= {(f"Gradient descent{words}", p): quiet, (f"Private{words}", p): noisy}
    lines = _errors(_collect("dim", wanted), metric)
    looks = {
        "Gradient descent": GD,
        "Gradient descent, perturbed": GD_MOVED,
        "Private": NOISY,
        "Private, perturbed": NOISY_MOVED,
    }
    chart = error_by_setting.ErrorLines(
        "dimension p",
        tuple(
            error_by_setting.line(name, looks[name], lines[name]) for name in looks if name in lines
        ),
        chance=1 - 1 / data.classes,
    )
    if len(lines) == len(looks):
        collapsed = (
            synthetic.asked(one.source.material.dataset)
            and synthetic.parse(one.source.material.dataset)["beta"] == 0
        )
        st.markdown(_dimension_answer(lines, kind, size, collapsed))
    rows = _draw(chart, "dim")
    how = (
        "A new frame for each p."
        if synthetic.asked(one.source.material.dataset)
        else (
            "Coordinates are copied, or a random subset is kept; every record has length 1 again"
            " before the test perturbation."
        )
    )
    against = (
        " Adversarial: against each rule that is scored, exactly." if kind == "adversarial" else ""
    )
    st.caption(
        f"{_where(view, metric)} {how}{against} Perturbed: test records only, by at most {size:g}"
        " in each coordinate."
    )
    return rows


def _dimension_answer(
    lines: Mapping[str, Mapping[float, Interval]], kind: str, size: float, collapsed: bool
) -> str:
    places = sorted(lines["Private"])
    rises = {name: _rises(points[places[0]], points[places[-1]]) for name, points in lines.items()}
    if not collapsed:
        clean = ""
    elif rises["Private"]:
        clean = " That dimension does not matter at β = 0 does **not** hold here."
    else:
        clean = " That dimension does not matter at β = 0 **holds here**."
    if not rises["Private, perturbed"]:
        paper = (
            "is **not seen here**: at this budget the private error does not rise beyond the noise"
        )
    elif rises["Gradient descent, perturbed"]:
        paper = "does **not** hold here: gradient descent suffers too"
    else:
        paper = "**holds here**"
    return (
        f"From p = {places[0]:,} to {places[-1]:,} the private probe's error goes"
        f" {moved(lines['Private'])} on clean and {moved(lines['Private, perturbed'])} on {kind}"
        f" test features (±{size:g}); gradient descent's {moved(lines['Gradient descent'])} and"
        f" {moved(lines['Gradient descent, perturbed'])}.{clean} That dimension hurts private"
        f" training and not gradient descent once test features are perturbed {paper}."
    )


def _rises(first: Interval, last: Interval) -> bool:
    """Whether an error grew: beyond the noise where there is any, by more than a point where
    nothing varies.
    """
    grown = last.mean - first.mean
    return (
        grown > 0.01
        if min(first.runs, last.runs) < 2
        else grown > 0 and not within_noise(first, last)
    )


# ---------------------------------------------------------------------------------------------- pca


def pca(found: Sequence[Shown], view: View, metric: str) -> Rows:
    """Error against the number of public directions kept (Figure 4)."""
    one = _of(found)
    shift = st.slider(
        "Shift of every record",
        0.0,
        0.5,
        0.1,
        0.01,
        key="noise",
        help=preparation.SHIFT.help,
        bind="query-params",
    )
    data = experiment.prepared(one.quiet[0].spec)
    have, corner = (
        experiment.data.load(
            one.source.material.dataset, one.source.material.encoder, one.quiet[0].spec.public
        ).x.shape[1],
        data.classes - 1,
    )
    if data.x_public is None:
        st.info("Public PCA needs a public set; this data has none. Add X_public to the file.")
        return []
    wanted: dict[Key, Group] = {}
    for k in [*sorted({k for k in (*RANKS, corner, corner + 1) if 1 <= k < have}), have]:
        quiet, noisy = page.pair(
            view, one.source, features=features(view, shift=shift, pca=0 if k == have else k)
        )
        wanted |= {("Gradient descent", k): quiet, ("Private", k): noisy}
    lines = _errors(_collect("pca", wanted), metric)
    looks = {"Gradient descent": GD, "Private": NOISY}
    chart = error_by_setting.ErrorLines(
        "public directions kept, k",
        tuple(
            error_by_setting.line(name, looks[name], lines[name]) for name in looks if name in lines
        ),
        chance=1 - 1 / data.classes,
        now=(corner, "K − 1"),
        words=((have, "all"),),
    )
    points = lines.get("Private", {})
    if corner in points and have in points:
        st.markdown(_pca_answer(points, corner, have))
    rows = _draw(chart, "pca")
    st.caption(
        f"{_where(view, metric)} Every record, public ones too, is shifted by ±{shift:g} a"
        " coordinate first. Directions come from the public set; the paper takes them from private"
        " features."
    )
    return rows


def _pca_answer(points: Mapping[float, Interval], corner: int, have: int) -> str:
    whole, cut = points[have], points[corner]
    best = min(points, key=lambda k: points[k].mean)
    verdict = (
        "makes no difference beyond the noise"
        if within_noise(whole, cut)
        else ("**helps here**" if cut.mean < whole.mean else "**hurts** here, against the paper")
    )
    least = "all" if best == have else f"k = {best:g}"
    return (
        f"Kept to K − 1 = {corner} public directions the private error is **{percent(cut)}**, with"
        f" all {have:,} coordinates **{percent(whole)}**: that {verdict}. Least error: {least},"
        f" {percent(points[best])}."
    )


# ---------------------------------------------------------------------------------------- imbalance


def skew(found: Sequence[Shown], view: View, metric: str) -> Rows:
    """Error against imbalance with and without an offset, and with public centring, on synthetic
    features.
    """
    mine = next(
        (one.source for one in found if synthetic.asked(one.source.material.dataset)),
        Source("Synthetic", Material(synthetic.KEY, None)),
    )
    offset = st.slider(
        "Offset",
        0.0,
        0.5,
        0.1,
        0.01,
        key="off",
        help="One fixed shift of ±offset a coordinate, the same for all records.",
        bind="query-params",
    )
    frame = synthetic.parse(mine.dataset)
    wanted: dict[Key, Group] = {}
    for alpha in ALPHAS:
        for words, shift, more in (
            ("", 0.0, {}),
            (", offset", offset, {}),
            (", offset, centred", offset, {"centre": "yes"}),
        ):
            name = synthetic.name(**frame | {"alpha": alpha, "offset": shift})
            quiet, noisy = page.pair(
                view, mine, dataset=name, ir=1.0, features=features(view, **more)
            )
            wanted |= {(f"Private{words}", alpha): noisy} | (
                {(f"Gradient descent{words}", alpha): quiet} if not more else {}
            )
    lines = _errors(_collect("skew", wanted), metric)
    looks = {
        "Gradient descent": GD,
        "Gradient descent, offset": GD_MOVED,
        "Private": NOISY,
        "Private, offset": NOISY_MOVED,
        "Private, offset, centred": Look(GREEN, "dot", "diamond"),
    }
    chart = error_by_setting.ErrorLines(
        "imbalance α: weight of the first half of the classes",
        tuple(
            error_by_setting.line(name, looks[name], lines[name]) for name in looks if name in lines
        ),
        log_x=False,
        chance=1 - 1 / frame["classes"],
    )
    if len(lines) == len(looks):
        st.markdown(_skew_answer(lines, offset))
    rows = _draw(chart, "skew")
    st.caption(
        f"{_where(view, metric)} Synthetic: {mine.title}. The offset is in training, public and"
        " test records alike; the test set is balanced. Centred: on the public set's mean, which"
        " is balanced."
    )
    return rows


def _skew_answer(lines: Mapping[str, Mapping[float, Interval]], offset: float) -> str:
    harmless = within_noise(lines["Private"][ALPHAS[0]], lines["Private"][ALPHAS[-1]])
    hurt = not within_noise(
        lines["Private, offset"][ALPHAS[0]], lines["Private, offset"][ALPHAS[-1]]
    )
    verdict = {
        (True, True): "**holds here**",
        (True, False): "is **not seen here**: with the offset, too, any rise is within noise",
        (False, True): "does **not** hold here: imbalance alone hurts too",
    }
    return (
        f"From α = {ALPHAS[0]:g} to {ALPHAS[-1]:g} the private error goes {moved(lines['Private'])}"
        f" without and {moved(lines['Private, offset'])} with an offset of {offset:g}; centred on"
        f" the public mean, {moved(lines['Private, offset, centred'])}. That imbalance is harmless"
        " by itself and harmful with an offset"
        f" {verdict.get((harmless, hurt), 'does **not** hold here')}."
    )


# ----------------------------------------------------------------------------------------- one step


def step(found: Sequence[Shown], view: View, metric: str) -> Rows:
    """The exact error of one step beside measurement and the printed bound, for two classes; and on
    this data.
    """
    one = _of(found)
    mu = privacy.mu_for(view.budget)
    sizes = sorted({max(2, round(depth / mu)) for depth in DEPTHS if depth / mu <= 5000})
    if not sizes:
        st.info(
            "At this budget two classes need more than 5,000 records each step; choose a larger"
            " one."
        )
        return []
    wanted = {(f"Measured, p = {p}", n): _binary(view, n, p) for p in (8, 512) for n in sizes}
    here = page.pair(
        view, one.source, params=_one_step(experiment.prepared(one.quiet[0].spec).classes)
    )[1]
    told = _collect("step", wanted | {("here", 0): here})
    lines = _errors({key: runs for key, runs in told.items() if key in wanted}, "balanced")
    rho, sure = mu**2 / 2, lambda value: Interval(value, value, value, 1)
    theory = {
        "Exact": (Look(GREY, "solid", "circle-open"), measures.binary_error),
        "Printed as Theorem 3.3": (Look(ORANGE, "dash", "x"), measures.printed_bound),
        "With the missing ½": (Look(GREEN, "dot", "diamond"), measures.halved_bound),
    }
    drawn = [
        error_by_setting.line(name, look, {n: sure(of(n, rho)) for n in sizes})
        for name, (look, of) in theory.items()
    ]
    drawn += [
        error_by_setting.line(name, NOISY if "512" in name else NOISY_MOVED, points)
        for name, points in lines.items()
    ]
    below = [n for n in sizes if measures.printed_bound(n, rho) < measures.binary_error(n, rho)]
    st.markdown(_step_answer(sizes, rho, below) + _step_here(one, told.get(("here", 0)), mu))
    rows = _draw(
        error_by_setting.ErrorLines(
            "records n of two collapsed classes (β = 0)", tuple(drawn), log_y=True, chance=0.5
        ),
        "step",
    )
    st.caption(
        f"One step from zero at {at(view.budget)}; the exact error is"
        f" Φ(−n√(2ρ)), whatever the dimension. Measured: {DRAWS} seeds a point, each run either"
        " right or wrong on all records, so 0 of them is drawn at the foot. Theorem 3.3 as printed"
        " lacks a ½ in its exponent and falls below the exact error, so no page shows its verdict."
    )
    return rows


def _one_step(classes: int) -> dict[str, Any]:
    """One step, clipped at what a gradient's length is at zero: nothing is cut."""
    return {"steps": 1, "clip": math.sqrt(1 - 1 / classes)}


def _binary(view: View, n: int, p: int) -> Group:
    name = synthetic.name(classes=2, dim=p, n=n, beta=0.0)
    settings_ = tuple(_one_step(2).items())
    return tuple(
        RunSpec(name, None, page.METHOD, view.budget, params=settings_, seed=view.first_seed + i)
        for i in range(DRAWS)
    )


def _step_answer(sizes: Sequence[int], rho: float, below: Sequence[int]) -> str:
    first, last = (measures.binary_error(n, rho) for n in (sizes[0], sizes[-1]))
    note = (
        f"the bound printed as Theorem 3.3 falls below it at n = {', '.join(map(str, below))}, so"
        " it is **not a bound**"
        if below
        else "the printed Theorem 3.3 lies above it at these n, and falls below it at larger ones"
    )
    return (
        f"With two perfectly collapsed classes one noisy step errs on exactly **{100 * first:.3g}"
        f" %** with n = {sizes[0]} records and **{100 * last:.3g} %** with {sizes[-1]}; {note}. "
    )


def _step_here(one: Shown, runs: Sequence[Result] | None, mu: float) -> str:
    if not runs:
        return ""
    data = experiment.prepared(runs[0].spec)
    if data.adversary is not None:
        return "For an adversarial test set no exact error is known here."
    seen = interval([1 - r.scores.balanced for r in runs])
    return (
        f"On {one.source.title} the exact one-step error is"
        f" **{100 * measures.one_step_error(data, mu):.3g} %**, measured **{percent(seen)}**"
        f" {f'({spread(seen)})' if spread(seen) else ''}, mean over classes."
    )


# ------------------------------------------------------------------------------------------- export


def commands(found: Sequence[Shown]) -> None:
    """All runs as CSV, and the first run on each kind of features from a shell."""
    every = [r for one in found for r in (*one.quiet, *one.noisy)]
    st.download_button(
        "All runs as CSV",
        result_files.as_csv(every),
        f"{KEY}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )
    st.caption(
        "The first seed on each kind of features again, from a shell in the project's folder:"
    )
    st.code(
        "\n".join(reproduce.run_command(one.noisy[0].spec) for one in found if one.noisy),
        language="bash",
        wrap_lines=True,
    )
