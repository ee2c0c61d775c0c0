"""Files for hosting: the image, the compose file, the Space, the dev container, and their guide."""

import json
import re
import shlex
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from dpviz.cli import app_command
from dpviz.machine import public_mode
from tests.test_docs import LIMIT

ROOT = Path(__file__).resolve().parent.parent
DOCKERFILE = ROOT / "Dockerfile"
FILES = [DOCKERFILE, *(ROOT / name for name in ("compose.yaml", ".dockerignore"))]
FILES += sorted(
    path
    for name in ("deploy", ".devcontainer")
    for path in (ROOT / name).iterdir()
    if path.is_file()
)
SECRET = re.compile(r"(?i)(password|passwd|api_key|secret_key|token)\s*[=:]\s*\S|hf_[a-z0-9]{20}")


def instructions():
    """Instructions of the Dockerfile with their arguments, continued lines joined."""
    text = re.sub(r"(?m)^\s*#.*\n", "", DOCKERFILE.read_text()).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def last_stage():
    rows = instructions()
    begin = max(place for place, (name, _) in enumerate(rows) if name == "FROM")
    return rows[begin:]


def arguments(name):
    return [value for key, value in last_stage() if key == name]


def variables():
    words = [word for value in arguments("ENV") for word in shlex.split(value)]
    return dict(word.split("=", 1) for word in words)


def test_base_images_are_pinned():
    bases = [value.split()[0] for name, value in instructions() if name == "FROM"]
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.11\.\d+-slim-\w+@sha256:[0-9a-f]{64}", bases[0])


def test_python_packages_are_pinned():
    installs = [value for name, value in instructions() if name == "RUN" and "pip install" in value]
    torch = next(line for line in (ROOT / "requirements.txt").open() if line.startswith("torch=="))
    assert any(f"{torch.strip()}+cpu" in value for value in installs)
    assert any("-r /src/requirements.txt" in value for value in installs)


def test_container_does_not_run_as_root():
    (user,) = arguments("USER")
    assert user not in ("root", "0")
    created = next(value for value in arguments("RUN") if "useradd" in value)
    assert "--uid 1000" in created and created.split()[-1] == user
    names = [name for name, _ in last_stage()]
    assert names.index("USER") < max(i for i, name in enumerate(names) if name == "RUN")


def test_image_is_a_public_demo_by_default():
    found = variables()
    assert found["DPVIZ_PUBLIC"] == "1" and found["HOME"] == "/home/user"
    places = [name + value for name, value in last_stage()]
    warm = next(i for i, line in enumerate(places) if "warmup --all" in line)
    public = next(i for i, line in enumerate(places) if "DPVIZ_PUBLIC=1" in line)
    assert warm < public, "the build may start long work"


def test_health_check_asks_the_exposed_port():
    (check,) = arguments("HEALTHCHECK")
    command = json.loads(check[check.index("[") :])
    compile(command[-1], "health check", "exec")
    assert "/_stcore/health" in command[-1] and "PORT" in command[-1]
    assert arguments("EXPOSE") == [variables()["PORT"]] == ["8501"]


def started(environment):
    """The command that the container runs, as a list, with a stand-in for the program."""
    (command,) = arguments("CMD")
    shell, option, line = json.loads(command)
    assert (shell, option) == ("sh", "-c") and line.startswith("exec dpviz app ")
    line = line.replace("exec dpviz", "printf '%s\\n'", 1)
    given = {"PORT": variables()["PORT"], "PATH": "/usr/bin:/bin"} | environment
    done = subprocess.run([shell, option, line], env=given, capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("environment", "hosts", "frames"),
    [
        ({}, ["localhost"], ["self"]),
        ({"SPACE_HOST": "a-b.hf.space"}, ["a-b.hf.space"], ["self"]),
        (
            {"ALLOWED_HOSTS": "a.example b.example", "FRAME_ANCESTORS": "https://c.example"},
            ["a.example", "b.example"],
            ["https://c.example"],
        ),
    ],
)
def test_entry_command_is_one_of_dpviz(monkeypatch, environment, hosts, frames):
    import argparse

    name, *options = started(environment)
    assert name == "app"
    parser = argparse.ArgumentParser()
    app_command.add_options(parser)
    read = parser.parse_args(options)
    assert (read.address, read.port) == ("0.0.0.0", "8501")
    assert read.allowed_hosts == hosts and [read.frame_ancestors] == frames


def test_compose_file_limits_the_container():
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["dpviz"]
    assert service["environment"]["DPVIZ_PUBLIC"] == "1"
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert service["read_only"] and service["cap_drop"] == ["ALL"]
    assert {"mem_limit", "cpus", "pids_limit"} <= set(service) and "privileged" not in service


def test_space_readme_names_the_port_of_the_image():
    head = (ROOT / "deploy" / "space_readme.md").read_text().split("---")[1]
    facts = yaml.safe_load(head)
    assert facts["sdk"] == "docker" and str(facts["app_port"]) == variables()["PORT"]
    assert len(facts["short_description"]) <= 60


def test_dev_container_is_read():
    facts = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    target = facts["postCreateCommand"].removeprefix("make ")
    assert target.replace(".venv", "$(VENV)") + ":" in (ROOT / "Makefile").read_text()
    assert facts["remoteUser"] != "root" and "DPVIZ_PUBLIC" not in facts.get("containerEnv", {})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_secret_is_in_a_file_for_hosting(path):
    assert not SECRET.search(path.read_text())


def test_hosting_guide_has_the_limits_of_the_code():
    text = (ROOT / "docs" / "hosting.md").read_text()
    rows = [(m["module"], m["name"], int(m["most"])) for m in LIMIT.finditer(text)]
    assert len(rows) == 21
    assert not [row for row in rows if getattr(import_module(row[0]), row[1]) != row[2]]
    bounds = {name for name in vars(public_mode) if name.isupper()} - {"SETTING", "LINK"}
    assert bounds - {name for _, name, _ in rows} == {"MAX_TOO_LONG"}


def test_hosting_guide_is_short():
    text = (ROOT / "docs" / "hosting.md").read_text()
    cells = [c.strip() for line in text.splitlines() if line[:1] == "|" for c in line.split("|")]
    assert len(text.encode()) <= 20_000 and max(map(len, cells)) <= 120
