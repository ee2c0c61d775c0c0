"""What does epsilon mean?"""

from __future__ import annotations

from dpviz.views.lessons.model import Lesson, Outcome, Step, trade_off

EPSILON = Lesson(
    "epsilon",
    "What does epsilon mean?",
    "A budget for how much anyone may learn about one record, and how accuracy answers to it.",
    (
        trade_off(
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
            Outcome(
                "ε goes down to 0.1, a hundred times smaller. What happens to the balanced"
                " accuracy, the mean over all digits?",
                "dppl-mean",
                "balanced",
                comes="same",
            ),
            covered=True,
            score="balanced",
        ),
        trade_off(
            "dppl-mean",
            1,
            0.1,
            "There is more noise now, but with 400 pictures of each digit much of it averages out.",
            Outcome(
                "And at ε = 0.01, ten times smaller again?",
                "dppl-mean",
                "balanced",
                comes="lost",
            ),
            covered=True,
            score="balanced",
        ),
        trade_off(
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
