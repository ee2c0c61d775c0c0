"""What if somebody is nearly sure already?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step

SURE = Lesson(
    "sure",
    "What if somebody is already 90 % sure?",
    "A promise bounds how far a belief may move, not where it ends.",
    (
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1", "prior": "50"},
            (
                "So far the attacker began with nothing: a picture was as likely there as not."
                " But people know things. And the 56 in 100 of the sentence is a mean over all"
                " releases: after one that happens to tell much, a belief may move further. The"
                " promise bounds that, too, in all but a few."
            ),
            Drawing(
                (
                    "Another attacker begins with a belief of 1, 10, 50, 90 or 99 in 100 that"
                    " your picture was used. How sure can each be at most after a release with"
                    " ε = 1 alone (δ = 0)?"
                ),
                "prior",
                (1, 10, 50, 90, 99),
                curve="posterior",
                gap=(
                    "The promise is about the **odds**: they may be multiplied by 2.7 at most."
                    " From 50 that is a long way, near 0 and 100 a short one. It never brings"
                    " a belief down: who was 90 % sure may stay so."
                ),
            ),
            at="answer",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1", "prior": "90"},
            (
                "Here the attacker begins at 90 in 100. The card tells how far the belief may move,"
                " and in how few cases it moves further."
            ),
            Reason(
                (
                    "After the release somebody is more than 90 % sure that your picture was"
                    " used. Was the promise broken?"
                ),
                (
                    (
                        "No: most of it was known before; the release moved the odds no"
                        " further than it may."
                    ),
                    "Yes: nobody should be that sure of anything about you.",
                    "No: under such a promise nobody can ever be sure of anything.",
                    "Yes: at ε = 1 nobody can be right more than 73 times in 100.",
                ),
                0,
                (
                    "73 in 100 is where somebody may end who began at 50. A promise cannot"
                    " take back what was known beforehand; it says that it hardly mattered"
                    " whether you took part."
                ),
            ),
            at="attack-odds",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "0.1", "prior": "90"},
            (
                "The proof: ε = 0.1, hardly anything is given away, and the attacker still"
                " holds 90 in 100: without any release it would be so. The card shows how"
                " little of it is the release's doing."
            ),
            at="attack-odds",
        ),
    ),
    (
        "A promise bounds how much a belief moves; what was known before stays known.",
        "The odds are multiplied by e^ε at most: 2.7 for ε = 1. With δ beside it, seldom by more.",
        (
            "What is true of everybody, such as that smoking harms, can be learned about you"
            " without you."
        ),
    ),
)
