"""What does epsilon cost?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step, trade_off

EPSILON = Lesson(
    "epsilon",
    "What does epsilon cost?",
    "A smaller ε is a stronger promise; what it costs is nothing at first, and then nearly all.",
    (
        Step(
            "public-prototypes",
            {"ir": "1", "eps": "1"},
            (
                "A computer is to learn digits from pictures that people sent, without giving"
                " any one picture away. This method looks for a picture to stand for each"
                " digit: it lets the private pictures choose among public ones, with some"
                " chance mixed in. The smaller ε, the more chance. Move the budget ε down and"
                " watch the digits turn into something else. (ε = 1 alone would allow 74 right"
                " guesses in 100, as with the coin; a choice like this gives away less: 63.)"
            ),
            at="picture",
        ),
        trade_off(
            "dppl-mean,class-mean",
            1,
            10,
            (
                "Another method, DPPL-Mean: it takes the mean of each digit's 400 pictures,"
                " adds random noise to it, and calls a new picture by the digit whose mean is"
                " nearest. The smaller ε, the more noise. At ε = 10 it is nearly as good as"
                " without noise. (ε = 10 alone would allow a right guess nearly every time; noise"
                " like this gives away less: 85 in 100.)"
            ),
            Drawing(
                "ε goes down from 10 to 0.01. How many of 100 test pictures does it get right?",
                "eps",
                (0.01, 0.03, 0.1, 0.3, 1, 10),
                "dppl-mean",
                "balanced",
                gap=(
                    "Most people expect a ramp. It is a plateau and a cliff: from 10 down to"
                    " about 0.3 next to nothing is lost, and below 0.1 each step costs more"
                    " than the last."
                ),
            ),
            covered=True,
            at="answer",
            score="balanced",
        ),
        trade_off(
            "dppl-mean,class-mean",
            1,
            0.03,
            (
                "The whole picture: the upright line marks the ε you look at, the dashed one"
                " is the same without noise, and the band is what other random noise and other"
                " test pictures would have given."
            ),
            Reason(
                "Why does the accuracy hold for so long, and then break off?",
                (
                    "At small ε the method is given only a part of the pictures.",
                    "ε is a share: at 0.03 three pictures of 100 are answered honestly.",
                    "Noise does no harm while it is smaller than what tells two digits apart.",
                ),
                2,
                (
                    "All pictures are used at every ε. The noise on the sum of 400 pictures is"
                    " shared among them; only when what remains is as large as the gap between"
                    " two digits are they mixed up."
                ),
            ),
            at="picture",
            score="balanced",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1", "attacked": "noisy-gd"},
            (
                "What is bought with the noise? Somebody wants to know whether one picture was"
                " among the data; on the diagonal an attack only guesses. The dotted line, far"
                " above, is an attack on the usual training **without** noise, about the one"
                " picture in 20 that it finds best. (The red and the grey line are averages over"
                " all pictures, which hide those.) The violet line is the most that the promise"
                " lets **any** attack reach about **any** picture. Move ε: at small ε it lies close"
                " to guessing, at large ε it allows nearly everything."
            ),
            at="picture",
        ),
    ),
    (
        (
            "ε is a budget for what may become known of one picture; it is not a share of the"
            " pictures."
        ),
        (
            "With many pictures a strong promise may cost next to nothing, until it costs"
            " nearly all."
        ),
        "The promise holds against every attack, not only against those that somebody has tried.",
    ),
)
