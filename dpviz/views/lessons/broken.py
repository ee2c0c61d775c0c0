"""How does a promise break?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Reason, Step, trade_off

BROKEN = Lesson(
    "broken",
    "How does a promise break?",
    "Quietly: everything works better than promised, and nobody sees it in the result.",
    (
        Step(
            "your-answer",
            {"honest": "50"},
            (
                "The maker of a survey prints: “own answers get through 50 times in 100”. Now"
                " suppose a fault in the program: in truth it is 80 times."
            ),
            Reason(
                "Who will notice?",
                (
                    "The people asked: their answers look less random.",
                    "Nobody, unless somebody measures it over many runs, or reads the program.",
                    "The researchers: their estimates get worse.",
                ),
                1,
                (
                    "A single recorded answer looks as before, and the estimates get better,"
                    " not worse. A broken promise is a pleasure for everybody but the one who"
                    " relied on it."
                ),
            ),
            at="own-answer",
        ),
        Step(
            "your-answer",
            {"honest": "80"},
            (
                "That is the survey in truth. Read the sentence: the share of the crowd is known"
                " to within 2 in 100 instead of 5, and somebody who sees your answer may be right"
                " 90 times in 100, where 75 was promised. Half"
                " the noise in any method is the same fault: every chart of accuracy looks"
                " better for it."
            ),
            at="answer",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1"},
            (
                "Can an attack tell? The dashed grey line is the mean of each digit, without any"
                " noise and without any promise; blue and red are private methods. All of them lie"
                " on the diagonal: there this attack only guesses."
            ),
            Reason(
                "On the grey line the attack fails though there is no noise. What does that prove?",
                (
                    (
                        "Little: another attack, or a rarer picture, may do better; the bound"
                        " alone speaks of all attacks."
                    ),
                    "That noise is not needed here: the pictures are hidden without it.",
                    "That the private methods keep their promise.",
                ),
                0,
                (
                    "The dotted red line shows it: another classifier without noise, and the one"
                    " picture in 20 on which the attack works best. A promise is"
                    " proved, with pencil and paper, and a program is checked against its"
                    " proof: run thousands of times on two data sets that differ by one"
                    " picture, it must not be told apart better than is promised."
                ),
            ),
            at="picture",
        ),
        trade_off(
            "dppl-auto,class-mean",
            50,
            1,
            (
                "Two quiet ways. A number read off the private data and used without noise, such"
                " as how many pictures each digit has: this method is told to take those as"
                " public, and its card says so. Left off the card, the promise would be broken."
                " Or the start number of the noise is told: whoever has it takes the noise away."
                " This project checks each method beside a twin with half its noise, which the"
                " check must catch (docs/measured/audits.md)."
            ),
            at="card-dppl-auto",
            **{"dppl-auto.counts": "public"},
        ),
    ),
    (
        "A broken promise is not seen in the accuracy: it gets better.",
        "An attack that fails proves little; a promise is proved, and its program is checked.",
        "What is taken as public is part of the promise: read it.",
    ),
)
