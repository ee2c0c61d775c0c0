"""Questions on several releases, persons, prior beliefs, votes, tuning and broken promises."""

from __future__ import annotations

from dpviz.views.questions.model import Choice, Question

_UNIT = "A smaller ε is a stronger promise. "

LAST = (
    Question(
        "composition",
        "several releases add up",
        False,
        Choice(
            f"{_UNIT}An office publishes three tables, each with noise of its own: on Monday one of"
            " your town with ε = 1, on Tuesday another of the same people with ε = 2, on Wednesday"
            " one of the next town, where you are not, with ε = 4. What do the three together"
            " promise you, at the worst?",
            (
                "ε = 2.2",
                "ε = 3",
                "ε = 5",
                "ε = 7",
            ),
            1,
            "What two releases tell of you adds up, at the worst to the sum of both: 1 + 2. New"
            " noise each time does not change that. The third tells of others.",
        ),
        Choice(
            f"{_UNIT}A hospital answers four questions, each with noise of its own: three about the"
            " patients of your ward, with ε = 0.5, 0.5 and 1, and one about another ward, where you"
            " are not, with ε = 3. What do the four together promise you, at the worst?",
            (
                "ε = 1.2",
                "ε = 1.5",
                "ε = 2",
                "ε = 5",
            ),
            2,
            "Each answer about your ward tells a little of you, and the little adds up, at the"
            " worst to 0.5 + 0.5 + 1. The fourth tells of others.",
        ),
    ),
    Question(
        "person",
        "a person with many records",
        False,
        Choice(
            f"{_UNIT}A photo service promises ε = 0.3 to each **picture**, a gallery ε = 2 to each"
            " **person**. Both have the same nine pictures of yours. What does each promise, at the"
            " worst, to you with all nine?",
            (
                "Service: ε = 0.3; gallery: ε = 2",
                "Service: ε = 2.7; gallery: ε = 2",
                "Service: ε = 0.3; gallery: ε = 18",
                "Service: ε = 2.7; gallery: ε = 18",
            ),
            1,
            "For the service, taking you out takes nine pictures out, one after the other: nine"
            " times 0.3 at the worst. The gallery's promise is to the person already, however many"
            " pictures there are.",
        ),
        Choice(
            f"{_UNIT}A hospital promises ε = 0.6 to each **visit**, a pharmacy ε = 1.5 to each"
            " **customer**. You went to each of them four times. What does each promise, at the"
            " worst, to you with all four?",
            (
                "Hospital: ε = 2.4; pharmacy: ε = 1.5",
                "Hospital: ε = 2.4; pharmacy: ε = 6",
                "Hospital: ε = 0.6; pharmacy: ε = 6",
                "Hospital: ε = 0.6; pharmacy: ε = 1.5",
            ),
            0,
            "At the hospital four visits can change the result four times as far as one: 4 times"
            " 0.6 at the worst. The pharmacy's promise is to the customer already, however often"
            " you came.",
        ),
    ),
    Question(
        "sure",
        "how far a belief may move",
        False,
        Choice(
            "From gossip your neighbour is 75 in 100 sure that you are in a study. The study"
            " appears, with ε = 1. How sure can it make your neighbour, at most?",
            (
                "89 in 100",
                "92 in 100",
                "95 in 100",
                "98 in 100",
            ),
            0,
            "At ε = 1 the odds can grow 2.7-fold: from 3 to 1 to 8.2 to 1, which is 89 in 100. A"
            " promise limits how far a belief **moves**, not where it stands: what gossip told was"
            " never the study's to hide.",
        ),
        Choice(
            "A colleague holds it for 60 in 100 likely that your wage is in a survey. The survey"
            " is published, with ε = 1. How sure can it make the colleague, at most?",
            (
                "70 in 100",
                "80 in 100",
                "85 in 100",
                "90 in 100",
            ),
            1,
            "At ε = 1 the odds can grow 2.7-fold: from 3 to 2 to 8.2 to 2, which is 80 in 100. A"
            " promise limits how far a belief **moves**, not where it stands.",
        ),
    ),
    Question(
        "teachers",
        "votes that agree",
        True,
        Choice(
            "Each of some models has learned from patients of its own. They vote which of two"
            " illnesses a new picture shows; noise of about ten votes, up or down, is added to both"
            " counts, and the winner alone is told. In which of these votes would the winner be"
            " least likely to change if one patient were left out?",
            (
                "100 models: 70 votes to 30",
                "100 models: 52 votes to 48",
                "10 models: 10 votes to 0",
                "10 models: 7 votes to 3",
            ),
            0,
            "One patient can change one model's vote, whatever the number of models. A lead of 40"
            " votes hides one vote, noise included; a lead of 10 may be undone by noise alone, so"
            " there one vote weighs more, though all agreed. Many who agree give away least.",
        ),
        Choice(
            "Some schools each trained a model on essays of their own pupils. The models vote"
            " whether a new essay passes; noise of about ten votes, up or down, is added to both"
            " counts, and the winner alone is told. In which of these votes would the winner be"
            " least likely to change if one pupil were left out?",
            (
                "20 schools: 12 votes to 8",
                "20 schools: 20 votes to 0",
                "200 schools: 104 votes to 96",
                "200 schools: 120 votes to 80",
            ),
            3,
            "One pupil can change one school's vote, whatever the number of schools. Noise seldom"
            " undoes a lead of 40 votes, so one vote more or less hardly matters; a lead of 20 it"
            " undoes far more often, though all agreed. Many who agree give away least.",
        ),
    ),
    Question(
        "tuning",
        "trying out is not free",
        True,
        Choice(
            "Team Ash trained with 40 settings on its private records, each time with ε = 1, and"
            " published the model that did best on them. Team Birch tried 40 settings on public"
            " records, trained once on its private ones with the setting that did best, with ε = 1,"
            " and published that model. Both cards say “ε = 1”. Which card is right?",
            (
                "Both cards",
                "Birch's card alone",
                "Ash's card alone",
                "Neither card",
            ),
            1,
            "Which of Ash's models is best depends on the private records, and so does what is"
            " published: that choice has a price, which the card leaves out. Birch chose by records"
            " that need no protection.",
        ),
        Choice(
            "Two researchers analyse private answers. Cole tried three analyses on made-up answers,"
            " and ran the one that worked best once on the private ones, with ε = 1. Dunn ran one"
            " analysis three times on the private answers, each time with new noise and ε = 1, and"
            " published the result nearest to earlier surveys. Both reports say “ε = 1”. Which"
            " report is right?",
            (
                "Cole's report alone",
                "Dunn's report alone",
                "Both reports",
                "Neither report",
            ),
            0,
            "Dunn chose among three looks at the private answers, and who chooses by looking pays"
            " for what was looked at, shown or not. Cole's choice had seen none of them.",
        ),
    ),
    Question(
        "broken",
        "what breaks a promise",
        True,
        Choice(
            "A firm publishes the mean of its private wages as “differentially private, ε = 1”."
            " Wages above a limit were cut to it, and the limit is printed with the mean. Which of"
            " these breaks the promise?",
            (
                "The limit is the top of the firm's public pay scale",
                "The program and its amount of noise are open to all",
                "The limit is the highest wage in the firm's records",
                "The noise on the mean was next to zero, by chance",
            ),
            2,
            "A limit read off the records tells somebody's wage, without any noise. A limit that"
            " was public beforehand tells nobody's. That the program is known, and that noise may"
            " come out small, has been reckoned with.",
        ),
        Choice(
            "A city publishes counts of its people as “differentially private, ε = 1”. A computer"
            " drew the noise from a seed, the number that its random draws begin with. Which of"
            " these breaks the promise?",
            (
                "A newspaper lays the counts beside a list of voters",
                "The amount of noise is printed below the counts",
                "Counts that came out below zero are set to zero",
                "The seed of the noise is printed below the counts",
            ),
            3,
            "Who has the seed draws the same noise again and takes it off. The amount of noise may"
            " be known, and what others have, or what is made of the published counts, does not"
            " weaken the promise.",
        ),
    ),
)
