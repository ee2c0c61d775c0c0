"""Why is trying out not free?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Reason, Step, trade_off

TUNING = Lesson(
    "tuning",
    "Why is trying out not free?",
    "Who tries twenty settings on private pictures and keeps the best has looked twenty times.",
    (
        trade_off(
            "dppl-public,class-mean",
            50,
            1,
            (
                "Every method has settings, such as where clipping begins. Somebody tries"
                " twenty of them on the private pictures, each time with ε = 1, and publishes"
                " the best classifier alone."
            ),
            Reason(
                "What has it cost?",
                (
                    "ε = 1: only one classifier was published.",
                    "Nothing more than ε = 1, since trying out is not publishing.",
                    (
                        "More than ε = 1: which one is the best was found out by looking at"
                        " the pictures."
                    ),
                ),
                2,
                (
                    "The choice itself comes from the private pictures. Had yours been"
                    " missing, another setting might have won. That it is seldom counted does"
                    " not make it free."
                ),
            ),
            at="picture",
        ),
        Step(
            "tuning",
            {},
            (
                "Twenty settings were tried. The cards below the chart count what that costs:"
                " if all trials are shown, if only the best is shown and their number was"
                " secret, and what papers print."
            ),
            Reason(
                (
                    "The best of twenty settings is run again, with new noise, and is not as"
                    " good as it was. Why?"
                ),
                (
                    (
                        "It was chosen for its luck as well as for its setting, and luck does"
                        " not come again."
                    ),
                    "The second run has less privacy left, so it gets more noise.",
                    "The computer has worn out the pictures by using them twenty times.",
                ),
                0,
                (
                    "Each trial had noise of its own, and one of twenty is likely to have been"
                    " lucky. Whoever picks the best picks the luck with it. Only new noise"
                    " shows what the setting is worth."
                ),
            ),
            at="price-all",
        ),
        Step(
            "tuning",
            {},
            (
                "Read the sentence: the best try, the same settings on noise that did not choose"
                " them, and the usual ones. Some of the gain here is real, and some was luck. So"
                " ask of every fine number: how many were tried, on which pictures, and was it"
                " counted?"
            ),
            at="answer",
        ),
    ),
    (
        (
            "Choosing by looking at private pictures costs privacy, even if only the winner is"
            " shown."
        ),
        "The best of many trials looks better than it is.",
        "Settings fixed beforehand, or found on public pictures, cost nothing.",
    ),
)
