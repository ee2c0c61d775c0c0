"""Downloads: checked before anything opens them, over https alone, one at a time, whole or not at
all.
"""

import functools
import hashlib
import http.server
import io
import tarfile
import threading
import zipfile

import pytest

from dpviz.data import download
from dpviz.data.source import Archive
from dpviz.types import Cancelled, DpvizError
from tests.kit import tiny_sets


@pytest.fixture
def home(tmp_path):
    """A data folder that nobody made yet."""
    return tmp_path / "data"


def packed(path, members):
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


class Site(http.server.SimpleHTTPRequestHandler):
    """Gives its files, remembers what was asked for, sends who asks for ``away`` to plain http, and
    breaks ``short`` off.
    """

    asked: list = []  # noqa: RUF012

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.asked.append(self.path)
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://example.org/set.tar.gz")
            self.end_headers()
        elif self.path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"a")
        else:
            super().do_GET()


@pytest.fixture
def site(tmp_path):
    """A folder served on this machine: address and folder."""
    folder = tmp_path / "site"
    folder.mkdir()
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Site, directory=str(folder))
    )
    Site.asked.clear()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", folder
    server.shutdown()


def test_set_is_downloaded_checked_and_unpacked_with_progress(home, site):
    url, folder = site
    packed(folder / "set.tar.gz", {"set/a.jpg": b"a" * 3_000_000, "set/b.jpg": b"b"})
    archive = Archive(
        f"{url}/set.tar.gz", "set.tar.gz", tiny_sets.md5(folder / "set.tar.gz"), "inside"
    )
    messages = []
    download.fetch("Set", home / "set", [archive], "get it.", lambda *step: messages.append(step))
    assert (home / "set" / "inside" / "set" / "a.jpg").stat().st_size == 3_000_000
    assert messages[-1][1] == messages[-1][2] and {stage for stage, *_ in messages} == {
        "Downloading Set, MiB"
    }
    assert not list((home / "set").rglob("*.gz")) and not list((home / "set").rglob(".*"))


def test_download_with_wrong_checksum_is_not_unpacked(home, site):
    url, folder = site
    packed(folder / "set.tar.gz", {"set/a.jpg": b"a"})
    with pytest.raises(DpvizError, match="not the published file"):
        download.fetch(
            "Set", home / "set", [Archive(f"{url}/set.tar.gz", "set.tar.gz", "0" * 32)], "get it."
        )
    assert not (home / "set" / "set").exists()


def test_manually_placed_archive_needs_no_network(home, site):
    _, folder = site
    packed(folder / "set.tar.gz", {"set/a.jpg": b"a"})
    (home / "set").mkdir(parents=True)
    archive = Archive(
        "http://127.0.0.1:9/set.tar.gz",
        "set.tar.gz",
        tiny_sets.md5(folder / "set.tar.gz"),
        "inside",
    )
    (folder / "set.tar.gz").rename(home / "set" / "set.tar.gz")
    download.fetch("Set", home / "set", [archive], "get it.")
    assert (home / "set" / "inside" / "set" / "a.jpg").read_bytes() == b"a"


def test_members_with_parent_paths_are_not_extracted(home, site):
    url, folder = site
    packed(folder / "set.tar.gz", {"../../out.jpg": b"a"})
    archive = Archive(f"{url}/set.tar.gz", "set.tar.gz", tiny_sets.md5(folder / "set.tar.gz"))
    with pytest.raises(DpvizError, match="cannot be unpacked"):
        download.fetch("Set", home / "set", [archive], "get it.")
    assert not list(home.parent.rglob("out.jpg"))


# ------------------------------------------------------------------------------- what may be opened


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_file_with_wrong_sha256_is_never_placed(home, site):
    """Its md5 may be right: two files can share one."""
    url, folder = site
    (folder / "labels.mat").write_bytes(b"other")
    md5 = tiny_sets.md5(folder / "labels.mat")
    for archive in (
        Archive(f"{url}/labels.mat", "labels.mat", md5, sha256=sha256(b"labels")),
        Archive(f"{url}/labels.mat", "labels.mat", "0" * 32),
    ):
        with pytest.raises(
            DpvizError, match="is not the published file .*The download was deleted"
        ):
            download.fetch("Set", home / "set", [archive], "get it.")
        assert list((home / "set").iterdir()) == []
    right = Archive(f"{url}/labels.mat", "labels.mat", "0" * 32, sha256=sha256(b"other"))
    download.fetch("Set", home / "set", [right], "get it.")
    assert [p.name for p in (home / "set").iterdir()] == ["labels.mat"]


def test_with_md5_only_first_download_is_pinned(home, site, monkeypatch):
    url, folder = site
    (folder / "set.npz").write_bytes(b"first")
    archive = Archive(f"{url}/set.npz", "set.npz", tiny_sets.md5(folder / "set.npz"))
    download.fetch("Set", home / "set", [archive], "get it.")
    assert (home / "set" / "set.npz.sha256").read_text() == f"{sha256(b'first')}  set.npz\n"
    download.check(home / "set" / "set.npz", archive)

    forged = b"of the same md5"  # as a collision would be
    monkeypatch.setattr(download.hashlib, "md5", lambda **_: Forged(archive.md5))
    (home / "set" / "set.npz").write_bytes(forged)
    with pytest.raises(DpvizError, match="not the first downloaded file"):
        download.check(home / "set" / "set.npz", archive)
    (home / "set" / "set.npz").unlink()
    (folder / "set.npz").write_bytes(forged)
    with pytest.raises(DpvizError, match="not the first downloaded file"):
        download.fetch("Set", home / "set", [archive], "get it.")
    assert not (home / "set" / "set.npz").exists()


class Forged:
    """An md5 that is always the published one."""

    def __init__(self, md5):
        self.hexdigest = lambda: md5
        self.update = lambda block: None


@pytest.mark.parametrize(
    "url", ["http://example.org/a", "ftp://example.org/a", "file:///etc/passwd"]
)
def test_unencrypted_download_is_refused(home, url):
    with pytest.raises(DpvizError, match="does not use https"):
        download.fetch("Set", home / "set", [Archive(url, "a", "0" * 32)], "get it.")


def test_redirect_to_plain_http_is_refused(home, site):
    url, _ = site
    with pytest.raises(DpvizError, match="example.org/set.tar.gz does not use https"):
        download.fetch("Set", home / "set", [Archive(f"{url}/away", "a", "0" * 32)], "get it.")


@pytest.mark.parametrize(("path", "says"), [("short", "ended after 1 of"), ("gone", "not found")])
def test_source_errors_are_not_blamed_on_disk(home, site, path, says):
    url, _ = site
    with pytest.raises(DpvizError, match=rf"(?i)could not be downloaded \(.*{says}.*\). get it"):
        download.fetch("Set", home / "set", [Archive(f"{url}/{path}", "a", "0" * 32)], "get it.")
    assert list((home / "set").iterdir()) == []


@pytest.mark.parametrize("path", [".", "set"])
def test_unwritable_folder_gives_message(home, path):
    (home / path).parent.mkdir(exist_ok=True)
    (home / path).write_text("a file in the way")
    with pytest.raises(DpvizError, match="cannot be stored in .*DPVIZ_DATA"):
        download.fetch("Set", home / "set", [Archive("https://x.org/a", "a", "0" * 32)], "get it.")


# ------------------------------------------------------------------------------------ many at once


def test_concurrent_requests_share_one_download(home, site):
    url, folder = site
    with zipfile.ZipFile(folder / "set.zip", "w") as archive:
        archive.writestr("set/a.jpg", b"a" * 100_000)
    wanted = Archive(f"{url}/set.zip", "set.zip", tiny_sets.md5(folder / "set.zip"))
    reference, wrong = (home / "set" / "set" / "a.jpg").exists, []

    def ask():
        try:
            download.fetch("Set", home / "set", [wanted], "get it.", is_complete=reference)
            assert reference()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for step in ("start", "join"):
        for thread in threads:
            getattr(thread, step)()
    assert wrong == [] and Site.asked == ["/set.zip"]


def test_waiting_for_other_download_can_be_canceled(home, monkeypatch):
    monkeypatch.setattr(download, "BEAT", 0.01)

    def stop(stage, completed, total):
        assert stage == "Waiting for another download of Set"
        raise Cancelled

    with download._locked("Set", home / "set", None), pytest.raises(Cancelled):
        download.fetch("Set", home / "set", [], "get it.", stop)


# -------------------------------------------------------------------------------------- old Pythons


@pytest.mark.parametrize(
    ("name", "kind"),
    [("../out.jpg", tarfile.REGTYPE), ("/out.jpg", tarfile.REGTYPE)]
    + [
        ("a", kind)
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)
    ],
)
def test_python_without_tar_filter_unpacks_safely(home, site, monkeypatch, name, kind):
    url, folder = site
    monkeypatch.delattr(tarfile, "data_filter")
    packed(folder / "set.tar.gz", {"set/a.jpg": b"a"})
    archive = Archive(f"{url}/set.tar.gz", "set.tar.gz", tiny_sets.md5(folder / "set.tar.gz"))
    download.fetch("Set", home / "good", [archive], "get it.")
    assert (home / "good" / "set" / "a.jpg").read_bytes() == b"a"

    with tarfile.open(folder / "set.tar.gz", "w:gz") as out:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, "/etc/passwd"
        out.addfile(member)
    archive = Archive(f"{url}/set.tar.gz", "set.tar.gz", tiny_sets.md5(folder / "set.tar.gz"))
    with pytest.raises(
        DpvizError, match="cannot be unpacked .*not a regular file below the folder"
    ):
        download.fetch("Set", home / "bad", [archive], "get it.")
    assert not list(home.parent.rglob("out.jpg"))
