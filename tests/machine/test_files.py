"""Writing a file: special files are written to or refused, and never replaced."""

import os
import select
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from dpviz.machine import output_files
from dpviz.machine.files import write_atomic
from dpviz.types import DpvizError

CONTENT = b"content" * 20_000


def write(path):
    write_atomic(path, lambda file: file.write(CONTENT))


@pytest.fixture
def device(tmp_path):
    """A null device of its own, so that a fault replaces no device of the machine."""
    path = tmp_path / "null"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_bytes(b"")
    except (AttributeError, OSError) as error:
        pytest.skip(f"making a device node needs root on a file system that has them: {error}")
    return path


def test_character_device_stays_after_write(device):
    write(device)
    output_files.check_place(device)
    output_files.write(device, b"text")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert os.listdir(device.parent) == ["null"]


def test_fifo_gets_whole_content_and_stays(tmp_path):
    os.mkfifo(path := tmp_path / "fifo")
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = threading.Thread(target=write, args=(path,))
    writer.start()
    got = b""
    while len(got) < len(CONTENT) and select.select([handle], [], [], 30)[0]:
        got += os.read(handle, 1 << 16)
    writer.join(30)
    os.close(handle)
    assert got == CONTENT and stat.S_ISFIFO(path.stat().st_mode)


def test_fifo_without_reader_is_refused(tmp_path):
    os.mkfifo(path := tmp_path / "fifo")
    with pytest.raises(DpvizError, match="no reader.*Give the name of a file"):
        write(path)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_folder_and_socket_are_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind(str(tmp_path / "socket"))
        for name in ("folder", "socket"):
            with pytest.raises(DpvizError, match=f"is a {name}. Give"):
                write(tmp_path / name)
            with pytest.raises(DpvizError, match=f"is a {name}. Give"):
                output_files.check_place(tmp_path / name)
        assert stat.S_ISSOCK((tmp_path / "socket").stat().st_mode)


@pytest.mark.skipif(not Path("/dev/stdout").is_symlink(), reason="needs /dev/stdout")
def test_standard_output_gets_content(tmp_path):
    code = (
        "from pathlib import Path; from dpviz.machine.files import write_atomic\n"
        "write_atomic(Path('/dev/stdout'), lambda file: file.write(b'content'))"
    )
    with (tmp_path / "out").open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert (tmp_path / "out").read_bytes() == b"content"
    piped = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert piped.stdout == b"content" and Path("/dev/stdout").is_symlink()


def test_file_is_replaced_and_linked_file_too(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write(link)
    assert link.read_bytes() == CONTENT and path.read_bytes() == b"old"
    write(path)
    assert path.read_bytes() == CONTENT


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_output_file_has_mode_of_umask(tmp_path, umask):
    path = tmp_path / "out"
    output_files.write(path, CONTENT)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    output_files.write(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604 and path.read_bytes() == b"new"
    write(tmp_path / "cached")
    assert stat.S_IMODE((tmp_path / "cached").stat().st_mode) == 0o600
    assert sorted(os.listdir(tmp_path)) == ["cached", "out"]


@pytest.mark.parametrize("target", ["file", "nowhere", "link"])
def test_symbolic_link_as_output_is_refused(tmp_path, target):
    (tmp_path / "file").write_bytes(b"old")
    (link := tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(DpvizError, match="is a symbolic link. Give --out its target"):
        output_files.check_place(link, tmp_path / "file" if target != "file" else link / "x")
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127])
def test_longest_file_name_is_written(tmp_path, name):
    output_files.check_place(path := tmp_path / name)
    output_files.write(path, CONTENT)
    assert path.read_bytes() == CONTENT
    write(path)
    with pytest.raises(DpvizError, match="is not a valid file name. Give --out another"):
        output_files.check_place(tmp_path / (name + "bb"))


def test_unwritable_folder_is_refused_before_work():
    with pytest.raises(
        DpvizError, match=r"Cannot write to /proc/self/out \(.*\). Give --out another"
    ):
        output_files.check_place(Path("/proc/self/out"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("mode", [0o555, 0o666, 0o777])
def test_path_of_other_user_is_refused(mode):
    """A folder without write permission, one without search permission, and a file of root."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        out.touch(0o644)
        os.chmod(folder, mode)
        os.seteuid(65534)
        try:
            with pytest.raises(DpvizError, match="Permission denied.*Give --out another"):
                output_files.check_place(out)
        finally:
            os.seteuid(0)
        assert os.listdir(folder) == ["out"]
