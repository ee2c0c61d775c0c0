"""When does CoinPress diverge?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Step, trade_off

COINPRESS = Lesson(
    "coinpress",
    "When does CoinPress diverge?",
    "Shrinking a ball around the mean works with enough records for the dimension, and backfires"
    " without.",
    (
        trade_off(
            "dppl-mean,class-mean",
            1,
            1,
            "DPPL-Mean describes each digit by one noisy mean. CoinPress is a clever way to get"
            " that mean: it spends a part of its budget on finding out roughly where the mean lies,"
            " so that the rest can draw a tight ball around it and needs less noise. With 400"
            " pictures a digit it works.",
            Outcome(
                "Make the data imbalanced: IR 10. What happens to the minority, at the same ε = 1?",
                "dppl-mean",
                comes="lost",
            ),
            **{"dppl-mean.form": "coinpress"},
        ),
        trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "The first, rough estimate of a small class is mostly noise. Its radius grows instead"
            " of shrinking, and every later step clips around the wrong place.",
            Outcome(
                "Go back to one noisy sum instead of CoinPress, nothing else changed. What happens"
                " to the minority?",
                "dppl-mean",
                comes="up",
            ),
            **{"dppl-mean.form": "coinpress"},
        ),
        trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "One step, no radius to guess: the simpler release holds where the cleverer one fell"
            " apart.",
        ),
        Step(
            "dp-means",
            {"ir": "10", "eps": "1", "look": "steps"},
            "Watch it happen: scroll down to **A closer look**, which draws the radius of each"
            " class's ball, step by step. Lines that rise are classes where CoinPress failed; the"
            " words there say why. Move the budget up: at which do all lines fall?",
        ),
    ),
)
