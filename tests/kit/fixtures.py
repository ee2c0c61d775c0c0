"""Fixtures that every test may use."""

import itertools
import os
import sys
import tempfile
from pathlib import Path

import pytest

from dpviz import caches
from dpviz.data import uploads
from dpviz.experiments import embedding_work
from tests.kit import fork_server
from tests.kit.toys import content, labelled_content, toy_data

_numbers = itertools.count()


@pytest.fixture(scope="session")
def toy():
    return toy_data()


@pytest.fixture(scope="session")
def quick_python():
    """A program that runs what Python runs, without its seconds of imports (``fork_server``)."""
    if not hasattr(os, "pidfd_open"):  # only Linux has it
        yield sys.executable
        return
    with tempfile.TemporaryDirectory() as folder, fork_server.serving(Path(folder)) as program:
        yield str(program)


@pytest.fixture(scope="session")
def pages_cache(tmp_path_factory):
    """The cache folder of all tests with the mark ``shared_cache``."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(autouse=True)
def own_cache(request, tmp_path_factory, monkeypatch):
    """Each test has a cache folder of its own, unless its mark ``shared_cache`` says that it only
    looks at results, not at how they come about: these are then computed once in all such tests.
    ``shared_cache(False)`` excepts a test of a file that has the mark.
    """
    mark = request.node.get_closest_marker("shared_cache")
    if mark and mark.args != (False,):
        folder = request.getfixturevalue("pages_cache")
    else:
        # mktemp reads all folders that earlier tests left
        folder = tmp_path_factory.getbasetemp() / "caches" / str(next(_numbers))
        folder.mkdir(parents=True)
    monkeypatch.setenv("DPVIZ_CACHE", str(folder))
    caches.clear(embedding_work.__name__)  # it keeps paths of features


@pytest.fixture
def own(own_cache):
    """The name of own data, in the cache of this test."""
    return uploads.keep(content())


@pytest.fixture
def labelled(own_cache):
    """Own data with labelled public records, which every page can use."""
    return uploads.keep(labelled_content())
