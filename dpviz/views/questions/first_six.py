"""Questions on the promise, epsilon, minorities, the encoder, clipping and public pictures."""

from __future__ import annotations

from dpviz.views.questions.model import Choice, Drawn, Question

_YES = "yes among 100 answers"
_RIGHT = "right guesses of 100, at most"
_GUESS = (
    " A coin that you cannot see decides whether your record goes in. Somebody sees the table,"
    " knows everything about everybody else, and guesses how the coin fell. **Draw how often in 100"
    " such tries the best guesser can be right, at each ε.** (ε is the number that says how strong"
    " the promise is: the smaller, the stronger. 50 in 100 is blind guessing.)"
)
_EARLY = (
    "From a coin's 50 in 100 the best guesser gets to 100 · e^ε / (1 + e^ε). Most of the protection"
    " is spent by ε = 3; beyond that hardly anything is left to lose."
)

FIRST = (
    Question(
        "promise",
        "your own answer, made random",
        True,
        Drawn(
            "A school asks: “Have you ever cheated in a test?” Each pupil first tosses a coin that"
            " nobody else sees. Heads: answer truthfully. Tails: toss again, and say yes for heads,"
            " no for tails. **Draw how many of 100 answers will be yes**, for each number of pupils"
            " in 100 who have in truth cheated.",
            "pupils in 100 who cheated",
            ("0", "25", "50", "75", "100"),
            _YES,
            (25, 37.5, 50, 62.5, 75),
            "Half of the answers come from the second coin, whatever the truth is: 25 yes and 25 no"
            " of 100. So one yes says little about the pupil, while the share in the class can be"
            " worked back.",
        ),
        Drawn(
            "A clinic asks: “Did you take your medicine every day?” Each patient first throws a die"
            " that nobody else sees. 1 to 4: answer truthfully. 5: say yes. 6: say no. **Draw how"
            " many of 100 answers will be yes**, for each number of patients in 100 who did in"
            " truth.",
            "patients in 100 who did",
            ("0", "25", "50", "75", "100"),
            _YES,
            (100 / 6, 100 / 3, 50, 200 / 3, 500 / 6),
            "A third of the answers come from the die, whatever the truth is: 17 yes and 17 no of"
            " 100. So one yes says little about the patient, while the share can be worked back.",
        ),
    ),
    Question(
        "epsilon",
        "what ε allows a guesser",
        False,
        Drawn(
            f"A hospital publishes a table with differential privacy.{_GUESS}",
            "ε",
            ("0.1", "1", "3", "5", "10"),
            _RIGHT,
            (52.5, 73.1, 95.3, 99.3, 100),
            _EARLY,
        ),
        Drawn(
            f"A music service publishes a table with differential privacy.{_GUESS}",
            "ε",
            ("0.2", "1.5", "3", "6", "12"),
            _RIGHT,
            (55, 81.8, 95.3, 99.8, 100),
            _EARLY,
        ),
    ),
    Question(
        "minorities",
        "who pays for noise",
        True,
        Choice(
            "A hospital's model recognises two illnesses from averages of patients' pictures:"
            " 10,000 patients have the common one, 100 the rare one. Without noise both are"
            " recognised 95 times in 100. For privacy, noise of the same strength is added to the"
            " sum of each group. What happens?",
            (
                "Both lose equally",
                "The common illness loses more",
                "The rare illness loses more",
                "The rare illness loses nothing",
            ),
            2,
            "Divided by 100 patients, the same noise weighs a hundred times as much as divided by"
            " 10,000. Nobody is protected less; the few pay in accuracy.",
        ),
        Choice(
            "A survey counts how many people in each place want a new school. A random number, most"
            " often between −20 and 20, is added to each count before it is published. The city has"
            " 200,000 people, the village 80. About which share of yes can you say more?",
            (
                "The city's",
                "The village's",
                "Both alike",
                "Neither",
            ),
            0,
            "20 of 200,000 is nothing, 20 of 80 is a quarter. The same noise weighs most where"
            " there are few.",
        ),
    ),
    Question(
        "encoder",
        "features that stand far apart",
        True,
        Choice(
            "Two teams train on the same private X-rays with the same method at the same ε. Each"
            " first turns an X-ray into numbers, by a network that was trained on public pictures"
            " and stays as it is. Team 1's network puts ill and healthy far apart, team 2's close"
            " together. What is true?",
            (
                "Team 1 is hurt less by the noise, but its better network used up part of ε",
                "Both are hurt alike: the same ε is the same loss",
                "Team 2 is hurt less: records close together hide each other",
                "Team 1 is hurt less, and both promises are equally strong",
            ),
            3,
            "Noise of the same size hardly confuses what lies far apart. A network that learned"
            " from public pictures alone has read no patient, so it costs no privacy.",
        ),
        Choice(
            "A bank sorts clients' letters into kinds of complaint, with differential privacy. It"
            " exchanges the network that turns letters into numbers for another, trained on public"
            " books as well, in which each kind forms a tight heap far from the others. Method and"
            " ε stay. What changes?",
            (
                "Nothing: the noise alone decides how often it is right",
                "It is right more often, at the same promise",
                "It is right more often, at a weaker promise: it now sees more of the clients",
                "It is right as often, at a stronger promise: clients are better separated",
            ),
            1,
            "The noise is as before, but heaps far apart are not confused by it. The network read"
            " no client's letter while it learned, so the promise is as before too.",
        ),
    ),
    Question(
        "clipping",
        "what a limit does",
        True,
        Choice(
            "An app publishes the mean of how many minutes its users walk a day. So that no one"
            " person can move it far, whatever lies above a limit is cut to the limit, and noise in"
            " proportion to the limit is added. Most walk 30 to 60 minutes, a few up to 300. The"
            " limit is lowered from 300 to 10. What happens?",
            (
                "Less noise, so the mean comes closer to the truth",
                "Less noise, but nearly everybody is cut and the mean is far too low",
                "More noise, since more values are changed",
                "Only those who walk more than 300 minutes notice it",
            ),
            1,
            "The noise falls with the limit, but a limit below nearly every value cuts what was to"
            " be measured. A good limit lies between.",
        ),
        Choice(
            "A union publishes the mean wage of its members, who earn 2,000 to 6,000 a month. So"
            " that no one member can move it far, wages above a limit are cut to it, and noise in"
            " proportion to the limit is added. Somebody raises the limit to 1,000,000, “so that"
            " nobody is cut”. What happens?",
            (
                "The mean becomes exact, since no wage is cut",
                "Nothing: the wages are the same, and so is the noise",
                "Those who earn most are no longer protected",
                "Nobody is cut, but the noise is that for a wage of 1,000,000",
            ),
            3,
            "Noise has to hide the most that one person **could** change, and the limit says how"
            " much that is. All are protected as before; the mean drowns.",
        ),
    ),
    Question(
        "public",
        "choosing among public examples",
        True,
        Choice(
            "A museum has fifty private photographs of each of its subjects, and ε = 1. It can"
            " publish the noisy average of a subject's photographs, thousands of numbers each with"
            " noise, or let them vote, with noise, for the most similar of 10,000 photographs that"
            " anyone may see. Which sentence is right?",
            (
                "The vote holds up better; as it reads private photographs, it costs privacy too",
                "The vote holds up better, and costs nothing: what it publishes is public",
                "The average holds up better: public photographs know nothing of the private ones",
                "Both hold up alike, since ε is the same",
            ),
            0,
            "A choice is one decision, however many numbers a photograph has, so among few private"
            " ones it needs far less noise. But which is chosen depends on private photographs, and"
            " that is paid for.",
        ),
        Choice(
            "A radio station wants to play what its 100 listeners like. From their private lists it"
            " can publish a noisy average of 2,000 numbers of taste, or choose, with noise, the"
            " one of 50 well-known playlists that fits the lists best, each with ε = 1. Which"
            " sentence is right?",
            (
                "The average is better: noise on 2,000 numbers cancels out",
                "Both are equally good, since ε is the same",
                "The choice needs less noise to be good, and it costs privacy as well",
                "The choice is free, as everybody knows the playlists",
            ),
            2,
            "Choosing is one decision, so little noise does for 100 listeners; on 2,000 numbers it"
            " drowns them, and would not with very many listeners. The playlists are public, which"
            " of them fits is not: the choice reads private lists.",
        ),
    ),
)
