"""What do two releases cost?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step

COMPOSITION = Lesson(
    "composition",
    "What do two releases cost?",
    "Each keeps its promise, and together they tell more: what is promised adds up.",
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
                    "More: each makes a guess better, and they add up.",
                ),
                2,
                (
                    "A coin may well have said yes once. That it said so three times in a row"
                    " is far less likely. Each answer keeps its promise; what they tell"
                    " together is another matter."
                ),
            ),
            at="own-answer",
        ),
        Step(
            "your-answer",
            {"honest": "50", "times": "3"},
            (
                "The card “Asked again and again” counts: ε is added up, answer by answer, and"
                " with it grows how often somebody may be right about you."
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
                    " pictures, each with ε = 1 and noise of its own. How often can an"
                    " attacker who has them all be right, in 100 cases?"
                ),
                "releases",
                (1, 5, 20, 50, 100),
                curve="two-releases",
                gap=(
                    "It is not flat: a promise kept a hundred times is not the promise of one."
                    " Nor does it jump to 100: independent noise averages out only slowly,"
                    " with the root of their number. Releases that share one budget are"
                    " planned together for that reason."
                ),
            ),
            at="answer",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "2"},
            (
                "Two releases with ε = 1 each still promise ε = 2 together: no attack gets above"
                " the violet line. So a budget is spent, once and for all pictures that are"
                " looked at. Under “What this sitting has shown, in privacy”, below the controls,"
                " your own looking is added up."
            ),
            at="picture",
        ),
    ),
    (
        "Promises add up: two releases of the same pictures tell more than one.",
        "New noise does not renew the budget; it is what averages out.",
        "Whoever reads “ε = 1” should ask: for one release, or for all of them?",
    ),
)
