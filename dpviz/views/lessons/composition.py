"""What do two releases cost?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step

COMPOSITION = Lesson(
    "composition",
    "What do two releases cost?",
    "Each keeps its promise, and together they may tell more: what can be lost adds up.",
    (
        Step(
            "your-answer",
            {"honest": "50", "times": "1"},
            (
                "Once more the question with the coin. Answer it ten times with the same"
                " answer, and read the last line of the box: how many times yes was recorded,"
                " and how many times no."
            ),
            Reason(
                (
                    "You are asked the same question three times, each time with a new coin."
                    " What do three recorded answers tell together?"
                ),
                (
                    "No more than one: each of them can be denied.",
                    "Less than one: the coins cancel each other out.",
                    "More: three together allow a better guess than one.",
                ),
                2,
                (
                    "Who goes by the majority of three is right 84 times in 100, by one answer 75"
                    " times. A coin may well have said yes once; that it said so three times in a"
                    " row is far less likely. Each answer keeps its promise; what they tell"
                    " together is another matter."
                ),
            ),
            at="own-answer",
        ),
        Step(
            "your-answer",
            {"honest": "50", "times": "3"},
            (
                "The card “Asked again and again” counts: ε, the most that can be lost, is added"
                " up answer by answer. How often the best onlooker is right grows more slowly, and"
                " not with every answer: two allow no better guess than one, since where they"
                " disagree they tell nothing."
            ),
            at="again",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1"},
            (
                "The same holds for classifiers that learned from pictures. This page shows"
                " what one release with ε = 1 allows an attacker, who holds a record's being"
                " there for as likely as not."
            ),
            Drawing(
                (
                    "A firm publishes 1, 5, 20, 50, 100 such classifiers from the same"
                    " pictures, each with Gaussian noise of its own, enough for ε = 1 (δ = 1e-5)."
                    " How often can the best attacker who has them all be right, at the worst,"
                    " in 100 cases?"
                ),
                "releases",
                (1, 5, 20, 50, 100),
                curve="two-releases",
                gap=(
                    "It is not flat: a promise kept a hundred times is not the promise of one."
                    " Nor does it jump to 100: independent noise averages out only slowly,"
                    " with the root of their number. The curve is the exact limit for this noise;"
                    " adding up ε alone, which holds for any noise, would allow more than 99 at"
                    " five releases already."
                ),
            ),
            at="answer",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "2"},
            (
                "By two releases with ε = 1 each, at most ε = 2 is lost, and twice the δ: what each"
                " may lose adds up. The violet line is the limit for one release with ε = 2; two"
                " with ε = 1 and Gaussian noise stay below it. So a budget is spent, once and for"
                " all pictures that are"
                " looked at. “Privacy spent in this session”, below the controls, adds up the"
                " runs that you have seen."
            ),
            at="picture",
        ),
    ),
    (
        "What may be lost adds up, ε and δ: two releases with ε = 1 lose ε = 2 at most.",
        "New noise does not renew the budget; it is what averages out.",
        "Whoever reads “ε = 1” should ask: for one release, or for all of them?",
    ),
)
