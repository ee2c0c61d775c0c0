"""The command that reproduces a figure."""

import pytest

from dpviz.cli import main


def test_list_names_every_figure(capsys):
    assert main(["reproduce", "--list"]) == 0
    said = capsys.readouterr().out
    assert "dppl-imbalance" in said and "not reproduced" in said


def test_reproduce_writes_all_files(tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    words = ["reproduce", "beyond-class-sizes", "--scale", "small", "--out", str(out)]
    assert main(words) == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == [f"beyond-class-sizes.{ending}" for ending in ("csv", "html", "md")]
    assert "32 computed and 32 published" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dppl"], "no figure 'dppl'"),
        ([], "Name a figure"),
        (["dppl-imbalance", "--scale", "huge"], "must be full or small"),
        (["dppl-imbalance", "--out", "/dev/null/x"], "Cannot create the folder"),
    ],
)
def test_bad_input_is_one_error_message(words, said, capsys):
    assert main(["reproduce", *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_full_scale_without_data_names_file_and_folder(tmp_path, capsys):
    assert main(["reproduce", "adamix-budgets", "--out", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "MIT-67" in error and "Put all files" in error and not list(tmp_path.iterdir())
