"""Who is protected: a picture, or a person?"""

from __future__ import annotations

from dpviz.views.lessons.model import Drawing, Lesson, Reason, Step

PERSON = Lesson(
    "person",
    "What if a person sent ten pictures?",
    "A promise to each picture is not a promise to the person who sent them.",
    (
        Step(
            "many-pictures",
            {"data": "clothes", "m": "dppl-mean", "eps": "10"},
            (
                "Clothes, photographed by 344 people; some sent one picture, some hundreds."
                " Try it: five pictures, one of A to D was taken by the person who took the"
                " first. Floor, lamp and light give people away, without a face."
            ),
            Reason(
                (
                    "A method promises ε = 1 to **each picture**. What does it promise to a"
                    " person who sent ten?"
                ),
                (
                    "The same: if each picture is protected, so is the person.",
                    "Less: ten pictures may tell ten times as much about the same person.",
                    "More: among ten pictures of one's own one is better hidden.",
                ),
                1,
                (
                    "Whether one picture is there or not is hidden. Ten alike pictures move"
                    " the result ten times as far, and whoever asks for the person may add up"
                    " what all of them tell: in general no more than 10 · ε is promised."
                ),
            ),
            at="sender-line-up",
        ),
        Step(
            "many-pictures",
            {"data": "clothes", "m": "dppl-mean", "eps": "10"},
            (
                "To promise the same to **persons**, a method keeps at most so many pictures"
                " of each person, and adds noise that hides all of them at once."
            ),
            Drawing(
                (
                    "Promised to each picture, DPPL-Mean gets about 68 of 100 right here."
                    " Promised to each person, with at most 1, 2, 5, 10 or 20 pictures of"
                    " each: how many?"
                ),
                "per_person",
                (1, 2, 5, 10, 20),
                "dppl-mean",
                "overall",
                gap=(
                    "Two things surprise: how much the promise to persons costs at all, and"
                    " that more pictures do not help. The noise has to hide all pictures of a"
                    " person, so it grows with their number, faster than what the further"
                    " pictures bring."
                ),
            ),
            covered=True,
            at="answer",
        ),
        Step(
            "many-pictures",
            {"data": "clothes", "m": "dppl-mean,dppl-public", "eps": "10"},
            (
                "The whole picture. Dotted: promised to each picture; the lines: promised to"
                " each person. DPPL-Public, which only chooses among public pictures, hardly"
                " loses while few pictures of each person are kept. When you read of a promise,"
                " ask to whom it is: to a click, a picture, a day, or a person?"
            ),
            at="picture",
        ),
    ),
    (
        "A promise to each picture protects a person with ten pictures ten times less.",
        "A promise to persons costs more noise, and more pictures a person cost more still.",
        "Of every ε one has to ask: for whom?",
    ),
)
