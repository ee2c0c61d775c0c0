"""Cards in the schema of the Differential Privacy Deployments Registry, and hostile files."""

import copy
import os
import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import yaml

from dpviz.experiments import method_verdicts, registry_card, registry_file, release_file
from dpviz.experiments.method_verdicts import Verdict
from dpviz.privacy import calculator
from dpviz.privacy.stated_mechanisms import (
    ExponentialChoice,
    LaplaceNoise,
    NoisySteps,
    PublishedGuarantee,
    TeacherVotes,
)
from dpviz.text import registry as text
from dpviz.types import Budget, DpvizError, RunSpec
from dpviz.views import calculator_page
from tests.kit.toys import toy_data

DAY = date(2026, 1, 31)
#: A checkout of https://github.com/opendp/deployments-registry-data, which is not part of this
#: project.
CHECKOUT = os.environ.get("DPVIZ_REGISTRY", "")
needs_checkout = pytest.mark.skipif(
    not CHECKOUT, reason="set DPVIZ_REGISTRY to a checkout of the registry's data"
)


def entry(own, method="dppl-mean", axis="approx", proved=True, monkeypatch=None, **fields):
    """The registry's entry of a release."""
    if monkeypatch:
        stored = Verdict("of a test") if proved else None
        monkeypatch.setattr(method_verdicts, "stored", lambda method: stored)
    spec = RunSpec(str(own), None, method, Budget(1.0, axis), **fields)
    card = release_file.card(spec, release_file.planned(spec))
    return registry_card.release_entry(card, Path("own_release.yaml"), DAY)


def stated_entry(account, name="stated.yaml"):
    """The registry's entry of a guarantee without data."""
    assumed = calculator_page.assumptions(account)
    return registry_card.guarantee_entry(account, assumed, Path(name), DAY, "Summary statistics")


def cards(own, monkeypatch):
    yield entry(own, monkeypatch=monkeypatch)
    yield entry(own, "dppl-public", monkeypatch=monkeypatch)
    yield entry(own, "noisy-gd", "zcdp", proved=False, monkeypatch=monkeypatch)
    for mechanism, delta in (
        (NoisySteps(1.0, 0.1, 10), 1e-5),
        (PublishedGuarantee("gdp", 1.0), 1e-5),
        (PublishedGuarantee("zcdp", 0.5), 1e-5),
        (PublishedGuarantee("pure", 2.0), None),
        (PublishedGuarantee("approx", 2.0, 1e-6), None),
    ):
        account = calculator.calculate(mechanism, delta)
        yield stated_entry(account)


@pytest.fixture
def own(tmp_path):
    data, path = toy_data(), tmp_path / "own.npz"
    arrays = {"X_train": data.x, "y_train": data.y, "X_test": data.x_test, "y_test": data.y_test}
    np.savez(path, **arrays, X_public=data.x_public, y_public=data.y_public)
    return path


def test_release_card_has_schema_and_guarantee(own, monkeypatch):
    draft = entry(own, monkeypatch=monkeypatch)
    assert registry_file.faults(draft) == []
    (back,) = registry_file.parse(registry_file.write(draft), "card")
    assert back == draft
    loss = back["deployment"]["privacy_loss"]
    assert back["deployment"]["dp_variant"]["variant_name"] == "Zero-concentrated DP"
    assert 0 < loss["privacy_parameters"]["rho"] < 0.1
    assert "add or remove one record" in loss["privacy_unit_details"]
    assert back["deployment"]["deployment_model"]["model_name"] == "Central"
    assert str(own) not in registry_file.write(draft)
    assert registry_file.unknown_fields(back) == [
        *("data_curators", "intended_use", "data_product_region", "registry_authors"),
    ]


def test_every_card_fits_schema(own, monkeypatch):
    variants = set()
    for draft in cards(own, monkeypatch):
        assert registry_file.parse(registry_file.write(draft), "card") == [draft]
        variants.add(draft["deployment"]["dp_variant"]["variant_name"])
    assert variants == {"Pure DP", "Approximate DP", "Zero-concentrated DP", "Custom"}


@pytest.mark.parametrize(
    "claim",
    [PublishedGuarantee("zcdp", 2.2), PublishedGuarantee("gdp", 1 / 3), NoisySteps(3.3, 1.0, 7)],
)
def test_stated_values_are_never_below_guarantee(claim):
    account = calculator.calculate(claim, 1e-5 / 3)
    guarantee, draft = account.guarantee, stated_entry(account)
    loss = draft["deployment"]["privacy_loss"]
    details = loss.get("privacy_parameters_details", "")
    stated = dict(re.findall(r"(\S) = (\d\S*?)[;.]?(?= |$)", details))
    values = {"ε": guarantee.epsilon_delta, "δ": guarantee.delta, "μ": guarantee.value}
    assert stated.keys() == {"ε", "δ"} | ({"μ"} if guarantee.notion == "gdp" else set())
    for symbol, words in stated.items():
        assert values[symbol] * (1 - 1e-9) <= float(words) <= values[symbol] * (1 + 1e-5)
    if guarantee.notion == "gdp":  # the registry has no field for μ
        assert loss["privacy_parameters"] == {
            "epsilon": guarantee.epsilon_delta,
            "delta": guarantee.delta,
        }


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (
            NoisySteps(1.1, 0.01, 1000),
            ["σ = 1.1", "rate 0.01", "1,000 steps", "(Poisson)", "gradient is clipped"],
        ),
        (NoisySteps(2.0), ["Gaussian", "1 release", "σ = 2", "L2 sensitivity"]),
        (LaplaceNoise(2.0, 10), ["10 releases", "scale 2", "L1 sensitivity"]),
        (ExponentialChoice(0.5, 3), ["3 choices", "ε = 0.5", "monotone"]),
        (TeacherVotes(1000, 684, 200, 50), ["1,000 queries", "684 answers", "σ₁ = 200, σ₂ = 50"]),
        (PublishedGuarantee("zcdp", 0.5), ["from its source"]),
    ],
)
def test_entry_states_mechanism_and_assumptions(mechanism, words):
    account = calculator.calculate(mechanism, 1e-5)
    stated = stated_entry(account)["deployment"]["implementation"]["mechanisms"]
    for one in [*words, *calculator_page.assumptions(account)]:
        assert one in stated


def test_pure_entry_states_what_it_implies_at_delta():
    account = calculator.calculate(LaplaceNoise(2.0, 10), 1e-6)
    loss = stated_entry(account)["deployment"]["privacy_loss"]
    assert account.epsilon < 5 and loss["privacy_parameters"] == {"epsilon": 5.0}
    assert loss["privacy_parameters_details"] == "Implies ε = 4.99899 at δ = 1e-6."


def test_entries_of_two_files_have_different_slugs(own):
    account = calculator.calculate(NoisySteps(2.0), 1e-5)
    slugs = [stated_entry(account, name)["url_slug"] for name in ("a_b.yaml", "c.yaml")]
    assert slugs == ["dpviz-a-b", "dpviz-c"]
    assert entry(own)["url_slug"] == "dpviz-own-release"


def test_unverified_release_says_so(own, monkeypatch):
    draft = entry(own, proved=False, monkeypatch=monkeypatch)
    assert "Not verified" in draft["deployment"]["administrative"]["notes"]


FAULTY = {
    "no curator": (lambda d: d["basic"].pop("data_curators"), "no field “data_curators”"),
    "no basic part": (lambda d: d.pop("basic"), "no field “basic”"),
    "no type": (lambda d: d["basic"].pop("data_product_type"), "with one of: Summary stat"),
    "no date": (lambda d: d["basic"].pop("publication_date"), "Add a date such as '2026-01-31'"),
    "no author": (lambda d: d["administrative"].pop("registry_authors"), "write “unknown” if"),
    "other field": (lambda d: d.update(surprise=1), "unknown field “surprise”"),
    "other variant": (lambda d: d["dp_variant"].update(variant_name="f-DP"), "one of Pure DP"),
    "text as epsilon": (
        lambda d: d["privacy_loss"].update(privacy_parameters={"epsilon": "1"}),
        "epsilon must be a number",
    ),
    "epsilon is infinite": (
        lambda d: d["privacy_loss"].update(privacy_parameters={"epsilon": float("inf")}),
        "epsilon must be a number",
    ),
    "date without quotes": (lambda d: d["basic"].update(publication_date=DAY), "in quotes"),
    "American date": (lambda d: d["basic"].update(publication_date="1/31/2026"), "2026-01-31"),
    "empty authors": (
        lambda d: d["administrative"].update(registry_authors=[]),
        "list with at least one text value",
    ),
    "list as part": (lambda d: d.update(accounting=[]), "must be a mapping"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_faulty_card_is_refused(case, own, monkeypatch):
    change, words = FAULTY[case]
    draft = copy.deepcopy(entry(own, monkeypatch=monkeypatch))
    change(draft["deployment"])
    with pytest.raises(DpvizError, match=words):
        registry_file.write(draft)
    with pytest.raises(DpvizError, match=words):
        registry_file.parse(yaml.safe_dump(draft), "card.yaml")


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "aliases": (LAUGHS, "aliases"),
    "object": ("!!python/object/apply:os.system ['true']", "could not determine"),
    "deep": ("[" * 20_000, "levels"),
    "repeated": ("tier: 1\ntier: 2\n", "repeated"),
    "binary": ("\x00\x01", "special characters"),
    "long number": (f"tier: {'9' * 10_000}", "too long"),
    "number to base 60": ("tier: " + "1:" * 100_000 + "1", "too long"),
    "tag without value": ("tier: !!timestamp x", "valid YAML"),
    "bad date": ("tier: 2026-13-45", "month"),
    "bool as tier": ("url_slug: a\nstatus: Draft\ntier: true\ndeployment: {}", "tier must be"),
    "unhashable key": ("{[a]: b}", "unhashable"),
    "text": ("only words", "mapping"),
    "nothing": ("", "no entry"),
    "unclosed": ("{a: [", "line 1"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_file_gets_one_sentence(case, tmp_path):
    content, words = HOSTILE[case]
    (tmp_path / "bad.yaml").write_text(content)
    with pytest.raises(DpvizError, match=words) as error:
        registry_file.read(tmp_path / "bad.yaml")
    assert "\n" not in str(error.value) and len(str(error.value)) < 600


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("status", "Add it with one of: Converted, Draft,"),
        ("tier", "Add it with one of: 1, 2, 3."),
        ("deployment", "no field “deployment”. Add it."),
        ("url_slug", "write “unknown” if needed"),
    ],
)
def test_missing_field_gets_advice_that_the_schema_allows(name, advice, own, monkeypatch):
    draft = entry(own, monkeypatch=monkeypatch)
    del draft[name]
    (fault,) = registry_file.faults(draft)
    assert advice in fault and ("unknown" in fault) == (name == "url_slug")


def test_file_sizes_and_folders_are_limited(tmp_path, monkeypatch):
    with pytest.raises(DpvizError, match="no file that ends with"):
        registry_file.read(tmp_path)
    (tmp_path / "large.yaml").write_text("#" * (registry_file.MAX_BYTES + 1))
    with pytest.raises(DpvizError, match="too large"):
        registry_file.read(tmp_path)
    monkeypatch.setattr(registry_file, "MAX_FILES", 0)
    with pytest.raises(DpvizError, match="the limit is 0"):
        registry_file.read(tmp_path)


def test_folder_and_documents_give_all_entries(own, tmp_path, monkeypatch):
    draft = entry(own, monkeypatch=monkeypatch)
    content = registry_file.write(draft)
    (tmp_path / "two.yaml").write_text(f"{content}---\n{content}")
    (tmp_path / "one.yaml").write_text(content)
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []")
    assert registry_file.read(tmp_path) == [draft] * 3
    monkeypatch.setattr(registry_file, "MAX_ENTRIES", 1)
    with pytest.raises(DpvizError, match="more than 1 entries"):
        registry_file.read(tmp_path)


def kind(node):
    """A node of the registry's schema as ``SCHEMA`` states it."""
    if "properties" in node:
        assert node["additionalProperties"] is False
        return {name: kind(inner) for name, inner in node["properties"].items()}
    if "enum" in node:
        return tuple(node["enum"])
    if node.get("type") == "array":
        return registry_file.TEXTS
    if node.get("format") == "date":
        return registry_file.DATE
    types = {
        "string": registry_file.TEXT,
        "number": registry_file.NUMBER,
        None: registry_file.ANYTHING,
    }
    return "number or text" if isinstance(node.get("type"), list) else types[node.get("type")]


def required(node, path=""):
    if "required" in node:
        yield path, set(node["required"])
    for name, inner in node.get("properties", {}).items():
        yield from required(inner, f"{path}.{name}".lstrip("."))


@needs_checkout
def test_cards_validate_under_registry_schema(own, monkeypatch):
    from jsonschema import Draft7Validator

    path = Path(CHECKOUT) / "schemas" / "deployments-schema.yaml"
    schema = yaml.safe_load(path.read_text())
    assert kind(schema) == registry_file.SCHEMA
    assert dict(required(schema)) == {k: set(v) for k, v in registry_file.REQUIRED.items()}
    validator = Draft7Validator(schema, format_checker=Draft7Validator.FORMAT_CHECKER)
    for draft in cards(own, monkeypatch):
        assert not list(validator.iter_errors(yaml.safe_load(registry_file.write(draft))))
    draft["deployment"]["dp_variant"]["variant_name"] = text.UNKNOWN
    assert list(validator.iter_errors(draft)), "the faulty variant must fail"


@needs_checkout
def test_every_entry_of_registry_is_read():
    folder = Path(CHECKOUT) / "deployments"
    assert len(registry_file.read(folder)) == len(list(folder.glob("*.yaml"))) > 30


def test_uploaded_file_gives_entries_or_a_sentence():
    written = stated_entry(calculator.calculate(NoisySteps(1.0, 0.1, 10), 1e-5, 0.5, 1))
    content = registry_file.write(written).encode()
    assert registry_file.parse_upload(content, "own.yaml") == [written]
    for hostile in (b"", b"\xff\xfe", b"a" * (registry_file.MAX_BYTES + 1), b"&a [*a]", b"x: 1"):
        with pytest.raises(DpvizError, match="own.yaml"):
            registry_file.parse_upload(hostile, "own.yaml")
