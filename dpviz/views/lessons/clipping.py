"""What does clipping do?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, trade_off

CLIPPING = Lesson(
    "clipping",
    "What does clipping do?",
    "It bounds what one record can change, and noise is scaled to that bound.",
    (
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "The private linear probe learns step by step: in each step every picture pulls the"
            " classifier its own way, and the pulls are added up. To hide any one picture, its pull"
            " is cut to a length of at most 0.3 (that is clipping), and noise in proportion to 0.3"
            " is added.",
            Outcome(
                "Clip harder, to 0.03: ten times less noise. What happens to the minority?",
                "noisy-gd",
                comes="lost",
            ),
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Less noise, and still worse: nearly every record is cut, so the few of a minority can"
            " no longer pull against the many. Clipping is not neutral.",
            Outcome(
                "Now hardly any clipping: 1.5. What happens to the minority, seen from here?",
                "noisy-gd",
                comes="up",
            ),
            **{"noisy-gd.clip": "0.03"},
        ),
        trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Nobody is cut, but the noise must hide the longest possible pull. A good bound lies"
            " between; five noise seeds hardly tell where. Finding it by trying on private data"
            " costs privacy too: no paper pays"
            " that. Below the controls, “What this sitting has shown, in privacy” adds it up.",
            **{"noisy-gd.clip": "1.5"},
        ),
    ),
)
