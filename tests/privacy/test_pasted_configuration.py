"""Configurations of four libraries are read, hostile texts get one sentence, nothing is run."""

import random
import time

import pytest

from dpviz.privacy.pasted_configuration import read
from dpviz.privacy.stated_mechanisms import LaplaceNoise, NoisySteps, PublishedGuarantee
from dpviz.types import DpvizError

OPACUS = """
train_loader = DataLoader(dataset, batch_size=256)   # 50,000 images
privacy_engine = PrivacyEngine()
model, optimizer, train_loader = privacy_engine.make_private(
    module=model, optimizer=optimizer, data_loader=train_loader,
    noise_multiplier=1.1, max_grad_norm=1.0)
n, epochs = len(dataset), 10
epsilon = privacy_engine.get_epsilon(delta=1e-5)
"""
JAX = """
config.training.dp.noise.std_relative = 2.0
config.training.batch_size.init_value = 4096
config.training.num_updates = 875
num_samples = 50000
"""
STEPS = NoisySteps(1.12, 256 / 60_000, 14_063)


@pytest.mark.parametrize(
    ("pasted", "library", "mechanism", "delta"),
    [
        (f"{OPACUS}\nepochs = 10\nn = 50_000", "Opacus", NoisySteps(1.1, 256 / 5e4, 1954), 1e-5),
        (
            "make_private_with_epsilon(target_epsilon=3.0, target_delta=1e-5, epochs=3)",
            *("Opacus", PublishedGuarantee("approx", 3.0, 1e-5), 1e-5),
        ),
        (
            "compute_dp_sgd_privacy(60000, 250, 1.3, 15, 1e-5)",
            *("TensorFlow Privacy", NoisySteps(1.3, 250 / 6e4, 3600), 1e-5),
        ),
        ("--N=60000 --batch_size=256 --noise_multiplier=1.12 --epochs=60", "", STEPS, None),
        ("--N 60000 --batch_size 256 --noise_multiplier 1.12 --epochs 60", "", STEPS, None),
        (JAX, "jax_privacy", NoisySteps(2.0, 4096 / 5e4, 875), None),
        (
            "DPSGDExecutionPlanConfig(iterations=10, sampling_prob=0.4, noise_multiplier=1.1)",
            *("jax_privacy", NoisySteps(1.1, 0.4, 10), None),
        ),
        (
            "meas = space >> dp.m.then_laplace(scale=2.0)\nmeas.map(d_in=1.0)",
            *("OpenDP", LaplaceNoise(2.0), None),
        ),
        (
            "dp.m.make_gaussian(domain, metric, scale=3.)\nsensitivity = 1.5",
            *("OpenDP", NoisySteps(2.0), None),
        ),
        (
            '{"noise_multiplier": 1.1, "sample_rate": 0.01, "steps": 1000, "delta": 1e-6}',
            *("", NoisySteps(1.1, 0.01, 1000), 1e-6),
        ),
        (
            "NOISE_MULTIPLIER: 1.1\nsample_rate: 256/50000\nsteps: 10",
            "",
            NoisySteps(1.1, 0.00512, 10),
            None,
        ),
        (
            "sigma = 2\nq = b/n\nb = 10\nn = 1000\nnoise_multiplier=sigma, sample_rate=q, steps=n",
            *("", NoisySteps(2, 0.01, 1000), None),
        ),
    ],
)
def test_configuration_is_read(pasted, library, mechanism, delta):
    found = read(pasted)
    assert (found.library, found.delta) == (library, delta)
    assert found.mechanism == mechanism


@pytest.mark.parametrize(
    ("pasted", "message"),
    [
        ("", "configuration is empty"),
        (" \n\t", "configuration is empty"),
        ("x" * 30_000, "30,000 bytes"),
        ("é" * 15_000, "30,000 bytes"),
        ("\x00\x01\x02", "not text"),
        ("PK\x03\x04noise_multiplier = 1", "not text"),
        ("import os; os.system('rm -rf /')", "No configuration"),
        ("__import__('os').system('x')", "No configuration"),
        ("(" * 19_000, "No configuration"),
        ("[" * 9_000 + "]" * 9_000, "No configuration"),
        ("a*" * 9_000, "No configuration"),
        ("9" * 19_999, "No configuration"),
        ("noise_multiplier = -1, sample_rate = 0.1, steps = 3", "Noise multiplier must be"),
        ("noise_multiplier = nan, sample_rate = 0.1, steps = 3", "must be finite"),
        ("noise_multiplier = inf, sample_rate = 0.1, steps = 3", "must be finite"),
        ("noise_multiplier = 1e308*10, steps = 3", "must be finite"),
        ("noise_multiplier = 1e308, sample_rate = 0.1, steps = 3", "Noise multiplier must be"),
        ("noise_multiplier = 1, sample_rate = 2, steps = 3", "Sampling rate must be"),
        ("noise_multiplier = 1, sample_rate = 0, epochs = 3", "above 0"),
        ("noise_multiplier = 1, batch_size = 1, n = 0, epochs = 3", "above 0"),
        ("noise_multiplier = 1, sample_rate = 0.1, steps = 1e9", "Steps must be"),
        ("noise_multiplier = 1, sample_rate = 0.1, steps = 2.5", "Steps must be"),
        ("noise_multiplier = 1.1\nnoise_multiplier = 1.2", "several values"),
        ("make_private(noise_multiplier=1, poisson_sampling=False)", "Poisson sampling only"),
        ("make_laplace(scale=1) make_gaussian(scale=1)", "several OpenDP"),
        ("opendp.make_geometric(scale=1)", "Only make_laplace"),
        ("a = b\nb = a\nnoise_multiplier = a", "No configuration"),
        ("make_private(noise_multiplier=1.1)", "batch size (batch_size) and the data set size (n)"),
        ("noise_multiplier=1, batch_size=10, n=len(x)", "data set size (n)"),
        ("noise_multiplier=1, sample_rate=0.1", "number of steps"),
        ("target_epsilon=1", "δ (delta)"),
        ("make_laplace(scale=2)", "sensitivity (d_in)"),
    ],
)
def test_unusable_text_gives_one_sentence(pasted, message):
    with pytest.raises(DpvizError) as error:
        read(pasted)
    said = str(error.value)
    assert message in said and len(said) < 300 and "\n" not in said


def test_nothing_pasted_is_run(tmp_path):
    target = tmp_path / "made"
    for code in (f"open({str(target)!r}, 'w')", f"__import__('pathlib').Path('{target}').touch()"):
        with pytest.raises(DpvizError):
            read(f"noise_multiplier = {code}\nsample_rate = 0.1\nsteps = 3")
    assert not target.exists()


def test_random_texts_are_quick_and_give_one_sentence():
    chance = random.Random(0)
    parts = [
        *("noise_multiplier", "sample_rate", "steps", "n", "epochs", "a", "=", ":", "*", "/", " "),
        *("\n", "1e308", "-1", "nan", "0.1", "(", ")", "[", "{", "'", '"', "#", ",", "\\", "Some("),
        *("--", "é", "😀", "make_laplace", "scale", "d_in", "9" * 50),
    ]
    for _ in range(300):
        pasted = "".join(chance.choices(parts, k=chance.choice([5, 50, 1500])))
        began = time.perf_counter()
        try:
            read(pasted)
        except DpvizError as error:
            assert "\n" not in str(error) and len(str(error)) < 400
        assert time.perf_counter() - began < 2, pasted[:200]


@pytest.mark.parametrize(
    "pasted",
    [
        "a=" * 9_900,
        "noise_multiplier=a*a*a*a\n" + "a=b*b*b*b\nb=c*c*c*c\nc=d*d*d*d\nd=a*a*a*a\n" * 400,
        "".join(f"steps = x{i}\nx{i} = {i}\n" for i in range(800)),
        "a." * 9_900,
        "--" * 9_900,
        "a : " * 4_900,
        "a b 1 " * 3_000,
        "a=" + "*".join(["1" * 30] * 4) + "x",
        "compute_dp_sgd_privacy" * 900,
    ],
)
def test_repetitive_text_is_quick(pasted):
    began = time.perf_counter()
    with pytest.raises(DpvizError):
        read(pasted[:20_000])
    assert time.perf_counter() - began < 2
