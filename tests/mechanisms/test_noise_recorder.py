"""Transcripts of noisy outputs: what is noted, what can be spoiled, and what a script puts out."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest

from dpviz import mechanisms
from dpviz.machine.threads import map_blocks
from dpviz.types import Exponential, Gaussian

SUMS = np.array([1.0, 2.0])


def released(event, seed=0, label="sum"):
    return mechanisms.add_gaussian(SUMS, event, mechanisms.standard_normal(seed, label, (2,)))


def test_only_watched_events_are_recorded():
    one, equal = Gaussian(1.0, 3.0), Gaussian(1.0, 3.0)
    assert one == equal
    with mechanisms.watched({"one": one}) as seen:
        first, _ = released(one), released(equal)
        first_too = released(one, 4)
    released(one, 5)
    assert set(seen.outputs["one"]) == {0, 4}
    assert np.array_equal(seen.outputs["one"][0]["sum"], first)
    assert np.array_equal(seen.table("one", [4, 0]), np.stack([first_too, first]))


def test_table_orders_draws_by_label():
    event = Gaussian(1.0, 1.0)
    with mechanisms.watched({"sums": event}) as seen:
        later, sooner = released(event, label="step 1"), released(event, label="step 0")
    assert seen.table("sums", [0]).tolist() == [[*sooner, *later]]


def test_concurrent_watchers_wait_and_keep_their_own_transcript():
    mine, other, started = Gaussian(1.0, 1.0), Gaussian(1.0, 1.0), Event()

    def beside():
        started.set()
        with mechanisms.watched({"other": other}) as seen:
            released(other)
        return seen

    with ThreadPoolExecutor(1) as threads, mechanisms.watched({"mine": mine}) as seen:
        later = threads.submit(beside)
        assert started.wait(10) and not later.done()
        released(mine)
    assert list(seen.outputs["mine"]) == [0] == list(later.result().outputs["other"])


def test_recorded_numbers_survive_array_changes():
    event = Gaussian(1.0, 1.0)
    with mechanisms.watched({"sums": event}) as seen:
        found = released(event)
        before = found.copy()
        found += 100
    assert np.array_equal(seen.outputs["sums"][0]["sum"], before)


def test_only_watched_events_get_modified_noise():
    one, other = Gaussian(1.0, 3.0), Gaussian(1.0, 3.0)

    def halved(name, noise):
        assert name == "one"
        return dataclasses.replace(noise, values=noise.values / 2)

    whole = released(one)
    with mechanisms.watched({"one": one}, halved):
        assert released(one) - SUMS == pytest.approx((whole - SUMS) / 2)
        assert np.array_equal(released(other), whole)
    assert np.array_equal(released(one), whole)


def test_script_replays_output_of_another_run():
    gaussian, choice = Gaussian(1.0, 3.0), Exponential(1.0, 1.0)
    events = {"sums": gaussian, "choice": choice}
    gumbel = mechanisms.standard_gumbel(0, "choice", (3,))
    with mechanisms.watched(events) as seen:
        sums = released(gaussian)
        chosen = mechanisms.exponential(np.array([0.0, 9.0, 0.0]), choice, gumbel)
    with mechanisms.watched(events, script=seen) as again:
        noise = mechanisms.standard_normal(0, "sum", (2,))
        assert np.array_equal(mechanisms.add_gaussian(100 + SUMS, gaussian, noise), sums)
        repeated = mechanisms.exponential(np.array([99.0, 0.0, 0.0]), choice, gumbel)
    assert repeated == chosen and repeated.dtype == chosen.dtype
    assert np.array_equal(again.table("sums", [0]), seen.table("sums", [0]))


def test_missing_scripted_draw_is_an_error():
    event = Gaussian(1.0, 3.0)
    with mechanisms.watched({"sums": event}) as seen:
        released(event)
    with mechanisms.watched({"sums": event}, script=seen), pytest.raises(KeyError):
        released(event, label="another")


def test_sets_are_recorded():
    event, u = Exponential(1.0, 1.0), np.array([3.0, 2.0, 1.0])
    gumbel = mechanisms.standard_gumbel(1, "sets", (3,))
    with mechanisms.watched({"set": event}) as seen:
        found = mechanisms.top_k(u, 2, event, gumbel, np.arange(3) / 3, np.arange(3))
    assert seen.outputs["set"][1]["sets"].tolist() == found.tolist()


def test_parts_have_own_labels_and_threads_lose_none():
    event = Gaussian(1.0, 1.0)
    with mechanisms.watched({"sums": event}) as seen:
        for seed in range(3):
            noise = mechanisms.standard_normal(seed, "sums", (40, 2))
            map_blocks(lambda one: mechanisms.add_gaussian(SUMS, event, one), noise)
    assert [len(run) for run in seen.outputs["sums"].values()] == [40] * 3
    assert len(np.unique(seen.table("sums", [0, 1, 2]))) == 3 * 40 * 2


def test_nested_watch_ends_independently():
    event = Gaussian(1.0, 1.0)
    with mechanisms.watched({"outer": event}) as outer:
        with mechanisms.watched({"inner": event}) as inner:
            released(event, 1)
        released(event, 2)
    assert list(inner.outputs["inner"]) == [1] and list(outer.outputs["outer"]) == [2]
