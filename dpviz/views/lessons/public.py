"""Why does a public picture beat a noisy mean?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Step, trade_off

PUBLIC = Lesson(
    "public",
    "Why does a public picture beat a noisy mean?",
    "Choosing among public pictures needs far less noise than hiding in a mean of 128 numbers.",
    (
        trade_off(
            "dppl-mean,class-mean",
            50,
            1,
            "DPPL-Mean describes each digit by a noisy mean: it adds noise to each of the 128"
            " numbers of a class's sum. For the minority, the rare digits, little signal is left.",
            Outcome(
                "DPPL-Public lets each class vote for one of 30,008 public pictures, and that"
                " picture then stands for the class. Same data, same ε. How does its minority"
                " compare?",
                "dppl-mean",
                then="dppl-public",
                comes="up",
            ),
        ),
        trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "A choice is one decision per class, whatever the dimension. But look at the right end"
            " too: with a large budget the noisy mean overtakes, because no public picture is quite"
            " a class mean.",
            Outcome(
                "What if the public pictures are of the wrong kind: letters only, no digits?",
                "dppl-public",
                comes="lost",
            ),
        ),
        trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "The best of the wrong pictures is still the wrong kind. A public set is free of"
            " privacy cost, but not a free lunch.",
            pub="letters",
        ),
        Step(
            "public-prototypes",
            {"ir": "50", "eps": "0.1"},
            "See the pictures themselves. At this small budget the choice is close to a lottery:"
            " look how they turn to nonsense, and move the budget up until they make sense.",
        ),
    ),
)
