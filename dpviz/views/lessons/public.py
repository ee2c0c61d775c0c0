"""When does a public picture beat a noisy mean?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Reason, Step, trade_off

PUBLIC = Lesson(
    "public",
    "When does a public picture beat a noisy mean?",
    "Choosing among public pictures needs far less noise than hiding in a mean of 128 numbers.",
    (
        Step(
            "public-prototypes",
            {"ir": "50", "eps": "1"},
            (
                "Public pictures belong to nobody who needs protection: here 30,008 drawn"
                " characters. DPPL-Public lets the private pictures of each class choose one"
                " of them to stand for the class. The name below a picture tells what was"
                " chosen; the rare digits, on the left, go wrong first."
            ),
            at="picture",
        ),
        trade_off(
            "dppl-mean,class-mean",
            50,
            1,
            (
                "The other way, DPPL-Mean, adds noise to each of the 128 numbers of a class's"
                " sum. For the rare digits little is left."
            ),
            Outcome(
                (
                    "Same data, same ε: how does the minority of DPPL-Public compare, which"
                    " only chooses a public picture?"
                ),
                "dppl-mean",
                then="dppl-public",
                comes="up",
            ),
            at="answer",
        ),
        trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "Look at the right end, too: with a large budget the noisy mean overtakes.",
            Reason(
                "Why does a choice stand so much smaller an ε?",
                (
                    (
                        "A choice is one decision a class; a mean of 128 numbers has to hide"
                        " in all of them."
                    ),
                    "Public pictures are of better quality than private ones.",
                    "Because the chosen picture is public, the private ones are not used.",
                ),
                0,
                (
                    "The private pictures are used: they choose. But one of many pictures"
                    " hardly changes which public one wins, while it moves each of the 128"
                    " numbers of a sum. At the right end the noise is small anyway, and no"
                    " public picture is quite the mean."
                ),
            ),
            at="picture",
        ),
        Step(
            "public-prototypes",
            {"ir": "50", "eps": "1", "pub": "letters"},
            (
                "The price: what is chosen can be no better than what there is to choose from."
                " Here the public pictures are letters, no digits: an O for 0, perhaps, but"
                " what for 4?"
            ),
            Outcome(
                (
                    "Now drawn digits come back among the public pictures. What happens to the"
                    " minority of DPPL-Public, seen from here?"
                ),
                "dppl-public",
                comes="up",
            ),
            at="answer",
        ),
        trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            (
                "A public set has to hold something like what you are after, and somebody has to"
                " be sure that it really is public. And compare with care: at the same ε the two do"
                " not protect alike. A guess is right at most 63 times in 100 after the choice and"
                " 56 after the noisy mean, which reaches 63 only beyond ε = 2.5."
            ),
            at="answer",
        ),
    ),
    (
        "At a small ε a choice among public pictures can do better than a noisy mean.",
        "What is chosen can be no better than the public pictures are.",
        "The same ε is not always the same protection: ask what a guess may gain.",
    ),
)
