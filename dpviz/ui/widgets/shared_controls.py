"""The sidebar: Data, Privacy, Method. Every control is in the link under a short key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any, TypeVar

import streamlit as st

from dpviz.data import (
    DATASETS,
    class_counts,
    largest_class,
    notes,
    one_pool,
    public_available,
    public_domains,
    public_labels,
    public_title,
    suiting_encoder,
    uploads,
)
from dpviz.data.data_set_table import HELD_ASIDE, NO_PUBLIC
from dpviz.data.imbalance import kept_sizes
from dpviz.encoders import availability
from dpviz.experiments import experiment, public_set_use
from dpviz.formatting import METRICS, ratio_reached
from dpviz.methods import METHODS, public_reference
from dpviz.text import controls as text
from dpviz.text.template import render
from dpviz.types import (
    DELTA,
    MAX_DRAW,
    UNBALANCED_DATASETS,
    DataConfig,
    DpvizError,
    RunSpec,
    reached_ratio,
)
from dpviz.ui.frame import detail_level, page_parts, visitor
from dpviz.ui.live import refining, session_cost
from dpviz.ui.widgets import (
    bounded,
    budget_control,
    cards,
    param_widgets,
    side_bar,
    uploader,
    variant_control,
)
from dpviz.ui.widgets.choices import choice, requested_value
from dpviz.views import page_config, settings_in_words
from dpviz.views.page_config import PageConfig

RATIOS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
RECORDS = tuple(step * 10**power for power in range(7) for step in (1, 2, 5))
DEFAULT_LARGEST_CLASS = 1001
"""Records of the largest class where the data are not read yet."""
REFERENCE_METHOD = "class-mean"
#: Methods that Trade-off and Maps show at first.
FIRST_METHODS = ("dppl-mean", "dppl-public", "noisy-gd", "class-mean", "logistic")
IN_FILE = "in-file"
"""The public set that a file of features brings itself, or none."""
SUITING_KEY = "data:suits"
"""Where the session keeps what suited the data set of the last run."""
V = TypeVar("V", bound=DataConfig)
Fields = dict[str, Any]
"""Of a view, by name."""


def one_method(
    key: str,
    reference: str,
    form: Callable[[], tuple],
    sliders: Sequence[str],
    **seed_words: Any,
) -> PageConfig:
    """All controls of a page about one method and its noiseless reference.

    Args:
        form: draws the method's settings and returns those that differ from its defaults;
            sliders: names of the settings in sight.
        seed_words: for ``noise_seeds``.
    """

    def method() -> Fields:
        changed = form()
        params = ((key, changed),) if changed else ()
        seen = {"sliders": tuple((key, name) for name in sliders)}
        return {"methods": (key, reference), "params": params} | seen | noise_seeds(**seed_words)

    return sidebar_of(PageConfig, method)


def sidebar_of(
    kind: type[V],
    method: Callable[[], Fields],
    more_data: Callable[[DataConfig], Fields] = lambda material: {},
    more_privacy: Callable[[], Fields] = dict,
    ratio: int = 50,
    epsilon: float = 1.0,
    only: Callable[[str], Sequence[float]] = lambda axis: (),
    headed: bool = True,
    domain_visible: bool = True,
) -> V:
    """All controls of a page, and the view they ask for.

    Args:
        kind: of the view; method: draws the controls below "Method" and gives fields of the view;
            more_data, more_privacy: the same below the other two; ratio: for ``data``; epsilon,
            only: for ``budget_control.choose_budget``; headed: whether the level Plain has the
            heading "Method"; domain_visible: see ``data``.
    """
    with side_bar.draw():
        st.header(text.HEADERS["data"])
        material = data(ratio, domain_visible=domain_visible)
        fields = material.facts | more_data(material)
        st.header(text.HEADERS["privacy"])
        fields |= {
            "budget": budget_control.choose_budget(
                budget_control.no_persons_note(material.dataset), only, epsilon
            )
        }
        fields |= budget_control.unit_fields(material.dataset)
        fields |= more_privacy()
        if headed or detail_level.precise():
            st.header(text.HEADERS["method"])
        fields |= method()
        page_parts.current_page().settings = key = _settings_key(fields)
        line = settings_in_words.phone_line(material.dataset, material.ir, fields["budget"])
        reset_link(fields["budget"].delta, key, line)
    return kind(**fields)


def _settings_key(fields: Fields) -> str:
    """Return a hash of all settings but the budget's value, which charts follow in the browser."""
    budget = fields["budget"]
    others = {name: value for name, value in fields.items() if name != "budget"}
    settings = repr((others, budget.axis, budget.delta, st.session_state.get("score")))
    return hashlib.sha256(settings.encode()).hexdigest()[:16]


def reset_link(delta: float = DELTA, settings: str = "", line: str = "") -> None:
    """Back to the first view: this page's address without any setting, loaded anew; below it the
    ledger of the sitting, priced at ``delta``.

    Args:
        settings: key of the page's settings. The browser compares it with that of its answers.
        line: settings in words, which phones show below the answer.
    """
    shown = f' data-settings="{settings}"' if settings else ""
    with side_bar.foot():
        link = f'<a class="dp-button"{shown} href="?" target="_self">↺ {text.RESET}</a>'
        st.html(f"{_line_style(line)}{link}")
        session_cost.draw_fold(delta)


def _line_style(line: str) -> str:
    """Return the style that sets the line of ``every_page.css`` below the answer, on phones."""
    escaped = "".join(c if c.isalnum() and c.isascii() else f"\\{ord(c):06x}" for c in line)
    return f'<style>.stApp {{ --dp-settings: "{escaped}"; }}</style>' if line else ""


# --------------------------------------------------------------------------------------------- data


def data(ratio: int = 50, first_name: str = "", domain_visible: bool = True) -> DataConfig:
    """Data set (a key, ``etf:…`` or the path of an upload), encoder, public set, imbalance ratio,
    records a class, feature preparation.

    Args:
        ratio: the imbalance ratio at first; first_name: the data set at first, that of most
            pages where it is not there; domain_visible: whether the level Plain has the kind of
            the public set in view.
    """
    own_uploads = visitor.my_uploads()
    names = [key for key, row in DATASETS.items() if "private" in row.roles and row.is_on_disk()]
    names += own_uploads
    names.sort(key=lambda name: name != first_name)
    titles = {
        name: DATASETS[name].title if name in DATASETS else uploads.title(name) for name in names
    }
    name = data_set(titles, text.DATA_SET_HELP, ratio)
    ir = bounded.select_slider(
        text.RATIO[detail_level.precise()],
        RATIOS,
        value=suiting(name, ratio)["ir"],
        key="ir",
        help=text.RATIO_HELP,
        bind="query-params",
    )
    if uploads.pictures(name):
        st.caption(text.OWN_SIZES)
    synthetic = param_widgets.synthetic_name(name)
    named = synthetic or (name if name in DATASETS else upload_dataset(name))
    ratio_place = st.container()
    with nullcontext() if domain_visible else side_bar.extra():
        public_domain(named)
    pictures = not synthetic and (name in DATASETS or uploads.pictures(name))
    with side_bar.fold(text.MORE_DATA, text.MORE_DATA_PART, at_end=True):
        max_records = records(named, ir)
        encoder = encoders(name) if pictures else None
        features = uploads.NAME.fullmatch(name) and not uploads.pictures(name)
        public = public_sets(named) if pictures else public_file(name) if features else None
        uploader.features("data")
        if features and (words := notes(named)):
            st.caption(render(text.PRIVATE_NOTE, note=" ".join(words)))
        st.html(text.MORE_SETS)
        directions = param_widgets.principal_directions()
        centered = param_widgets.centering()
        draw = data_draw(named)
    prepared = param_widgets.preparation(centered, directions)
    with ratio_place:
        ratio_note(named, max_records, ir, draw)
    held_aside_note(named, public)
    fields: Fields = {"public": public, "features": prepared, "records": max_records, "draw": draw}
    return DataConfig(named, encoder, ir=ir, **fields)


def data_draw(dataset: str) -> int:
    """Number of the data draw."""
    link = "query-params"
    number = bounded.number_input(
        text.DATA_DRAW, 0, MAX_DRAW, 0, key="draw", help=text.DATA_DRAW_HELP, bind=link
    )
    if not one_pool(dataset):
        st.caption(text.FIXED_TEST)
    return int(number)


def ratio_note(dataset: str, max_records: int, ratio: float, draw: int) -> None:
    """State the imbalance ratio reached if it differs from ``ratio`` and the data are in memory."""
    counts, is_unbalanced = class_counts(dataset), dataset in UNBALANCED_DATASETS
    if counts is None:
        if is_unbalanced:
            st.caption(text.ORIGINAL_SIZES)
        return
    counts_used = tuple(min(count, max_records or count) for count in counts)
    reached = reached_ratio(kept_sizes(counts_used, ratio, draw).tolist())
    ratio_text = ratio_reached([reached])
    if ratio == 1 and is_unbalanced:
        st.caption(render(text.ORIGINAL_RATIO, ratio=f"{reached:.1f}"))
    elif ratio_text != ratio_reached([ratio]):
        note = text.RATIO_REACHED["public" if dataset in DATASETS else "private"]
        st.caption(render(note, ratio=ratio_text.capitalize()))


def records(dataset: str, ratio: float) -> int:
    """At most how many private records of each class, 0 for all: stops, and the link's own number,
    below the largest class that leave every class a record.
    """
    requested_text = st.session_state.get("records") or st.query_params.get("records") or ""
    is_count = requested_text.isdecimal() and len(requested_text) < 8
    linked_count = int(requested_text) if is_count else 0
    stops = sorted({*RECORDS, linked_count})
    largest = largest_class(dataset)
    if largest is None:  # not read yet: as the link has it
        largest = max(DEFAULT_LARGEST_CLASS, linked_count + 1)
    titles = {str(n): f"{n:,}" for n in stops if ratio / 2 < n < largest} | {"all": "all"}
    if len(titles) == 1:
        return 0
    label, help_text = text.RECORDS, text.RECORDS_HELP
    chosen = choice(st.select_slider, label, titles, "all", "records", help=help_text)
    return 0 if chosen == "all" else int(chosen)


def data_set(titles: Mapping[str, str], words: str, ratio: int) -> str:
    """Which data set. Controls that stand at what suited the last one go to what suits the next.

    Args:
        titles: by key or name of an upload, the default first; words: its help; ratio: the
            imbalance ratio at first of a set whose classes are equal.
    """
    options: dict[str, Any] = {"help": words, "on_change": suit, "args": (ratio,)}
    shown_titles = variant_control.titles_per_family(titles)
    name = choice(
        st.selectbox, text.DATA_SET, shown_titles, next(iter(shown_titles)), "data", **options
    )
    with side_bar.extra():
        variant_control.draw(name, lambda: suit(ratio))
    _follow_page(suiting(name, ratio))
    return name


def _follow_page(suits: Fields) -> None:
    """Move an imbalance ratio that nobody changed to the first one of this page.

    Args:
        suits: see ``suiting``; what suited on the page before is in the session.
    """
    before = st.session_state.get(SUITING_KEY, suits)
    if st.session_state.get("ir") == before["ir"] and "ir" not in st.query_params:
        st.session_state["ir"] = suits["ir"]
    st.session_state[SUITING_KEY] = suits


def suiting(name: str, ratio: int) -> Fields:
    """What controls stand at first for a data set, by key."""
    own_sizes = name in UNBALANCED_DATASETS or uploads.pictures(name)
    first_ratio = DATASETS[name].first_ratio if name in DATASETS else None
    has_pictures = name in DATASETS or not uploads.NAME.fullmatch(name) or uploads.pictures(name)
    return {
        "enc": suiting_encoder(name),
        "ir": 1 if own_sizes else first_ratio or ratio,
        "pub": public_available(name)[0] if has_pictures else IN_FILE,
    }


def suit(ratio: int) -> None:
    """Once another data set is chosen: controls that stand at what suited the last one go to what
    suits this.
    """
    name, before = st.session_state["data"], st.session_state.get(SUITING_KEY, {})
    if name not in DATASETS and st.session_state.get("pub") == HELD_ASIDE:
        st.session_state["pub"] = NO_PUBLIC  # chosen for another data set
    for key, value in suiting(name, ratio).items():
        if key in st.session_state and st.session_state[key] == before.get(key):
            st.session_state[key] = value


def upload_dataset(name: str) -> str:
    """An upload as ``RunSpec.dataset`` names it."""
    return uploads.display_path(uploads.path(name))


def encoders(dataset: str) -> str:
    """Which encoder: one that can be used here, at first that which suits the data set, or
    ``timm:NAME`` as it is typed or linked.
    """
    titles = availability.titles()
    typed, linked = st.session_state.get(_ENCODER), st.query_params.get(_ENCODER)
    requested_encoder = typed or linked
    if requested_encoder and requested_encoder not in titles:
        reason = availability.refusal(requested_encoder)
        if not reason:
            titles[requested_encoder] = availability.title(requested_encoder)
        elif typed:
            st.session_state[_REFUSED] = reason
        else:  # the note about the link tells it
            page_parts.current_page().reasons[_ENCODER] = reason
    suits = suiting_encoder(dataset)
    chosen = choice(
        *(st.selectbox, text.ENCODER, titles, suits if suits in titles else next(iter(titles))),
        key=_ENCODER,
        help=text.ENCODER_HELP,
        accept_new_options=True,
        on_change=lambda: st.session_state.pop(_REFUSED, None),
    )
    if _REFUSED in st.session_state:
        page_parts.refusals([st.session_state[_REFUSED]])
    return chosen


def public_sets(dataset: str) -> str:
    """Which public set, of those on disk that go with the data. Images of one's own begin without
    one.
    """
    titles = {key: public_title(key) for key in public_available(dataset)}
    first_set = next(iter(titles))
    help_text = text.PUBLIC_SET_HELP
    return choice(st.selectbox, text.PUBLIC_SET, titles, first_set, "pub", help=help_text)


def public_domain(dataset: str) -> None:
    """Which kind of public set: one with the private classes, or one with other classes."""
    sets = public_domains.domains(dataset)
    if not sets:
        return
    public = requested_value("pub", public_available(dataset)[0])
    st.session_state[_DOMAIN] = public_domains.domain(dataset, public)
    st.segmented_control(
        text.PUBLIC_DOMAIN,
        list(text.PUBLIC_DOMAINS),
        key=_DOMAIN,
        format_func=text.PUBLIC_DOMAINS.__getitem__,
        help=text.PUBLIC_DOMAIN_HELP,
        on_change=_take_domain,
        args=(sets,),
    )


def _take_domain(sets: Mapping[str, str]) -> None:
    if chosen := st.session_state.get(_DOMAIN):
        st.session_state["pub"] = sets[chosen]


def held_aside_note(dataset: str, public: str | None) -> None:
    """State how many images of one's own are public because they are held aside."""
    if public == HELD_ASIDE and dataset not in DATASETS:
        with suppress(DpvizError):  # the page says why the data cannot be read
            st.caption(f":material/public: {public_set_use.holding_aside(dataset)}")


def public_file(name: str) -> str | None:
    """Which public set of an upload of features: that of its own file, or another file."""
    linked = requested_value("pub", "")
    other_uploads = [
        upload for upload in (*visitor.my_uploads(), linked) if uploads.NAME.fullmatch(upload)
    ]
    titles = {IN_FILE: text.AS_IN_FILE}
    for other in other_uploads:
        if other != name and not uploads.pictures(other) and uploads.path(other).exists():
            titles[other] = uploads.title(other)
    help_text = text.PUBLIC_SET_HELP
    chosen = choice(st.selectbox, text.PUBLIC_SET, titles, IN_FILE, "pub", help=help_text)
    uploader.public_features("pub")
    return None if chosen == IN_FILE else upload_dataset(chosen)


_ENCODER, _REFUSED = "enc", "enc:refused"
_DOMAIN = "pub:domain"

# ------------------------------------------------------------------------------------------- method


def choose_methods(
    first_choice: tuple[str, ...], key: str = "m", words: str = text.METHODS_HELP
) -> Fields:
    """Methods in table order, never without a reference, and the settings that differ from their
    defaults.
    """
    titles = {name: text.SHORT_TITLES.get(name, row.title) for name, row in METHODS.items()}
    default = tuple(name for name in first_choice if name in titles)
    picked = choice(st.multiselect, text.METHODS, titles, default, key, help=words)
    chosen = tuple(name for name in METHODS if name in picked)
    if all(METHODS[name].private for name in chosen):
        chosen += (REFERENCE_METHOD,)
    return {"methods": chosen, "params": changed_settings(chosen)}


def with_reference(material: DataConfig, methods: tuple[str, ...]) -> tuple[str, ...]:
    """These methods and public data alone, where the public set has labels of private classes."""
    if public_reference.KEY in methods or not public_labels.shared(material):
        return methods
    return (*methods, public_reference.KEY)


def without_unusable(view: PageConfig) -> PageConfig:
    """Return a view without methods that need a public set if it has none, and say which."""
    left_out = [key for key in view.methods if METHODS[key].needs_public]
    if not left_out or not public_labels.missing(view):
        return view
    titles = [METHODS[key].title for key in left_out]
    st.caption(render(text.LEFT_OUT, methods=titles))
    return replace(
        view,
        methods=tuple(key for key in view.methods if key not in left_out),
        params=tuple(row for row in view.params if row[0] not in left_out),
    )


def changed_settings(chosen: Iterable[str]) -> tuple[tuple[str, tuple], ...]:
    """Draw the settings of several methods in one fold; return what differs from the defaults."""
    with_settings = [key for key in chosen if METHODS[key].params]
    if not with_settings:
        return ()
    with side_bar.fold(text.SETTINGS):
        changes = [(key, _settings(key)) for key in with_settings]
    return tuple((key, changed) for key, changed in changes if changed)


def noise_seeds(
    title: str = text.SEEDS_FOLD,
    n_help: str = text.SEEDS_HELP,
    seed_help: str = text.FIRST_SEED_HELP,
    refined: bool = False,
) -> Fields:
    """First seed and number of seeds; ``refined``: the page adds seeds while it is idle."""
    with side_bar.fold(title):
        fields = seeds("seeds", 1, page_config.FIRST_SEEDS, n_help, seed_help)
        if refined:
            refining.control()
        return fields


def data_draws() -> Fields:
    """Number of data draws that the bands cover; refinement adds to the one of "auto"."""
    numbers = {str(n): str(n) for n in range(1, 11)}
    titles = {refining.AUTO_DRAWS: text.AUTO_DRAWS} | numbers
    first, key, help_text = refining.AUTO_DRAWS, refining.DRAWS, text.DATA_DRAWS_HELP
    with side_bar.extra():
        chosen = choice(st.select_slider, text.DATA_DRAWS, titles, first, key, help=help_text)
    return {"draws": int(chosen) if chosen in numbers else 1}


def seeds(noun: str, min_seeds: int, first_choice: int, n_help: str, seed_help: str) -> Fields:
    """First seed and number of seeds, or of what each seed stands for."""
    number_of, link = f"Number of {noun}", "query-params"
    n = bounded.slider(
        number_of, min_seeds, 20, first_choice, key=refining.SEEDS, help=n_help, bind=link
    )
    first_seed = bounded.number_input(
        text.FIRST_SEED, 0, 2**31, 0, key="seed", help=seed_help, bind=link
    )
    return {"first_seed": int(first_seed), "seeds": int(n)}


def settings(key: str) -> tuple[tuple[str, Any], ...]:
    """Draw a fold with the settings of a method; return those that differ from its defaults."""
    with side_bar.fold(METHODS[key].title):
        return _settings(key, titled=False)


def _settings(key: str, titled: bool = True) -> tuple[tuple[str, Any], ...]:
    if titled:
        st.markdown(f"**{METHODS[key].title}**")
    st.caption(METHODS[key].summary)
    return param_widgets.form(METHODS[key])


def class_names(spec: RunSpec) -> tuple[str, ...]:
    """Names of the classes of a spec's data, which is in memory by now."""
    return experiment.prepared(spec).class_names


def need_every_class(spec: RunSpec) -> None:
    """End the page with a sentence where a class has no training record."""
    ready = experiment.prepared(spec)
    lacking = [name for name, n in zip(ready.class_names, ready.counts, strict=True) if not n]
    if lacking:
        page_parts.refusals([render(text.EMPTY_CLASS, name=lacking[0])])
        page_parts.end()


def switches(above: bool = True) -> st.delta_generator.DeltaGenerator:
    """Return a row of switches next to a chart's title; above: above the chart on phones."""
    key = page_parts.SWITCHES_ABOVE if above else None
    return st.container(horizontal=True, vertical_alignment="bottom", width="content", key=key)


def metric(
    first: str = "minority",
    beside: Callable[[], None] = lambda: None,
    above: bool = False,
) -> str:
    """Draw the choice of the accuracy; return a key of ``METRICS``.

    Args:
        first: the key at first; beside: draws what else is in the row; above: the row is above the
            chart on phones, too.
    """
    with switches(above):
        chosen = choice(
            *(st.segmented_control, text.SCORE, METRICS, first, "score"),
            required=True,
            help=text.SCORE_HELP,
            label_visibility="collapsed",
        )
        cards.score(chosen)
        beside()
    return chosen
