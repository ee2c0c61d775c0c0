"""Every template, rendered with extreme values, keeps the rules of how the project speaks."""

import importlib
import pkgutil
import re

import pytest

import dpviz.text
from dpviz.stats import Interval
from dpviz.text import template
from dpviz.text.template import Text, field_formats, render
from tests.text.words import banned_words

MAX_WORDS, MAX_ANSWER_WORDS, MAX_NUMBERS = 20, 25, 2
MEDIAN_ANSWER_WORDS = 20
#: Extreme values of each format.
NAMES = ["plain", "x*_`[a](http://b.c)<b>$", "9"]
INTERVALS = [
    Interval(0.0, 0.0, 0.0, 1),
    Interval(1.0, 0.98, 1.0, 20),
    Interval(0.0016, 0.001, 0.002, 60),
    Interval(0.7, 0.57, 0.83, 5),
    Interval(float("nan"), float("nan"), float("nan"), 5),
]
SHARES = [0.0, 1.0, 0.0016, 0.5, 0.99999]
VALUES = {
    "": NAMES,
    "md": ["(1, 1e-5)-DP"],
    "percent": [*SHARES, *INTERVALS],
    "interval": INTERVALS,
    "points": [-0.18, 0.0, 1.0, 0.004],
    "cost": [-0.18, 0.0, 1.0, 0.004],
    "at_most": SHARES,
    "at_least": SHARES,
    "in_full": SHARES,
    "of_100": [*SHARES, *INTERVALS],
    **{f"number{way}": [0.0, 1e-12, 1.0, 1e6, float("inf")] for way in ("", "_up", "_down")},
    "count": [0, 1, 1_000_000],
    "list": [["3"], ["3", "7", "9"], NAMES * 10],
}


def modules():
    names = [m.name for m in pkgutil.walk_packages(dpviz.text.__path__, "dpviz.text.")]
    return [importlib.import_module(name) for name in names if name != template.__name__]


def texts(value, name=""):
    """All texts in a constant, with the names that lead to them."""
    if isinstance(value, Text):
        for level, words in zip(("plain", "precise"), value.templates, strict=False):
            yield f"{name} ({level})", words
    elif isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, f"{name}[{key!r}]")
    elif isinstance(value, list | tuple):
        for i, inner in enumerate(value):
            yield from texts(inner, f"{name}[{i}]")


def constants(module):
    for name, value in vars(module).items():
        if name.isupper() and not name.startswith("_"):
            yield name, value


EVERY = [
    (f"{module.__name__}.{where}", words)
    for module in modules()
    for name, value in constants(module)
    for where, words in texts(value, name)
]
#: ε, ρ, μ or δ of a guarantee, to the nearest digit.
ROUNDED_TO_NEAREST = re.compile(r"[ερμδ] [=≤] (\*\*)?\{\w+:number\}")
#: Values that somebody chose or printed, and the settings of an experiment.
CHOSEN_VALUES = (
    *("charts.BUDGET_AXES", "charts.LABELS['race_", "controls.", "dp_means.SETTING_PARTS"),
    *("front.", "guarantee.VALUES['paper']", "live_class.", "mixed_privacy.", "neural_collapse."),
    "new_draws.NOISE_MEANS",
    *("sweeps.FORM_BUDGETS_HELP", "teachers_vote.UNDERCOUNT"),
)
ANSWERS = [(where, words) for where, words in EVERY if ".ANSWERS" in where]


def sentences(words):
    """The sentences of a text, without Markdown's signs and links' addresses."""
    bare = re.sub(r"\]\([^)]*\)|[*_`\[\]]|:material/\w+:", "", words)
    return [part for part in re.split(r"(?<=[.?!])\s+(?=[A-Z“{])", bare) if part.strip()]


def fields_of(words):
    return [spec for spec in re.findall(r"\{[^{}]*\}", words) if spec]


def word_count(sentence):
    return len(re.sub(r"\{[^{}]*\}", "field", sentence).split())


def numbers(sentence):
    """How many numbers a sentence states: fields with a number's format and digits in words."""
    formats = [
        spec.split(":", 1)[1].split()[0] for spec in re.findall(r"\{([^{}]*:[^{}]+)\}", sentence)
    ]
    sentence = re.sub(r"(?:of|in) \**100\b", "", sentence)
    written = re.findall(r"(?<![\w.])\d[\d,.]*%?(?![\w-])", re.sub(r"\{[^{}]*\}", "", sentence))
    return len([name for name in formats if name not in ("md", "list")]) + len(written)


def style_faults(where, words):
    """What a text does against the style."""
    limit = MAX_ANSWER_WORDS if ".ANSWERS" in where else MAX_WORDS
    for sentence in sentences(words):
        if word_count(sentence) > limit:
            yield f"{word_count(sentence)} words: {sentence}"
        if ".ANSWERS" in where and numbers(sentence) > MAX_NUMBERS:
            yield f"{numbers(sentence)} numbers: {sentence}"
    if found := banned_words(words):
        yield f"{found}: {words}"


def rendering_faults(where, words):
    """What is wrong in a text rendered with extreme values."""
    if "{" not in words or ".CODE" in where:
        return
    formats = field_formats(words)
    longest = max(len(VALUES[(spec.split() or [""])[0]]) for spec in formats.values())
    for i in range(longest):
        chosen = {}
        for name, spec in formats.items():
            values = VALUES[(spec.split() or [""])[0]]
            chosen[name] = values[i % len(values)]
        rendered = render(words, **chosen)
        for wrong in ("  ", "{", r" [.,;:!?](?:\s|$)|\(\)|\.\.(?!\.)|,\.", r"\d %"):
            if re.search(wrong, rendered.strip()):
                yield f"{wrong!r} in: {rendered}"


def test_guarantees_are_not_rounded_to_the_nearest_digit():
    rounded = {where for where, words in EVERY if ROUNDED_TO_NEAREST.search(words)}
    known = tuple(f"dpviz.text.{name}" for name in CHOSEN_VALUES)
    assert not {where for where in rounded if not where.startswith(known)}


@pytest.mark.parametrize("faults", [style_faults, rendering_faults])
@pytest.mark.parametrize("module", sorted({".".join(where.split(".")[:3]) for where, _ in EVERY}))
def test_texts_of_module_keep_the_rules(module, faults):
    texts_of_module = [(where, words) for where, words in EVERY if where.startswith(f"{module}.")]
    assert texts_of_module
    wrong = [
        f"{where}: {fault}" for where, words in texts_of_module for fault in faults(where, words)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        (style_faults, "One word after another, " * 6 + "and so on."),
        (style_faults, "The noise is mended."),
        (rendering_faults, "A  gap before {name}."),
        (rendering_faults, "{amount:number} %."),
        (rendering_faults, "Ends with {name} ."),
    ],
)
def test_faulty_text_is_found(faults, words):
    assert list(faults("module.NAME", words))


def test_plain_answers_are_short():
    counts = sorted(
        sum(map(word_count, sentences(words))) for where, words in ANSWERS if "(plain)" in where
    )
    assert counts[len(counts) // 2] <= MEDIAN_ANSWER_WORDS


def test_plain_is_not_longer_than_precise():
    for module in modules():
        for name, value in constants(module):
            for text in value.values() if isinstance(value, dict) else [value]:
                if isinstance(text, Text) and text.precise and name.startswith("ANSWERS"):
                    plain, precise = (word_count(words) for words in (text.plain, text.precise))
                    assert plain <= precise + 3, text.plain
