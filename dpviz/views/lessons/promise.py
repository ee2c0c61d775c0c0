"""What is a promise?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step

PROMISE = Lesson(
    "promise",
    "What is a promise?",
    "You answer, a coin answers with you, and nobody can be sure whose answer it was.",
    (
        Step(
            "your-answer",
            {"honest": "50"},
            (
                "Somebody asks what you would rather not say aloud. Answer the question in the"
                " box a few times. In your browser a coin falls: in half of the cases your own"
                " answer is recorded, in the other half a second coin says yes or no for you."
                " Only what is recorded would leave your device."
            ),
            Reason(
                (
                    "One “yes” of yours has been recorded. What can somebody say who sees that"
                    " and knows the rules?"
                ),
                (
                    "That your own answer is yes: it is what was recorded.",
                    "That yes is likelier than no, but it may be the coin's.",
                    "Nothing at all: a coin has made it random.",
                ),
                1,
                (
                    "In half of the cases the recorded answer is your own, and in half of the"
                    " others the coin happens to say the same: it is your own answer 75 times"
                    " in 100. Whoever sees it may guess better than before, and you can still"
                    " deny it."
                ),
            ),
            at="own-answer",
        ),
        Step(
            "your-answer",
            {"honest": "50"},
            (
                "The page's sentence says it in numbers: 75 times in 100, where a blind"
                " guess is right 50 times. No guess gets any better than these 75, and that is the"
                " **promise**: the less a guess may improve, the stronger it is. **ε** (epsilon)"
                " measures what may be given away, so a small ε is a strong promise. This coin has"
                " ε = 1.1; near ε = 0 the coin answers nearly always."
            ),
            Drawing(
                "How often is what is recorded the truth, in 100 cases, as ε grows?",
                "eps",
                (0.1, 0.3, 1, 2, 3, 5),
                curve="randomised-response",
                gap=(
                    "It begins at 50 and not at 0, since a coin alone is right half of the"
                    " time; and it bends, since nothing is right more than 100 times in 100."
                    " Around ε = 1 a good deal can be denied, at ε = 5 hardly anything: there the"
                    " promise is weak."
                ),
            ),
            at="answer",
        ),
        Step(
            "your-answer",
            {"honest": "20"},
            (
                "Here the coin lets only 20 of 100 own answers through. Each answer alone says"
                " little. The chart shows a made-up crowd of 1,000 in which 30 of 100 would"
                " say yes: the dashed line is what was recorded, the violet one what is worked"
                " out from it."
            ),
            Reason(
                (
                    "Most of these answers are a coin's. How can the share of the whole crowd"
                    " be told nevertheless?"
                ),
                (
                    (
                        "It is known how often a coin says yes; take that away, and the rest"
                        " comes from the people."
                    ),
                    "It cannot: what is random stays random, however many there are.",
                    "The devices also send the true answers, to be compared in secret.",
                ),
                0,
                (
                    "Nobody knows which answers are a coin's, but everybody knows how many are"
                    " to be expected, and that half of them say yes. What is left over belongs"
                    " to the crowd. The device sends nothing else."
                ),
            ),
            at="picture",
        ),
        Step(
            "your-answer",
            {"honest": "20", "people": "100000"},
            (
                "The same coin, but 100,000 people: the band, in which 95 of 100 such"
                " estimates lie, has become thin. The promise to each of them is the same as"
                " before. This is what **differential privacy** is about: what is true of many"
                " can be learned, what is true of you can be denied."
            ),
            at="picture",
        ),
    ),
    (
        (
            "A promise limits how much better anybody's guess about you may become; it does not"
            " say that nothing can be learned."
        ),
        "ε measures what may be given away: a small ε is a strong promise, a large ε a weak one.",
        "Noise that hides one person averages out over many.",
    ),
)
