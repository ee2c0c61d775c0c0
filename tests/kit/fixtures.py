"""Fixtures that every test may use."""

import itertools

import pytest

from dpviz.data import uploads
from tests.kit.toys import content, labelled_content, toy_data

_numbers = itertools.count()


@pytest.fixture(scope="session")
def toy():
    return toy_data()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Each test has a cache folder of its own, unless it shares one on purpose."""
    # mktemp reads all folders that earlier tests left
    folder = tmp_path_factory.getbasetemp() / "caches" / str(next(_numbers))
    folder.mkdir(parents=True)
    monkeypatch.setenv("DPVIZ_CACHE", str(folder))


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The name of own data, in a cache of this test's."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    return uploads.keep(content())


@pytest.fixture
def labelled(tmp_path, monkeypatch):
    """Own data with labelled public records, which every page can use."""
    monkeypatch.setenv("DPVIZ_CACHE", str(tmp_path))
    return uploads.keep(labelled_content())
