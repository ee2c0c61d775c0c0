"""Why do minorities pay?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Step, trade_off

MINORITIES = Lesson(
    "minorities",
    "Why do minorities pay?",
    "The same noise for every class weighs most where there are few records.",
    (
        trade_off(
            "noisy-gd",
            1,
            1,
            "The private linear probe is the usual way to train with privacy: a simple classifier,"
            " learned step by step, with noise in each step. Here all ten digits have equally many"
            " pictures, and it is nearly as good as without privacy (dashed). The page follows"
            " three of the digits, because they will become the rare ones: the minority.",
            Outcome(
                "Now the commonest digit has 50 times the pictures of the rarest (IR 50), at the"
                " same ε. What happens to the **minority**?",
                "noisy-gd",
                comes="lost",
            ),
        ),
        trade_off(
            "noisy-gd",
            50,
            1,
            "The dashed ceiling, without privacy, hardly moved: the data still suffice. Privacy"
            " took the rest. Look at the two lower charts: who is in the data, and who is right.",
            Outcome(
                "The imbalance goes on to IR 100. What happens to the **balanced** accuracy, the"
                " mean over all classes, from here?",
                "noisy-gd",
                "balanced",
                comes="down",
            ),
        ),
        trade_off(
            "noisy-gd",
            100,
            1,
            "An average hides who pays. That is why this page starts with the minority.",
            score="balanced",
        ),
        Step(
            "dp-means",
            {"ir": "50", "eps": "1", "look": "errors"},
            "Why? Scroll down to **A closer look**, which splits the error of each class. The noise"
            " on a class's sum is the same for all; divided by a small number of records it is"
            " large. Sampling and clipping hardly differ between the classes; noise does.",
        ),
    ),
)
