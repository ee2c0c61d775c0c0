"""What can teachers say without telling?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Reason, Step

TEACHERS = Lesson(
    "teachers",
    "How can teachers vote without telling?",
    "Many teachers, each with pictures of its own, answer together; noise hides any one of them.",
    (
        Step(
            "teachers-vote",
            {},
            (
                "Another way to learn: the private pictures are dealt out to 100 teachers, and"
                " none sees those of another. Shown a public picture, each teacher votes for a"
                " digit; noise is added to the counts, and the winner is the answer."
            ),
            Reason(
                (
                    "Your picture is with one of the 100 teachers. How far can it change the"
                    " votes on a question?"
                ),
                (
                    "Not at all: only public pictures are voted on.",
                    "By as many votes as there are pictures like it.",
                    "By one vote, since only one teacher has ever seen it.",
                    "Entirely, if it is a picture that all teachers learn from.",
                ),
                2,
                (
                    "Whatever a picture taught its teacher, that teacher has one vote. So"
                    " noise that hides one vote hides the picture, and, if all of a person's"
                    " pictures are with one teacher, the person."
                ),
            ),
            at="answer",
        ),
        Step(
            "teachers-vote",
            {"look": "query"},
            (
                "One question: the votes of the teachers, and what the noise makes of them."
                " Where nearly all agree, the answer would be the same without your teacher, and"
                " tells next to nothing of your picture; where they are split, chance decides, and"
                " the teachers may refuse to answer."
            ),
            Reason(
                (
                    "Now 10 teachers instead of 100, each with ten times as many pictures, and"
                    " noise of the same share of the votes. What happens to the promise?"
                ),
                (
                    "It stays: the noise is as large a share of the votes as before.",
                    (
                        "It gets much weaker: one vote of ten weighs more, and there is less"
                        " noise to hide it."
                    ),
                    "It gets stronger: better teachers agree more.",
                ),
                1,
                (
                    "What has to be hidden is one vote, whatever the number of teachers. A"
                    " fifth of 100 votes are 20 votes of noise, a fifth of ten are two."
                ),
            ),
            at="look",
        ),
        Step(
            "teachers-vote",
            {"M": "10"},
            (
                "Ten teachers. Read the sentence: each of them is right more often, and what"
                " all answers together give away has grown beyond anything that deserves the"
                " name of a promise."
            ),
            at="answer",
        ),
        Step(
            "teachers-vote",
            {"look": "classes"},
            (
                "A hundred teachers again. Who is heard? Rare digits are spread thinly: many a"
                " teacher has hardly seen one, so they do not agree, and questions about them"
                " go unanswered or wrong."
            ),
            at="look",
        ),
    ),
    (
        (
            "Where each picture reaches one teacher alone, noise that hides one vote hides the"
            " picture."
        ),
        "More teachers hide a vote better, and know less each.",
        (
            "Those of whom there are few lose here, too: teachers who have hardly seen them do"
            " not agree."
        ),
    ),
)
