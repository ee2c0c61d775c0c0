"""Why does the encoder decide?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Reason, Step, trade_off

ENCODER = Lesson(
    "encoder",
    "Why does the encoder decide?",
    (
        "Noise hurts less where classes lie far apart, and that is the encoder's doing, free"
        " of cost."
    ),
    (
        trade_off(
            "dppl-mean,class-mean",
            1,
            0.5,
            (
                "An encoder is a network that turns a picture into numbers, called features;"
                " the private methods see nothing else. GlyphNet, here, makes 128 of them. It"
                " has learned to tell drawn characters apart, and has never seen these digits."
            ),
            Outcome(
                (
                    "Now another encoder for the same digits: ScatterNet, a fixed filter that"
                    " has learned nothing and makes 3,969 numbers. Without noise both are"
                    " right more than 90 times in 100. What happens to DPPL-Mean at the same ε?"
                ),
                "dppl-mean",
                "balanced",
                comes="lost",
            ),
            at="answer",
            data="uci-digits",
            enc="glyphnet",
            pub="held-aside",
            score="balanced",
        ),
        trade_off(
            "dppl-mean,class-mean",
            1,
            0.5,
            (
                "The same digits, the same promise, the same method; only the numbers that a"
                " picture is turned into are others. Compare with the dashed line, which has"
                " no noise: there the encoders hardly differ."
            ),
            Reason(
                "Why does the noise hurt ScatterNet's numbers so much more?",
                (
                    "They do not tell the digits apart in the first place.",
                    "Each number gets more noise, since there are more of them.",
                    (
                        "Its classes lie closer together, and noise on thirty times as many"
                        " numbers adds up."
                    ),
                    "It has not learned from the private pictures, as GlyphNet has.",
                ),
                2,
                (
                    "Without noise they tell the digits apart nearly as well, and each single"
                    " number gets the same noise. But there are many more, and the digits'"
                    " means lie closer together, so less noise suffices to mix them up."
                    " Neither encoder has seen a private picture."
                ),
            ),
            at="picture",
            data="uci-digits",
            enc="scatter",
            pub="held-aside",
            score="balanced",
        ),
        Step(
            "neural-collapse",
            {},
            (
                "Two kinds of features side by side: those of GlyphNet, and made-up ones that"
                " are nearly perfect. Left: how far pictures lie from the mean of their class."
                " Middle: how the means of two classes lie to each other. Right: how often the"
                " private linear probe is right, with noise (▲) and without (○). Where each"
                " class has shrunk to a point and the points stand far apart, privacy costs"
                " next to nothing."
            ),
            at="picture",
        ),
    ),
    (
        (
            "Private methods work on an encoder's numbers, and the encoder costs no privacy if"
            " it never saw private pictures."
        ),
        "What two encoders are worth without noise does not say what they are worth with it.",
        "Classes far apart in few numbers are what makes privacy cheap.",
    ),
)
