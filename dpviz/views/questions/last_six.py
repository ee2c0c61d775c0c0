"""Questions on several releases, persons, prior beliefs, votes, tuning and broken promises."""

from __future__ import annotations

from dpviz.views.questions.model import Choice, Question

_UNIT = "A stronger promise has a smaller ε. "

LAST = (
    Question(
        "composition",
        "several releases add up",
        False,
        Choice(
            f"{_UNIT}On Monday an office publishes a table of your town with ε = 1, on Tuesday"
            " another table of the same people with ε = 1, each with noise of its own. What is"
            " promised, at the worst, to someone who is in both?",
            (
                "ε = 1",
                "ε = 2",
                "ε = 0.5",
                "Nothing at all",
            ),
            1,
            "What two releases tell adds up, at the worst to the sum of both. It is more than"
            " either, and never nothing.",
        ),
        Choice(
            f"{_UNIT}A hospital answers three questions about the same patients, with ε = 0.5, 0.5"
            " and 1, each with noise of its own. What is promised, at the worst, for the three"
            " answers together?",
            (
                "ε = 0.67",
                "ε = 1",
                "Nothing at all",
                "ε = 2",
            ),
            3,
            "Each answer tells a little, and the little adds up: 0.5 + 0.5 + 1.",
        ),
    ),
    Question(
        "person",
        "a person with many records",
        False,
        Choice(
            f"{_UNIT}A photo service promises ε = 0.3 to each **picture**. Nine of the pictures are"
            " yours. What does that promise, at the worst, to you with all nine?",
            (
                "ε = 0.03",
                "ε = 0.3",
                "ε = 2.7",
                "Nothing at all",
            ),
            2,
            "Taking you out takes nine pictures out, one after the other: nine times 0.3 at the"
            " worst. A promise to each person would be another one.",
        ),
        Choice(
            f"{_UNIT}A hospital promises ε = 0.6 to each **visit**. You came four times. What does"
            " that promise, at the worst, to you with all four visits?",
            (
                "ε = 2.4",
                "ε = 0.6",
                "ε = 0.15",
                "Nothing at all",
            ),
            0,
            "Four visits can change the result four times as far as one: 4 times 0.6 at the worst.",
        ),
    ),
    Question(
        "sure",
        "someone who is nearly sure already",
        False,
        Choice(
            "From gossip your neighbour is 90 in 100 sure that you are in a study. The study"
            " appears with ε = 1 (someone undecided, at 50 in 100, could move to 74 at most). How"
            " sure can it make your neighbour, at most?",
            (
                "74 in 100",
                "90 in 100",
                "96 in 100",
                "100 in 100",
            ),
            2,
            "A promise limits how far a belief **moves**, not where it stands: the odds 90 to 10"
            " can grow by a factor of e, to 245 to 10. What gossip told was never the study's to"
            " hide.",
        ),
        Choice(
            "A colleague holds it for 80 in 100 likely that your wage is in a published survey. The"
            " survey has ε = 0.5 (someone undecided, at 50 in 100, could move to 63 at most). How"
            " sure can it make the colleague, at most?",
            (
                "87 in 100",
                "80 in 100",
                "63 in 100",
                "100 in 100",
            ),
            0,
            "The odds 80 to 20 can grow by a factor of 1.65, to 132 to 20, which is 87 in 100. A"
            " promise limits how far a belief moves, not where it stands.",
        ),
    ),
    Question(
        "teachers",
        "votes that agree",
        True,
        Choice(
            "Each of 100 models has learned from patients of its own. They vote on what a new"
            " picture shows; noise is added to the counts, and the winner alone is told. For which"
            " picture does the answer depend most on one single patient?",
            (
                "One on which nearly all models agree: that answer is the clearest",
                "All pictures alike: one patient is one patient",
                "None: no model has seen all patients",
                "One on which two answers are nearly level",
            ),
            3,
            "One patient can change one model's vote. Where 95 agree, one vote hardly ever changes"
            " the answer, noise included; where it is 48 to 47, it may decide.",
        ),
        Choice(
            "Twenty schools each trained a model on essays of their own pupils. The models vote"
            " whether a new essay passes; the counts get noise, and the winner is told. By the"
            " votes themselves (a limit set beforehand is the same for each), which answer tells"
            " least about any one pupil?",
            (
                "10 to 10: a tie says nothing about anybody",
                "19 to 1",
                "11 to 9: opinions are mixed, so nobody stands out",
                "All alike: the number of models is the same",
            ),
            1,
            "No one pupil's school is likely to have turned 19 to 1, noise included; near a tie"
            " each might have. An account that looks at the votes charges less for agreement, and"
            " is itself private; one that does not charges each answer alike.",
        ),
    ),
    Question(
        "tuning",
        "trying out is not free",
        True,
        Choice(
            "A team tries 40 settings of a method on the same private records, each with ε = 1,"
            " looks at all 40 scores and publishes the best model with “ε = 1” on its card. What is"
            " true of the card?",
            (
                "It is right: one model was published",
                "It promises too little: divided among 40 the true ε is smaller",
                "It promises too much: choosing among 40 read the records as well",
                "The ε is right; only the accuracy is told too well",
            ),
            2,
            "Which of 40 is best depends on the records, and so does what is published. That choice"
            " has a price, and a card that leaves it out promises more than holds.",
        ),
        Choice(
            "A researcher runs one analysis of private answers again and again, each time with new"
            " noise and ε = 1, until the result looks sensible, and publishes the last one. What is"
            " true?",
            (
                "More than ε = 1 is spent: stopping where it looks good tells about the answers",
                "ε = 1 holds: the other results were thrown away",
                "ε = 1 holds: the noise was new each time",
                "Less than ε = 1 is spent: more noise was drawn in all",
            ),
            0,
            "The published result was chosen, by somebody who had seen the others. Who chooses by"
            " looking at noisy results pays for what was looked at.",
        ),
    ),
    Question(
        "broken",
        "what breaks a promise",
        True,
        Choice(
            "A firm's report says “differentially private, ε = 1”. Which of these breaks the"
            " promise?",
            (
                "The limit on wages, printed beside the result, is the largest wage in the data",
                "An attacker knows every other person's record",
                "Everyone may read the program and how much noise it adds",
                "The noise in the published result was small this time, by chance",
            ),
            0,
            "A limit read off the data tells somebody's wage, without any noise. Knowledge of the"
            " others, of the program and of the amount of noise is allowed: the promise holds"
            " against all three.",
        ),
        Choice(
            "A city publishes counts with “differentially private, ε = 1”. Which of these breaks"
            " the promise?",
            (
                "A newspaper compares the counts with a public list of voters",
                "The method stands in a journal, the amount of noise with it",
                "Some counts came out below zero",
                "The start number from which the noise was drawn is printed as well",
            ),
            3,
            "Who knows where the noise began draws the same noise again and takes it off. Other"
            " lists, a known method and odd-looking counts do not weaken the promise.",
        ),
    ),
)
