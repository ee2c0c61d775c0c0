"""Questions on the promise, epsilon, minorities, the encoder, clipping and public pictures."""

from __future__ import annotations

from dpviz.views.questions.model import Choice, DrawnCurve, Question

_YES = "yes among 100 answers"
_RIGHT = "right guesses of 100, at most"
_GUESS = (
    " A coin that you cannot see decides whether your record goes in. Somebody sees the table,"
    " knows everything about everybody else, and guesses how the coin fell. **Draw how often in 100"
    " such tries the best guesser can be right, at each ε.** (ε is the number that says how strong"
    " the promise is: the smaller, the stronger. 50 in 100 is blind guessing.)"
)

FIRST = (
    Question(
        "promise",
        "your own answer, made random",
        True,
        DrawnCurve(
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
        DrawnCurve(
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
        DrawnCurve(
            f"A hospital publishes a table with differential privacy.{_GUESS}",
            "ε, in even steps of 2",
            ("0", "2", "4", "6", "8"),
            _RIGHT,
            (50, 88.1, 98.2, 99.8, 100),
            "At ε = 0 the odds of being right are 1 to 1. Each step of 2 lets them grow 7.4-fold:"
            " 7.4 to 1 at ε = 2, which is 88 in 100, and 55 to 1 at ε = 4, which is 98. Most of the"
            " protection is gone by the first step; what comes later hardly matters any more.",
        ),
        DrawnCurve(
            f"A music service publishes a table with differential privacy.{_GUESS}",
            "ε, in even steps of 1.5",
            ("0", "1.5", "3", "4.5", "6"),
            _RIGHT,
            (50, 81.8, 95.3, 98.9, 99.8),
            "At ε = 0 the odds of being right are 1 to 1. Each step of 1.5 lets them grow 4.5-fold:"
            " 4.5 to 1 at ε = 1.5, which is 82 in 100, and 20 to 1 at ε = 3, which is 95. Most of"
            " the protection is gone by ε = 3; what comes later hardly matters any more.",
        ),
    ),
    Question(
        "minorities",
        "who pays for noise",
        True,
        Choice(
            "A hospital's model recognises two illnesses from averages of patients' pictures:"
            " 10,000 patients have the common one, 100 the rare one. Without noise it is right 95"
            " times in 100 about both. For privacy, the same noise is added to the sum of each"
            " group. What happens to how often it is right, and to the patients' protection?",
            (
                "Both illnesses lose alike; all patients are protected alike",
                "Both illnesses lose alike; the rare one's are protected less",
                "The rare illness loses more; all patients are protected alike",
                "The rare illness loses more; its patients are protected less",
            ),
            2,
            "Divided by 100 patients, the same noise weighs a hundred times as much as divided by"
            " 10,000. It hides each patient as well as any other: the few pay in accuracy.",
        ),
        Choice(
            "A survey counts how many people in each place want a new school. Before a count is"
            " published, a random number is added to it, most often between −20 and 20. The city"
            " has 200,000 people, the village 80. How near to the truth does the share of yes come"
            " out, and how strong is the promise?",
            (
                "Nearer in the city; the promise is alike in both",
                "Nearer in the city; the promise is stronger in the village",
                "Equally near in both; the promise is alike in both",
                "Equally near in both; the promise is stronger in the village",
            ),
            0,
            "20 of 200,000 is next to no share at all, 20 of 80 is a quarter. What one person can"
            " change, a count by one, is the same in both places, and so is the noise that hides"
            " it: the promise is the same.",
        ),
    ),
    Question(
        "encoder",
        "features that stand far apart",
        True,
        Choice(
            "Two teams tell X-rays of ill people from those of healthy ones. Each turns every"
            " private X-ray into numbers, by a network that was trained on public pictures alone."
            " Both limit in the same way how far one X-ray can move the result, and add the same"
            " noise. Team 1's network puts ill and healthy far apart, team 2's close together. What"
            " is true of team 1, seen from team 2?",
            (
                "It is right as often; its promise is equally strong",
                "It is right as often; its promise is weaker",
                "It is right more often; its promise is weaker",
                "It is right more often; its promise is equally strong",
            ),
            3,
            "Noise of the same size hardly confuses what lies far apart. The promise depends on how"
            " far one X-ray can move the result and on the noise, which are alike; the networks"
            " have read no patient.",
        ),
        Choice(
            "A bank sorts clients' letters into kinds of complaint. A network that was trained on"
            " public books alone turns each letter into numbers; how far one letter can move the"
            " result is limited, and noise is added. Now a smaller network from the same books"
            " takes its place, which puts the kinds closer together. Limit and noise stay. What"
            " follows?",
            (
                "It is right as often; the promise is stronger",
                "It is right less often; the promise is stronger",
                "It is right less often; the promise is as strong",
                "It is right as often; the promise is as strong",
            ),
            2,
            "Kinds that lie close together are confused by less noise. But letters are not hidden"
            " better for it: the promise depends on how far one letter can move the result, and on"
            " the noise, and both are as they were.",
        ),
    ),
    Question(
        "clipping",
        "what a limit does",
        True,
        Choice(
            "An app publishes the mean of how long its users walk a day: nearly all of them between"
            " half an hour and an hour, a few as long as five hours. For privacy, whatever lies"
            " above a limit is cut to the limit, and noise is added that moves the mean up or down"
            " by about a tenth of the limit. Which limit is likely to bring the published mean"
            " closest to the truth?",
            (
                "10 minutes",
                "25 minutes",
                "80 minutes",
                "300 minutes",
            ),
            2,
            "10 and 25 cut nearly everybody, and the mean comes out far too low. At 300 nobody is"
            " cut, but the noise is about 30 minutes; 80 cuts a few, and makes do with 8. A good"
            " limit lies where both harms are small.",
        ),
        Choice(
            "A union publishes the mean wage of its members: nearly all earn two to six thousand a"
            " month, a few as much as forty thousand. For privacy, wages above a limit are cut to"
            " it, and noise is added that moves the mean up or down by about a twentieth of the"
            " limit. Which limit is likely to bring the published mean closest to the truth?",
            (
                "1,500 a month",
                "7,000 a month",
                "40,000 a month",
                "100,000 a month",
            ),
            1,
            "1,500 cuts everybody, and the mean comes out far too low. At 40,000 nobody is cut, but"
            " the noise is about 2,000; 7,000 cuts a few, and makes do with 350. Noise has to hide"
            " the most that one person **could** change, and the limit says how much that is.",
        ),
    ),
    Question(
        "public",
        "choosing among public examples",
        True,
        Choice(
            "A site shows one picture for each bird, made from members' private photographs: 80 of"
            " the water rail, five million of the blackbird. With the same small ε it can publish a"
            " noisy average of a bird's photographs, thousands of numbers with noise on each, or"
            " let them choose, with noise, the most similar of 100 drawings in a public book. What"
            " comes nearest to the true average of each bird?",
            (
                "Rail: the average; blackbird: the average",
                "Rail: the average; blackbird: the drawing",
                "Rail: the drawing; blackbird: the drawing",
                "Rail: the drawing; blackbird: the average",
            ),
            3,
            "A choice is one decision, however many numbers a picture has, so it stands a small ε"
            " with few photographs. Noise on thousands of numbers drowns 80 of them; shared among"
            " five million it is next to nothing, and no drawing from a book is quite the average."
            " Both ways read private photographs, and spend ε.",
        ),
        Choice(
            "A radio station wants to play what its listeners like, from their private lists. With"
            " the same small ε it can use a noisy average of taste, 2,000 numbers with noise on"
            " each, or let the lists choose, with noise, the most similar of 50 well-known"
            " playlists. Which comes nearer to the listeners' true average, at a local station with"
            " 100 listeners and at a national one with ten million?",
            (
                "Local: the average; national: the playlist",
                "Local: the playlist; national: the average",
                "Local: the average; national: the average",
                "Local: the playlist; national: the playlist",
            ),
            1,
            "A choice is one decision, so little noise does for 100 listeners, whom noise on 2,000"
            " numbers drowns. Shared among ten million, the same noise is next to nothing, and no"
            " well-known list is quite the average. Both ways read private lists, and spend ε.",
        ),
    ),
)
