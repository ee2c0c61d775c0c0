"""Six short lessons. A step sets the controls by its link, says what to look at, and may ask for a prediction.

What comes true is not written here: it is computed from the settings of a step and the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ask:
    """A question about what the next step changes.

    Attributes:
        text: the question; method, score: whose accuracy of which kind (a key of METRICS) is compared;
        then: the method of the next step, where it is another.
    """

    text: str
    method: str
    score: str = "minority"
    then: str | None = None


@dataclass(frozen=True)
class Step:
    """One view.

    Attributes:
        page: address of the page, "" for Trade-off; link: its settings as they stand in a link;
        look: Markdown, what to look at; ask: what is predicted before the next step, if anything.
    """

    page: str
    link: Mapping[str, str]
    look: str
    ask: Ask | None = None


@dataclass(frozen=True)
class Lesson:
    """A handful of steps. key: in the link; title: a question; gist: one sentence for the list."""

    key: str
    title: str
    gist: str
    steps: tuple[Step, ...] = field(repr=False)


def _trade_off(methods: str, ir: float, eps: float, look: str, ask: Ask | None = None, **more: str) -> Step:
    return Step("", {"m": methods, "ir": f"{ir:g}", "eps": f"{eps:g}"} | more, look, ask)


EPSILON = Lesson(
    "epsilon",
    "What does epsilon mean?",
    "A budget for how much anyone may learn about one record, and how accuracy answers to it.",
    (
        _trade_off(
            "dppl-mean",
            1,
            10,
            "Every class has the same number of pictures here (IR 1). The line is the accuracy of a private method; the vertical "
            "bar marks the budget you look at. The dashed line above is the same method without privacy. At ε = 10 the promise "
            "is weak and the noise small: look how close the line comes to the ceiling.",
            Ask("The budget goes down to ε = 0.1: a hundred times less may leak. What happens to the balanced accuracy?", "dppl-mean", "balanced"),
            score="balanced",
        ),
        _trade_off(
            "dppl-mean",
            1,
            0.1,
            "Look at the left of the line: it bends, and its band widens. The band is what other random noise would have given. "
            "400 pictures a class still drown much of this noise.",
            Ask("And at ε = 0.01?", "dppl-mean", "balanced"),
            score="balanced",
        ),
        _trade_off(
            "dppl-mean",
            1,
            0.01,
            "Now the noise is larger than the class means. Nothing about the data changed between the three views, only the promise.",
            score="balanced",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1"},
            "What is bought with that noise? An attacker wants to know whether one picture was in the data. The grey line is the "
            "bound that the guarantee itself puts on **any** attack. Move the budget and read the odds in words: at small ε the "
            "bound lies close to guessing.",
        ),
    ),
)

MINORITIES = Lesson(
    "minorities",
    "Why do minorities pay?",
    "The same noise for every class weighs most where there are few records.",
    (
        _trade_off(
            "noisy-gd",
            1,
            1,
            "All classes have equally many pictures. Look at the private linear probe at ε = 1, for the smallest quarter of the "
            "classes: it is nearly as good as without privacy.",
            Ask("Now the largest class has 50 times the records of the smallest, same ε. What happens to the **minority**?", "noisy-gd"),
        ),
        _trade_off(
            "noisy-gd",
            50,
            1,
            "The dashed ceiling, without privacy, hardly moved: the data still suffice. Privacy took the rest. Look at the two "
            "lower charts: who is in the data, and who is right.",
            Ask("The imbalance goes on to IR 100. What happens to the **balanced** accuracy, the mean over all classes, from here?", "noisy-gd", "balanced"),
        ),
        _trade_off(
            "noisy-gd",
            100,
            1,
            "An average hides who pays. That is why this page starts with the minority.",
            score="balanced",
        ),
        Step(
            "dp-means",
            {"ir": "50", "eps": "1", "look": "errors"},
            "Why? Look at the error of each class, split. The noise on a class's sum is the same for all; divided by a small "
            "number of records it is large. Sampling and clipping hardly differ between the classes; noise does.",
        ),
    ),
)

ENCODER = Lesson(
    "encoder",
    "Why does the encoder decide?",
    "Noise hurts less where classes lie far apart, and that is the encoder's doing, free of privacy cost.",
    (
        _trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "The encoder has learned to tell drawn characters apart and has never seen these digits. Its features are so "
            "good that a handful of numbers a class is enough, and privacy is cheap.",
            Ask(
                "Take pooling: averaging 16 neighbouring features into one makes the noise smaller and the features coarser. "
                "What happens to DPPL-Mean's minority?",
                "dppl-mean",
            ),
        ),
        _trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "Fewer numbers need less noise in all, but what pooling averages away is what told the classes apart. No budget "
            "brings back what the features do not hold. Look at the ceiling: it keeps the unpooled features.",
            **{"dppl-mean.k_pool": "16"},
        ),
        Step(
            "neural-collapse",
            {},
            "Here encoders stand side by side: how far records lie from their class mean, how the class means lie to each "
            "other, and what accuracy follows at one budget. The closer to collapse, the cheaper privacy.",
        ),
    ),
)

CLIPPING = Lesson(
    "clipping",
    "What does clipping do?",
    "It bounds what one record can change, and noise is scaled to that bound.",
    (
        _trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Each step of the private linear probe adds up the pull of every record. To hide any one record, its pull is cut to "
            "a length of at most 0.3, and noise in proportion to 0.3 is added.",
            Ask("Clip harder, to 0.03: ten times less noise. What happens to the minority?", "noisy-gd"),
        ),
        _trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Less noise, and still worse: nearly every record is cut, so the few of a minority can no longer pull against the many. "
            "Clipping is not neutral.",
            Ask("Now hardly any clipping: 1.5. What happens to the minority, seen from here?", "noisy-gd"),
            **{"noisy-gd.clip": "0.03"},
        ),
        _trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Nobody is cut, but the noise must hide the longest possible pull. The best bound lies between, and finding it by "
            "trying on private data costs privacy too: no paper pays that, and this page counts it.",
            **{"noisy-gd.clip": "1.5"},
        ),
    ),
)

COINPRESS = Lesson(
    "coinpress",
    "When does CoinPress diverge?",
    "Shrinking a ball around the mean works with enough records for the dimension, and backfires without.",
    (
        _trade_off(
            "dppl-mean,class-mean",
            1,
            1,
            "CoinPress spends a part of its budget on finding out where the mean roughly is, so that the rest can clip "
            "tightly. With 400 records a class it works.",
            Ask("Make the data imbalanced: IR 10. What happens to the minority, at the same ε = 1?", "dppl-mean"),
            **{"dppl-mean.form": "coinpress"},
        ),
        _trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "The first, rough estimate of a small class is mostly noise. Its radius grows instead of shrinking, and every later "
            "step clips around the wrong place.",
            Ask("Go back to one noisy sum instead of CoinPress, nothing else changed. What happens to the minority?", "dppl-mean"),
            **{"dppl-mean.form": "coinpress"},
        ),
        _trade_off("dppl-mean,class-mean", 10, 1, "One step, no radius to guess: the simpler release holds where the cleverer one fell apart."),
        Step(
            "dp-means",
            {"ir": "10", "eps": "1", "look": "steps"},
            "Watch it happen: the radius of each class step by step. Lines that rise are classes where CoinPress gave up; the "
            "words below say why.",
        ),
    ),
)

PUBLIC = Lesson(
    "public",
    "Why does a public picture beat a noisy mean?",
    "Choosing among public pictures needs far less noise than hiding in a mean of 128 numbers.",
    (
        _trade_off(
            "dppl-mean,class-mean",
            50,
            1,
            "DPPL-Mean adds noise to each of the 128 numbers of a class's sum. For the minority little signal is left.",
            Ask(
                "DPPL-Public lets each class vote for one of 30,008 public pictures, and takes it as its prototype. Same data, same ε. "
                "How does its minority compare?",
                "dppl-mean",
                then="dppl-public",
            ),
        ),
        _trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "A choice is one decision per class, whatever the dimension. But look at the right end too: with a large budget the noisy mean "
            "overtakes, because no public picture is quite a class mean.",
            Ask("What if the public pictures are of the wrong kind: letters only, no digits?", "dppl-public"),
        ),
        _trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "The best of the wrong pictures is still the wrong kind. A public set is free of privacy cost, but not a free lunch.",
            pub="letters",
        ),
        Step(
            "public-prototypes",
            {"ir": "50", "eps": "0.1"},
            "See the pictures themselves. At this small budget the choice is close to a lottery: look how they turn to nonsense, and move "
            "the budget up until they make sense.",
        ),
    ),
)

LESSONS: dict[str, Lesson] = {lesson.key: lesson for lesson in (EPSILON, MINORITIES, ENCODER, CLIPPING, COINPRESS, PUBLIC)}
