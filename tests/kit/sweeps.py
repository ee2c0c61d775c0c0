"""A small sweep, as a file and as a run."""

from __future__ import annotations

import json

from dpviz.cli import main
from dpviz.data import uploads


def toml(own, more=""):
    file = json.dumps(uploads.display_path(uploads.path(own)))
    return (
        f'dataset = {file}\naxis = "zcdp"\nbudgets = [0.1, 1]\nir = [1, 4]\nseeds ='
        f" 2\n{more}[methods.dppl-mean]\nclip = [0.5, 1.0]\n[methods.class-mean]\n"
    )


def ran(own, tmp_path, name="a sweep", text=""):
    spec = tmp_path / "s.toml"
    spec.write_text(text or toml(own))
    assert main(["sweep", str(spec), "--out", str(tmp_path / "o.csv"), "--name", name]) == 0
