"""Why does the encoder decide?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Step, trade_off

ENCODER = Lesson(
    "encoder",
    "Why does the encoder decide?",
    "Noise hurts less where classes lie far apart, and that is the encoder's doing, free of privacy"
    " cost.",
    (
        trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "An encoder is a network that turns a picture into numbers, here 128, called features;"
            " the private methods see nothing else. This one has learned to tell drawn characters"
            " apart and has never seen these digits, yet its features are so good that one average"
            " a class is enough, and privacy is cheap.",
            Outcome(
                "Take pooling: averaging 16 neighbouring features into one makes the noise smaller"
                " and the features coarser. What happens to DPPL-Mean's minority?",
                "dppl-mean",
                comes="lost",
            ),
        ),
        trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "Fewer numbers need less noise in all, but what pooling averages away is what told the"
            " classes apart. No budget brings back what the features do not hold. Look at the"
            " ceiling: it keeps the unpooled features.",
            **{"dppl-mean.k_pool": "16"},
        ),
        Step(
            "neural-collapse",
            {},
            "Here two kinds of features stand side by side: this encoder's, and made-up ones that"
            " are nearly perfect. Left: how far pictures lie from the mean of their class. Middle:"
            " how the means of two classes lie to each other. Right: how often the private linear"
            " probe is right, with privacy (▲) and without (○). Where each class has shrunk to a"
            " point and the points stand far apart, features have *collapsed* (NC1 in the sentence"
            " is then near 0), and privacy costs next to nothing.",
        ),
    ),
)
