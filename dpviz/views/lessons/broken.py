"""How does a promise break?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Reason, Step, trade_off

BROKEN = Lesson(
    "broken",
    "How does a promise break?",
    "Quietly: the result looks as it would with the promise kept.",
    (
        Step(
            "your-answer",
            {"honest": "50"},
            (
                "The maker of a survey prints: “own answers get through 50 times in 100”. Now"
                " suppose a fault in the program: in truth it is 80 times."
            ),
            Reason(
                (
                    "Researchers unscramble the recorded answers with the printed 50. In truth 30"
                    " of 100 would say yes. Who is hurt?"
                ),
                (
                    "Those who were asked, and nobody else: the estimate gets better.",
                    "Both: those who were asked are promised too much, and the estimate is wrong.",
                    "The researchers alone: more answers are true, so nobody is betrayed.",
                ),
                1,
                (
                    "With 80, about 34 of 100 recorded answers are yes: 24 own ones and 10 by a"
                    " coin. Unscrambled with 50 that is (34 − 25) / 0.5 = 18 in 100, off by 12,"
                    " and a recorded 34 looks as likely as any other number. Only who is told the"
                    " true 80 finds (34 − 10) / 0.8 = 30. Those who were asked lose either way:"
                    " their recorded answers give away more than was printed."
                ),
            ),
            at="own-answer",
        ),
        Step(
            "your-answer",
            {"honest": "80"},
            (
                "That is the survey in truth, and this page unscrambles with the true 80: it gives"
                " or takes 2 in 100 instead of 5. With the printed 50 the estimate would lie 12"
                " too low. Somebody who sees your answer may be right 90 times in 100, where 75"
                " was promised. Half the noise in a method that learns is the same fault: as a"
                " rule it is right more often for it, and nothing in the result says why."
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
        "A broken promise need not be seen in the result: less noise may look like good work.",
        "An attack that fails proves little; a promise is proved, and its program is checked.",
        "What is taken as public is part of the promise: read it.",
    ),
)
