"""Why do minorities pay?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step, trade_off

MINORITIES = Lesson(
    "minorities",
    "Why do minorities pay?",
    "The same noise for every class weighs most where there are few pictures.",
    (
        trade_off(
            "noisy-gd",
            1,
            1,
            (
                "The private linear probe is the usual way to learn with a promise: a simple"
                " classifier, improved step by step, with noise in each step. Here all ten"
                " digits have equally many pictures. Three of them, the minority, are about to"
                " become rare."
            ),
            Drawing(
                (
                    "The commonest digit gets 5, 20, 50, 200 times as many pictures as the"
                    " rarest. That is the imbalance ratio, IR; ε stays. How many of 100"
                    " **rare** digits are recognised?"
                ),
                "ir",
                (1, 5, 20, 50, 200),
                "noisy-gd",
                gap=(
                    "The noise is not larger on the right: it is the same at every IR. But"
                    " what it is shared among gets ever fewer."
                ),
            ),
            at="answer",
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            (
                "The commonest digit has 50 times as many pictures as the rarest. The first"
                " chart tells how many there are of each digit, the second how many of 100 are"
                " recognised, with noise (▲) and without (□). There the rare digits are shaded."
            ),
            Reason(
                (
                    "Without noise the same classifier still recognises most of the rare"
                    " digits. Why are so few left with noise?"
                ),
                (
                    "The rare digits happen to be the ones that are hard to read.",
                    "Every class gets the same noise, and among few pictures it weighs more.",
                    "A promise hides rare pictures more, so they get more noise.",
                    "The classifier is told to look after the common digits.",
                ),
                1,
                (
                    "The noise knows nothing of the classes. It must hide one picture, whoever"
                    " sent it; 400 pictures drown it, a handful does not."
                ),
            ),
            at="trade-off-classes",
        ),
        Step(
            "dp-means",
            {"ir": "50", "eps": "1", "look": "errors"},
            (
                "Another method, DPPL-Mean, and the same bill: the number on a bar is how many of"
                " 100 test pictures of a digit are wrong, the bar takes them apart by cause; below"
                " 0 is what a cause happens to mend. Having fewer pictures (dotted) does next to"
                " nothing, since the mean of a few would do. What noise does (violet) is little on"
                " the left and nearly all on the right: it is as strong on each sum, and is shared"
                " by 400 pictures there and by a handful here."
            ),
            at="look",
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            (
                "The private linear probe again, but every digit counting alike: it looks far"
                " better. An average hides who pays, which is why these pages begin with the"
                " minority. Who builds such a thing has to choose which of the two numbers to"
                " show."
            ),
            at="answer",
            score="balanced",
        ),
    ),
    (
        "The same noise weighs most on those of whom there are few.",
        "An average can look well while a minority is hardly recognised.",
        "The promise itself is the same for rare and common pictures: only its price differs.",
    ),
)
