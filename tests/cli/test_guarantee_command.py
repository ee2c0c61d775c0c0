"""``guarantee``: JSON of each mechanism, files and standard input, one sentence for bad options."""

import io
import json
import sys

import pytest

from dpviz.cli import main
from dpviz.experiments import registry_file
from dpviz.privacy.calculator import calculate
from dpviz.privacy.stated_mechanisms import NoisySteps

DPSGD = ["--sigma", "1.1", "--sample-rate", "0.01", "--steps", "1000", "--delta", "1e-5"]


def answer(options, capsys):
    assert main(["guarantee", *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_the_numbers_of_the_library(capsys):
    found = answer(DPSGD, capsys)
    account = calculate(NoisySteps(1.1, 0.01, 1000), 1e-5)
    assert found["epsilon"] == account.epsilon and found["best_guess"] == account.best_guess
    assert found["rho"] is None and "sampling" in found["rho_note"]
    assert found["mu"] is None and "sampling" in found["mu_note"]
    assert found["delta"] == 1e-5 and found["adjacency"] and found["unit"] and found["assumptions"]
    by_delta = {point["delta"]: point["epsilon"] for point in found["curve"]}
    assert by_delta[1e-5] == account.epsilon


@pytest.mark.parametrize(
    ("options", "epsilon"),
    [
        (["--sigma", "20", "--steps", "100", "--delta", "1e-5"], 1.993091),
        (["--laplace-scale", "2"], 0.5),
        (["--exponential", "0.5", "--steps", "3"], 1.5),
        (
            ["--queries=1000", "--answered=684", "--sigma1=200", "--sigma2=50", "--delta=1e-5"],
            3.177553,
        ),
        (["--epsilon", "3", "--delta", "1e-6"], 3.0),
        (["--epsilon", "2", "--images", "3"], 6.0),
        (["--rho", "0.5", "--delta", "1e-5"], 4.728387),
        (["--mu", "0.5", "--delta", "1e-5"], 1.993091),
    ],
)
def test_each_mechanism(options, epsilon, capsys):
    assert answer(options, capsys)["epsilon"] == pytest.approx(epsilon, abs=1e-6)


def test_configuration_from_file_and_standard_input(tmp_path, monkeypatch, capsys):
    words = "noise_multiplier = 1.1\nsample_rate = 0.01\nsteps = 1000\ndelta = 1e-5\n"
    path = tmp_path / "config.py"
    path.write_text(words)
    from_file = answer(["--config", str(path)], capsys)
    stream = io.TextIOWrapper(io.BytesIO(words.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert from_file == answer(["--config", "-"], capsys) == answer(DPSGD, capsys)
    other = answer(["--config", str(path), "--delta", "1e-6"], capsys)
    assert other["delta"] == 1e-6 and other["epsilon"] > from_file["epsilon"]
    assert main(["guarantee", "--config", str(path)]) == 0
    assert "Read from the file: noise_multiplier = 1.1" in capsys.readouterr().out


def test_text_names_neighbors_assumptions_and_libraries(capsys):
    assert main(["guarantee", *DPSGD, "--compare"]) == 0
    said = capsys.readouterr().out
    for words in ("Neighbors: add or remove one record", "Unit:", "Poisson", "No ρ", "autodp 0."):
        assert words in said
    assert "OpenDP" in said and "does not offer Poisson sampling" in said


def test_registry_entry_of_a_guarantee_fits_schema(tmp_path, capsys):
    path = tmp_path / "entry.yaml"
    options = ["--registry", str(path), "--product-type", "Machine learning model"]
    assert main(["guarantee", *DPSGD, *options]) == 0
    assert "entry.yaml: draft for the registry. Fill in: " in capsys.readouterr().out
    (entry,) = registry_file.read(path)
    assert registry_file.faults(entry) == []
    basic, loss = entry["deployment"]["basic"], entry["deployment"]["privacy_loss"]
    assert basic["data_product_type"] == "Machine learning model"
    account = calculate(NoisySteps(1.1, 0.01, 1000), 1e-5)
    stated = {"epsilon": account.epsilon, "delta": 1e-5}
    assert loss["privacy_parameters"] == pytest.approx(stated)
    assert main(["guarantee", *DPSGD, *options]) == 2, "a file is never overwritten"
    assert "already exists. Give --registry a new name." in capsys.readouterr().err
    path.unlink()
    assert main(["guarantee", *DPSGD, *options, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["delta"] == 1e-5 and "Fill in: " in printed.err


def test_registry_entry_of_gaussian_dp_is_read_back_with_its_guarantee(tmp_path, capsys):
    path = tmp_path / "entry.yaml"
    words = ["--mu", "1", "--delta", "1e-5", "--product-type", "Dataset"]
    assert main(["guarantee", *words, "--registry", str(path)]) == 0
    capsys.readouterr()
    assert main(["list", "deployments", "--file", str(path)]) == 0
    assert "ε = 4.378 at δ" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([*DPSGD, "--registry", "x.yaml"], "--registry needs --product-type"),
        ([*DPSGD, "--registry", "x.yaml", "--product-type", "Car"], "SQL queries, got 'Car'."),
        ([*DPSGD, "--registry", "own-x.yaml", "--product-type", "Dataset"], "got 'own-x.yaml'"),
        ([*DPSGD, "--product-type", "Dataset"], "belongs to --registry"),
        ([], "exactly one mechanism, got 0"),
        (["--sigma", "1", "--rho", "1"], "exactly one mechanism, got 2"),
        (["--sigma", "1"], "δ is missing"),
        (["--sigma", "x", "--delta", "1e-5"], "got 'x'. Change --sigma."),
        (["--sigma", "nan", "--delta", "1e-5"], "Noise multiplier"),
        (["--sigma", "1e308", "--delta", "1e-5"], "Noise multiplier"),
        (["--sigma", "1", "--sample-rate", "2", "--delta", "1e-5"], "Change --sample-rate."),
        (["--sigma", "1", "--steps", "1.5", "--delta", "1e-5"], "Steps must be a whole number"),
        (
            ["--sigma", "1", "--delta", "0.9"],
            "Delta must be between 1e-305 and 0.5, got 0.9. Change",
        ),
        (["--sigma", "1", "--delta", "1e-5", "--prior", "1.5"], "Change --prior."),
        (["--sigma", "1", "--delta", "1e-5", "--images", "0"], "Change --images."),
        (["--rho", "1", "--steps", "3", "--delta", "1e-5"], "--steps does not belong to --rho"),
        (["--laplace-scale", "1", "--sample-rate", "0.1"], "does not belong to --laplace-scale"),
        (["--queries", "5"], "--answered and --sigma2"),
        (["--epsilon", "-1"], "Change --epsilon."),
        (
            ["--exponential", "0"],
            "ε must be between 1e-9 and 1,000,000, got 0. Change --exponential.",
        ),
        (["--laplace-scale", "2000000"], "got 2,000,000. Change --laplace-scale."),
        (["--config", "none.py"], "Cannot read none.py"),
        (["--config", "."], "folder, pipe or device"),
    ],
)
def test_bad_options_give_one_sentence(options, message, capsys):
    assert main(["guarantee", *options]) == 2
    output = capsys.readouterr()
    assert message in output.err and output.err.count("\n") == 1 and not output.out


def test_configuration_with_own_delta_refuses_another(tmp_path, capsys):
    path = tmp_path / "pub.py"
    path.write_text("target_epsilon = 3\ntarget_delta = 1e-5\n")
    assert answer(["--config", str(path)], capsys)["epsilon"] == 3
    assert answer(["--config", str(path), "--delta", "1e-5"], capsys)["delta"] == 1e-5
    assert main(["guarantee", "--config", str(path), "--delta", "1e-6"]) == 2
    assert "states ε = 3 at δ = 1e-5" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "x" * 20_001, "a = 1", "\0", "make_laplace make_gaussian"])
def test_errors_about_a_file_do_not_ask_to_paste(content, tmp_path, capsys):
    path = tmp_path / "config.py"
    path.write_text(content)
    assert main(["guarantee", "--config", str(path), "--delta", "1e-5"]) == 2
    assert "aste" not in capsys.readouterr().err


def test_pure_guarantee_is_printed_beside_its_delta(capsys):
    assert main(["guarantee", "--laplace-scale", "2", "--steps", "10", "--delta", "1e-6"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "Guarantee: ε = 4.999 at δ = 1e-6.",
        "Pure DP: ε = 5 at δ = 0.",
    ]
    assert main(["guarantee", "--laplace-scale", "2"]) == 0
    assert "Pure DP" not in capsys.readouterr().out
    pure = answer(["--laplace-scale", "2", "--steps", "10", "--delta", "1e-6"], capsys)
    assert pure["pure_epsilon"] == 5 and answer(DPSGD, capsys)["pure_epsilon"] is None


@pytest.mark.parametrize(
    ("prior", "shown"), [("0.996", "99.6%"), ("0.07", "7%"), ("1e-7", "1e-5%")]
)
def test_prior_is_not_rounded(prior, shown, capsys):
    assert main(["guarantee", "--sigma", "20", "--delta", "1e-5", "--prior", prior]) == 0
    assert f"with prior {shown}." in capsys.readouterr().out


def test_product_type_has_any_case(tmp_path, capsys):
    options = ["--registry", str(tmp_path / "a.yaml"), "--product-type", "machine LEARNING model"]
    assert main(["guarantee", *DPSGD, *options]) == 0
    (entry,) = registry_file.read(tmp_path / "a.yaml")
    assert entry["deployment"]["basic"]["data_product_type"] == "Machine learning model"
    assert "σ = 1.1" in entry["deployment"]["implementation"]["mechanisms"]


def test_sampling_of_many_images_is_not_claimed(capsys):
    words = ["guarantee", "--sigma", "20", "--sample-rate", "0.01", "--delta", "1e-5", "--images"]
    assert main([*words, "100"]) == 0
    assert "is sampled independently (Ganesh 2024)" in capsys.readouterr().out
    assert main([*words, "101"]) == 0
    said = capsys.readouterr().out
    assert "above 100 images per person, sampling is not counted" in said
    assert "ρ ≤ " in said and "μ ≤ " in said
    assert "exact" not in said and "Poisson" not in said and "Ganesh" not in said
