"""What does clipping do?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Reason, trade_off

CLIPPING = Lesson(
    "clipping",
    "What does clipping do?",
    "It bounds what one picture can change, and noise is scaled to that bound.",
    (
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            (
                "The private linear probe learns step by step: in each step every picture"
                " pulls the classifier its own way, and the pulls are added up. To hide any"
                " one picture, its pull is cut to a length of at most 0.3 (that is clipping),"
                " and noise in proportion to 0.3 is added."
            ),
            Outcome(
                "Clip harder, to 0.03: ten times less noise. What happens to the minority?",
                "noisy-gd",
                comes="lost",
            ),
            at="picture",
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Ten times less noise, and the rare digits are worse off.",
            Reason(
                "Why?",
                (
                    (
                        "Nearly every pull is cut to the same short length, and the few can no"
                        " longer pull against the many."
                    ),
                    "Less noise is less privacy, so the method has to stop earlier.",
                    "Pulls that are too long are thrown away, and the rare digits with them.",
                ),
                0,
                (
                    "The promise is the same at every bound: the noise is fitted to it."
                    " Nothing is thrown away either. But a picture that is badly wrong may"
                    " pull no harder than one that is nearly right, and there are many more of"
                    " those."
                ),
            ),
            at="picture",
            **{"noisy-gd.clip": "0.03"},
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            (
                "The proof: the bound is 1.5, the noise fifty times as large as a moment ago,"
                " and the rare digits are better off, since their pulls count again."
            ),
            Outcome(
                (
                    "And back to 0.3, five times less noise than here. What happens to the"
                    " **balanced** accuracy, the mean over all digits?"
                ),
                "noisy-gd",
                "balanced",
                comes="up",
            ),
            at="picture",
            **{"noisy-gd.clip": "1.5"},
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            (
                "A good bound lies between: not so short that all pull alike, not so long that"
                " the noise drowns them. Finding it by trying on private pictures costs"
                " privacy too; a later lesson is about that."
            ),
            at="answer",
            score="balanced",
        ),
    ),
    (
        "Clipping bounds what one picture can do, so that noise can hide it.",
        "A tighter bound needs less noise and is no stronger promise.",
        "Clipping is not neutral: cut short, the few cannot pull against the many.",
    ),
)
