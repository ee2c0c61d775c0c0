import math

import numpy as np

from dpviz.plots.teachers import VoteHistogram, vote_bins

TOP = np.array([25, 12, 30, 28, 10, 22])
KINDS = ("right", "wrong", "right", "right", "unknown", "refused")


def make_chart(threshold):
    chance = np.linspace(0, 1, 31)
    return VoteHistogram.from_votes(TOP, KINDS, 30, threshold, 4.0, chance)


def examples():
    return [(make_chart(18.0),), (make_chart(-math.inf),), (make_chart(18.0), False)]


def test_plain_chart_leaves_out_noise_and_probability():
    plain, precise = (make_chart(18.0).figure(level) for level in (False, True))
    assert len(plain.data) == len(precise.data) - 1 and "yaxis2" not in plain.to_dict()["layout"]
    assert len(plain.layout["shapes"]) == 1 and "noise" not in str(plain.layout["annotations"])


def test_labels_count_queries_that_noise_moves_past_the_threshold():
    chart = make_chart(18.0)
    assert chart.answered_below == 2 and chart.unanswered_above.sum() == 1
    hatched = chart.bars()[-1]
    assert hatched["marker"]["pattern"]["shape"] == "/" and hatched["name"] == "Unanswered above"
    assert hatched.get("showlegend", True)
    heights = sum(sum(n or 0 for n in bar["y"]) for bar in chart.bars())
    assert heights == len(TOP), "no query is drawn twice"
    words = " ".join(note["text"] for note in chart.figure(False).layout["annotations"])
    words = words.replace("<br>", " ")
    assert "2 answered below" in words and "1 unanswered above" in words
    assert "2 answered below, 1 unanswered above" in chart.alt()
    high = make_chart(40.0)
    assert "above" not in high.alt().replace("threshold", "") and len(high.bars()) == len(
        high.counts
    )
    assert "answered" not in make_chart(-math.inf).figure(False).to_json().split("layout")[1]


def test_info_is_exact():
    chart = make_chart(-math.inf)
    counts = {kind: int(counts.sum()) for kind, counts in chart.counts.items()}
    assert counts == {"right": 3, "wrong": 1, "unknown": 1, "refused": 1}
    assert chart.threshold is None and "yaxis2" not in chart.figure().to_dict()["layout"]
    assert sum(row["answered correctly"] for row in chart.table()) == 3


def test_query_is_counted_in_its_bar():
    chart = make_chart(18.0)
    bars = vote_bins(TOP, 30)
    held = np.histogram(TOP, chart.edges)[0]
    assert np.array_equal(np.bincount(bars, minlength=len(held)), held)


def test_axis_is_that_of_the_slider_of_the_threshold():
    votes, chance = np.array([35, 90]), np.ones(101)
    chart = VoteHistogram.from_votes(votes, ["right"] * 2, 100, 80.0, 5.0, chance)
    axis = chart.figure(precise=False).layout.xaxis
    assert list(axis.range) == [0, 100]
    assert axis.ticktext[0] == "0" and axis.ticktext[-1] == "100"


def test_words_on_a_narrow_side_of_the_threshold_are_on_the_other():
    votes, chance = np.array([35, 90]), np.ones(101)
    kinds = ["right", "refused"]
    notes = lambda threshold: (
        VoteHistogram.from_votes(votes, kinds, 100, threshold, 5.0, chance)
        .figure(precise=False)
        .layout.annotations
    )
    assert len(notes(80.0)) == 1 and notes(80.0)[0].text.count("<br>") == 2
    assert len(notes(55.0)) == 2 and "<br>" not in notes(55.0)[1].text
