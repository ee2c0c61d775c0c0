"""Short lessons. A step sets the controls by its link, says what to look at, and may ask for a
prediction.

What comes true is computed from the settings of a step and the next one; a test compares it with
what the words take for granted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ask:
    """A question about what the next step changes.

    Attributes:
        text: the question; method, score: whose accuracy of which kind (a key of METRICS) is
            compared;
        then: the method of the next step, where it is another;
        comes: what the next step's words take for granted, a key of ``lesson_outcomes.CHANGES``.
    """

    text: str
    method: str
    score: str = "minority"
    then: str | None = None
    comes: str = ""


@dataclass(frozen=True)
class Step:
    """One view.

    Attributes:
        page: address of the page, "" for Trade-off; link: its settings as they stand in a link;
        look: Markdown, what to look at; ask: what is predicted before the next step, if anything;
        covered: the chart is not shown, since it would give the answer away.
    """

    page: str
    link: Mapping[str, str]
    look: str
    ask: Ask | None = None
    covered: bool = False


@dataclass(frozen=True)
class Lesson:
    """A handful of steps. key: in the link; title: a question; gist: one sentence for the list."""

    key: str
    title: str
    gist: str
    steps: tuple[Step, ...] = field(repr=False)


def _trade_off(
    methods: str,
    ir: float,
    eps: float,
    look: str,
    ask: Ask | None = None,
    covered: bool = False,
    **more: str,
) -> Step:
    return Step("", {"m": methods, "ir": f"{ir:g}", "eps": f"{eps:g}"} | more, look, ask, covered)


EPSILON = Lesson(
    "epsilon",
    "What does epsilon mean?",
    "A budget for how much anyone may learn about one record, and how accuracy answers to it.",
    (
        _trade_off(
            "dppl-mean",
            1,
            10,
            "A private method adds random noise, so that nobody can tell from its answers whether"
            " any one picture was among the data. ε (epsilon) is how much it may give away: a large"
            " ε promises little and needs little noise, a small ε promises much. The method here,"
            " DPPL-Mean, takes the mean of each digit's pictures, adds noise, and calls a new"
            " picture by the digit whose mean is nearest.\n\nRead the sentence below the title: at"
            " ε = 10 that works nearly as well as without privacy. It writes ε = 10 as “(10,"
            " 1e-5)-DP”: the second number, δ, is a tiny chance that the promise fails, and stays"
            " as it is. “IR 1” says that all digits have equally many pictures.",
            Ask(
                "ε goes down to 0.1, a hundred times smaller. What happens to the balanced"
                " accuracy, the mean over all digits?",
                "dppl-mean",
                "balanced",
                comes="same",
            ),
            covered=True,
            score="balanced",
        ),
        _trade_off(
            "dppl-mean",
            1,
            0.1,
            "There is more noise now, but with 400 pictures of each digit much of it averages out.",
            Ask(
                "And at ε = 0.01, ten times smaller again?",
                "dppl-mean",
                "balanced",
                comes="lost",
            ),
            covered=True,
            score="balanced",
        ),
        _trade_off(
            "dppl-mean",
            1,
            0.01,
            "Here is the whole picture: how many test pictures are right at each ε; the vertical"
            " bar marks the ε you look at, the dashed line is the same method without privacy, and"
            " the band is what other random noise and other test pictures would have given. At the"
            " left the noise is larger than what tells the digits apart. Nothing about the data"
            " changed in the three views, only the promise.",
            score="balanced",
        ),
        Step(
            "attackers-view",
            {"ir": "1", "eps": "1"},
            "What is bought with that noise? An attacker wants to know whether one picture was in"
            " the data. The violet line is the bound that the guarantee itself puts on **any**"
            " attack: none gets above it. The dotted line is guessing. Move the budget and read the"
            " odds in the sentence: at small ε the bound lies close to guessing.",
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
            "The private linear probe is the usual way to train with privacy: a simple classifier,"
            " learned step by step, with noise in each step. Here all ten digits have equally many"
            " pictures, and it is nearly as good as without privacy (dashed). The page follows"
            " three of the digits, because they will become the rare ones: the minority.",
            Ask(
                "Now the commonest digit has 50 times the pictures of the rarest (IR 50), at the"
                " same ε. What happens to the **minority**?",
                "noisy-gd",
                comes="lost",
            ),
        ),
        _trade_off(
            "noisy-gd",
            50,
            1,
            "The dashed ceiling, without privacy, hardly moved: the data still suffice. Privacy"
            " took the rest. Look at the two lower charts: who is in the data, and who is right.",
            Ask(
                "The imbalance goes on to IR 100. What happens to the **balanced** accuracy, the"
                " mean over all classes, from here?",
                "noisy-gd",
                "balanced",
                comes="down",
            ),
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
            "Why? Scroll down to **A closer look**, which splits the error of each class. The noise"
            " on a class's sum is the same for all; divided by a small number of records it is"
            " large. Sampling and clipping hardly differ between the classes; noise does.",
        ),
    ),
)

ENCODER = Lesson(
    "encoder",
    "Why does the encoder decide?",
    "Noise hurts less where classes lie far apart, and that is the encoder's doing, free of privacy"
    " cost.",
    (
        _trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "An encoder is a network that turns a picture into numbers, here 128, called features;"
            " the private methods see nothing else. This one has learned to tell drawn characters"
            " apart and has never seen these digits, yet its features are so good that one average"
            " a class is enough, and privacy is cheap.",
            Ask(
                "Take pooling: averaging 16 neighbouring features into one makes the noise smaller"
                " and the features coarser. What happens to DPPL-Mean's minority?",
                "dppl-mean",
                comes="lost",
            ),
        ),
        _trade_off(
            "dppl-mean,noisy-gd,logistic",
            10,
            1,
            "Fewer numbers need less noise in all, but what pooling averages away is what told the"
            " classes apart. No budget brings back what the features do not hold. Look at the"
            " ceiling: it keeps the unpooled features.",
            **{"dppl-mean.k_pool": "16"},
        ),
        Step(
            "neural-collapse",
            {},
            "Here two kinds of features stand side by side: this encoder's, and made-up ones that"
            " are nearly perfect. Left: how far pictures lie from the mean of their class. Middle:"
            " how the means of two classes lie to each other. Right: how often the private linear"
            " probe is right, with privacy (▲) and without (○). Where each class has shrunk to a"
            " point and the points stand far apart, features have *collapsed* (NC1 in the sentence"
            " is then near 0), and privacy costs next to nothing.",
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
            "The private linear probe learns step by step: in each step every picture pulls the"
            " classifier its own way, and the pulls are added up. To hide any one picture, its pull"
            " is cut to a length of at most 0.3 (that is clipping), and noise in proportion to 0.3"
            " is added.",
            Ask(
                "Clip harder, to 0.03: ten times less noise. What happens to the minority?",
                "noisy-gd",
                comes="lost",
            ),
        ),
        _trade_off(
            "noisy-gd,logistic",
            50,
            1,
            "Less noise, and still worse: nearly every record is cut, so the few of a minority can"
            " no longer pull against the many. Clipping is not neutral.",
            Ask(
                "Now hardly any clipping: 1.5. What happens to the minority, seen from here?",
                "noisy-gd",
                comes="up",
            ),
            **{"noisy-gd.clip": "0.03"},
        ),
        _trade_off(
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

COINPRESS = Lesson(
    "coinpress",
    "When does CoinPress diverge?",
    "Shrinking a ball around the mean works with enough records for the dimension, and backfires"
    " without.",
    (
        _trade_off(
            "dppl-mean,class-mean",
            1,
            1,
            "DPPL-Mean describes each digit by one noisy mean. CoinPress is a clever way to get"
            " that mean: it spends a part of its budget on finding out roughly where the mean lies,"
            " so that the rest can draw a tight ball around it and needs less noise. With 400"
            " pictures a digit it works.",
            Ask(
                "Make the data imbalanced: IR 10. What happens to the minority, at the same ε = 1?",
                "dppl-mean",
                comes="lost",
            ),
            **{"dppl-mean.form": "coinpress"},
        ),
        _trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "The first, rough estimate of a small class is mostly noise. Its radius grows instead"
            " of shrinking, and every later step clips around the wrong place.",
            Ask(
                "Go back to one noisy sum instead of CoinPress, nothing else changed. What happens"
                " to the minority?",
                "dppl-mean",
                comes="up",
            ),
            **{"dppl-mean.form": "coinpress"},
        ),
        _trade_off(
            "dppl-mean,class-mean",
            10,
            1,
            "One step, no radius to guess: the simpler release holds where the cleverer one fell"
            " apart.",
        ),
        Step(
            "dp-means",
            {"ir": "10", "eps": "1", "look": "steps"},
            "Watch it happen: scroll down to **A closer look**, which draws the radius of each"
            " class's ball, step by step. Lines that rise are classes where CoinPress failed; the"
            " words there say why. Move the budget up: at which do all lines fall?",
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
            "DPPL-Mean describes each digit by a noisy mean: it adds noise to each of the 128"
            " numbers of a class's sum. For the minority, the rare digits, little signal is left.",
            Ask(
                "DPPL-Public lets each class vote for one of 30,008 public pictures, and that"
                " picture then stands for the class. Same data, same ε. How does its minority"
                " compare?",
                "dppl-mean",
                then="dppl-public",
                comes="up",
            ),
        ),
        _trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "A choice is one decision per class, whatever the dimension. But look at the right end"
            " too: with a large budget the noisy mean overtakes, because no public picture is quite"
            " a class mean.",
            Ask(
                "What if the public pictures are of the wrong kind: letters only, no digits?",
                "dppl-public",
                comes="lost",
            ),
        ),
        _trade_off(
            "dppl-mean,dppl-public,class-mean",
            50,
            1,
            "The best of the wrong pictures is still the wrong kind. A public set is free of"
            " privacy cost, but not a free lunch.",
            pub="letters",
        ),
        Step(
            "public-prototypes",
            {"ir": "50", "eps": "0.1"},
            "See the pictures themselves. At this small budget the choice is close to a lottery:"
            " look how they turn to nonsense, and move the budget up until they make sense.",
        ),
    ),
)

LESSONS: dict[str, Lesson] = {
    lesson.key: lesson for lesson in (EPSILON, MINORITIES, ENCODER, CLIPPING, COINPRESS, PUBLIC)
}
