"""Methods, data sets and encoders from outside: runs, stale results, certificates, releases."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "plugin" / "noisy_centroid.py"
RUN = (
    "run --dataset uci-digits --encoder glyphnet --method noisy-centroid --budget 5 --json".split()
)


@pytest.fixture
def command(tmp_path, tmp_path_factory, quick_python):
    """``command(plugin, words)``: exit status, output and errors of the command line."""
    cache = tmp_path_factory.mktemp("cache")

    def run(plugin, *words):
        environment = os.environ | {"DPVIZ_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [quick_python, "-W", "ignore", "-m", "dpviz", "--plugin", str(plugin), *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            timeout=120,
        )
        return done.returncode, done.stdout, done.stderr

    return run


def changed(tmp_path, *pairs):
    """Return the path of the example with some texts replaced."""
    text = EXAMPLE.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "mine.py"
    path.write_text(text)
    os.utime(path, (1, os.stat(path).st_ino % 10**9))
    return path


def test_edited_plugin_changes_its_stored_number(command, tmp_path):
    first = json.loads(command(changed(tmp_path), *RUN)[1])
    again = json.loads(command(tmp_path / "mine.py", *RUN)[1])
    assert first["origin"] == "computed" and again["origin"] == "stored"
    edited = changed(tmp_path, ("exact, bias = sums(data)", "exact, bias = -sums(data)"))
    other = json.loads(command(edited, *RUN)[1])
    assert (
        other["origin"] == "computed"
        and other["accuracy"]["balanced"] < first["accuracy"]["balanced"] - 0.3
    )


def test_example_is_certified_and_released(command, tmp_path):
    status, output, errors = command(EXAMPLE, "certify", "noisy-centroid", "--json")
    assert status == 0, errors
    assert json.loads(output)["certified"] and json.loads(output)["audits"] >= 1
    words = [word if word != "run" else "release" for word in RUN if word != "--json"]
    out = tmp_path / "release.npz"
    status, output, errors = command(EXAMPLE, *words, "--out", str(out))
    assert status == 0 and out.exists(), errors


def test_broken_variant_is_neither_certified_nor_released(command, tmp_path):
    broken = changed(tmp_path, ("gaussian(1.0,", "gaussian(0.2,"))
    status, output, _ = command(broken, "certify", "noisy-centroid")
    assert status == 1 and "above its claimed sensitivity" in output
    words = [word if word != "run" else "release" for word in RUN if word != "--json"]
    out = tmp_path / "release.npz"
    status, _, errors = command(broken, *words, "--out", str(out))
    assert status == 2 and "cannot be released" in errors and not out.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("METHODS = [3]", "must give rows of type Method"),
        (
            "import dataclasses\nfrom dpviz.methods.dppl_mean import METHOD\n"
            "METHODS = [dataclasses.replace(METHOD, title='Mine')]",
            "which is taken",
        ),
    ],
)
def test_bad_plugin_is_a_sentence(command, tmp_path, text, message):
    plugin = tmp_path / "bad.py"
    plugin.write_text(text)
    status, _, errors = command(plugin, "list", "methods")
    assert status == 2 and message in errors and "Traceback" not in errors


def test_missing_plugin_is_a_sentence(command):
    status, _, errors = command("nowhere.py", "list", "methods")
    assert status == 2 and "must be an existing .py file" in errors


def test_installed_template_is_found_by_its_entry_point(tmp_path):
    template = shutil.copytree(EXAMPLE.parent, tmp_path / "template")
    options = "install -q --no-deps --no-build-isolation --no-index --target".split()
    subprocess.run(
        [sys.executable, "-m", "pip", *options, str(tmp_path / "site"), str(template)], check=True
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "dpviz", "list", "methods"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'site'}"},
    )
    assert "noisy-centroid" in done.stdout, done.stderr


def test_plugin_brings_data_set_and_encoder(command, tmp_path):
    plugin = tmp_path / "more.py"
    plugin.write_text(
        "import dataclasses\n"
        "from dpviz.data.data_set_table import DATASETS as KNOWN\n"
        "from dpviz.encoders.encoder_table import ENCODERS as NETWORKS\n"
        "DATASETS = [dataclasses.replace(KNOWN['uci-digits'], key='more-digits')]\n"
        "ENCODERS = [dataclasses.replace(NETWORKS['glyphnet'], key='same-net')]\n"
    )
    status, output, errors = command(plugin, "list", "datasets")
    assert status == 0 and "more-digits" in output, errors
    assert "same-net" in command(plugin, "list", "encoders")[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    exact, bias = sums(data)", "    exact, bias = 1 // 0", "ZeroDivisionError"),
        ("    event = privacy.gaussian(1.0,", "    event = privacy.gausian(1.0,", "AttributeError"),
    ],
    ids=["fit", "plan"],
)
def test_error_of_a_plugin_is_a_sentence_with_its_line(command, tmp_path, old, new, message):
    path = changed(tmp_path, (old, new))
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if new in text)
    status, output, errors = command(path, *RUN)
    assert status == 2 and not output
    assert f"Plugin mine.py failed in line {line}: {message}" in errors
    assert "Traceback" not in errors
    assert "Traceback" in command(path, "-v", *RUN)[2]
