"""When does CoinPress diverge?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Reason, Step, trade_off

COINPRESS = Lesson(
    "coinpress",
    "When does the clever way fail?",
    (
        "CoinPress shrinks a ball around the mean, which works with enough pictures and"
        " backfires without."
    ),
    (
        trade_off(
            "dppl-mean,class-mean",
            1,
            1,
            (
                "DPPL-Mean describes each digit by one noisy mean. CoinPress is a clever way"
                " to get that mean: it spends a part of the budget on finding out roughly"
                " where the mean lies, draws a tight ball around it, and needs less noise"
                " inside. With 400 pictures a digit it works."
            ),
            Outcome(
                (
                    "Make the data imbalanced: IR 10, the rarest digit has 40 pictures. What"
                    " happens to the minority, at the same ε = 1?"
                ),
                "dppl-mean",
                comes="lost",
            ),
            at="answer",
            **{"dppl-mean.form": "coinpress"},
        ),
        trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "The rare digits are lost, and without noise (dashed) they are not.",
            Reason(
                "What went wrong?",
                (
                    "CoinPress needs a larger ε to be allowed on small classes.",
                    (
                        "The first rough estimate of a small class is mostly noise, so its ball"
                        " grows instead of shrinking."
                    ),
                    (
                        "The ball cuts off all pictures of the rare digits on purpose, to"
                        " protect them."
                    ),
                ),
                1,
                (
                    "A rough estimate is only as good as the pictures behind it. If its error"
                    " is larger than the ball, the ball has to grow, and the larger the ball,"
                    " the more noise the next step needs."
                ),
            ),
            at="picture",
            **{"dppl-mean.form": "coinpress"},
        ),
        Step(
            "dp-means",
            {"ir": "10", "eps": "1", "look": "steps"},
            (
                "Watch it happen: the radius of each class's ball, step by step. Lines that"
                " rise (dashed) are classes where CoinPress failed. Move the budget up: at which"
                " do all lines fall?"
            ),
            at="dp-means-schedule",
        ),
        trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            (
                "One noisy sum instead of CoinPress, nothing else changed: no ball to guess,"
                " and the simpler way holds where the cleverer one fell apart."
            ),
            at="answer",
        ),
    ),
    (
        "A clever method that looks first spends a part of its budget on looking.",
        "With few pictures that look is mostly noise, and what is built on it fails.",
        "Which method is best depends on how many pictures the smallest class has.",
    ),
)
