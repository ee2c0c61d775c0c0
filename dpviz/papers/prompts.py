"""Exploring the Benefits of Visual Prompting in Differential Privacy (ICCV 2023), as printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpviz.papers.checks import vote_theory as exact
from dpviz.papers.checks import votes
from dpviz.papers.model import ENCODERS, Claim, Link, theory

KEY = "prompts"
WEIGHTS = "CIFAR-10 and weights of Swin and ViT or EVA, trained on ImageNet"
PAGE = "teachers-vote"
NAMES = {"mnist5k": "digits", "clothes": "clothes"}
DELTA = "delta=0.00001"


def data(key: str) -> str:
    """What the checks try on a data set, as a link has it."""
    return f"data={key}&enc={ENCODERS[key]}&pub={votes.PUBLIC[key]}&ir=1&{DELTA}"


def shares(threshold: int, sigma1: int, sigma2: int, asked: int) -> str:
    """T and noise in percent of the teachers, and how many queries."""
    return f"T={threshold}&s1={sigma1}&s2={sigma2}&asked={asked}"


def vote(
    label: str,
    look: str,
    key: str = "mnist5k",
    by: str = shares(60, 40, 20, votes.TAUGHT),
    teach: str = "linear",
    teachers: int = 0,
) -> Link:
    """Teachers vote at settings of its own; teachers: those of the checks where none are named."""
    count = teachers or votes.TEACHERS
    return Link(
        f"{label}, {NAMES[key]}",
        f"{PAGE}?{data(key)}&pool=all&teach={teach}&M={count}&{by}&look={look}",
    )


def on_both_sets(label: str, look: str, **more: Any) -> tuple[Link, ...]:
    """The same on both shipped data sets."""
    return tuple(vote(label, look, key, **more) for key in NAMES)


def equal(
    label: str, methods: str, eps: float = votes.EPSILON, times: int = 1, **params: str
) -> tuple[Link, ...]:
    """Trade-off on both data sets at a budget at which T, noise and queries follow by the methods'
    own rule, as the checks have it; times: as many teachers; params: of every PATE method named.
    """
    found = []
    for key, name in NAMES.items():
        own = {"teachers": str(votes.TEACHERS * times)} | params
        settings = "".join(
            f"&{method}.{name}={value}"
            for method in methods.split(",")
            if "pate" in method
            for name, value in own.items()
        )
        facts = f"{data(key)}&score=overall&m={methods}&eps={eps:g}{settings}"
        found.append(Link(f"{label.format(M=own['teachers'])}, {name}", f"trade-off?{facts}"))
    return tuple(found)


VOTE = Link("votes of an ensemble", PAGE)
STUDENT = Link("from votes to a student, one setting at a time", f"{PAGE}?look=learned")
PRINTED = vote("the printed figures beside a student's", "learned&printed=true")
PROMPTS = vote("prompts, ratio and mask, 4 teachers each", "tables&prompts=true")
A_TO_F = "tables&scratch=true&a-to-f=supervised"
SCRATCH = on_both_sets("the rows A to F, one draw of shards", A_TO_F)
ROWS_OF_TABLE_2 = on_both_sets("its three rows are F, B and A, one draw of shards", A_TO_F)
OTHERS = vote("other source models and data sets", "tables&others=true")
TABLES = vote("teachers, mappings, students", "tables")
PRINTED_NOISE = vote(
    "ε, query by query, at Table 9's settings",
    "growth",
    by=shares(60, 20, 5, 1000),
    teachers=1000,
)
SHARDS = "one draw of shards"
MAPPED = equal(f"label mapping and linear teachers at ε 3, {SHARDS}", "transfer-pate,prom-pate")
SLOW = (
    "Prompts of a whole ensemble train for minutes, so the command does not try them; `python -m"
    " benchmarks.pate` does on mnist5k."
)


def _vote_settings(count: int, by: Sequence[float]) -> str:
    """Settings in votes as shares of the teachers."""
    threshold, sigma1, sigma2 = (round(100 * votes / count) for votes in by)
    return shares(threshold, sigma1, sigma2, votes.QUERIES)


def _claim(key: str, place: str, says: str, *links: Link, **more: Any) -> Claim:
    return Claim(f"prompts-{key}", KEY, place, says, links, **more)


CLAIMS: tuple[Claim, ...] = (
    _claim(
        "f1",
        "Figure 1 and Section 3.2",
        "A sketch: re-teachers, each on its own shard, vote with noise on public pictures, and a"
        " pre-trained student learns from the answers and the rest.",
        VOTE,
        STUDENT,
    ),
    _claim(
        "eq1",
        "Equations 1 and 2",
        "A trainable frame about the shrunken picture, a frozen source model, a label mapping:"
        " built as printed, with the mask and without.",
        PROMPTS,
        why_not=SLOW,
    ),
    _claim(
        "f2",
        "Figure 2",
        "A sketch of two label mappings: random one-to-one, and a fully connected layer.",
        TABLES,
    ),
    _claim(
        "eq3",
        "Equations 3 and 4",
        "Confident-GNMax: a query is answered if its noisy top count reaches T, with the class of"
        " the highest noisy count.",
        Link("one query, its votes and its noise", f"{PAGE}?look=query"),
    ),
    _claim(
        "t1",
        "Table 1 and challenge C1",
        "At ε ≈ 1.02 prompted teachers lead to 97.07 %, transfer learning to 76.93 %. In Table"
        " 3 the first student is pre-trained and the second is not.",
        *MAPPED,
        PROMPTS,
        check=votes.mapping_beside_linear,
        needs=WEIGHTS,
    ),
    _claim(
        "t2",
        "Table 2 and challenge C2",
        "The more often public data are used, the better: 97.07 % with a pre-trained student, 82.20"
        " % with one from scratch, 32.53 % without any pre-training. Tried here with label mappings"
        " without prompts.",
        *ROWS_OF_TABLE_2,
        check=votes.more_public_data,
        needs=WEIGHTS,
    ),
    _claim(
        "t3-student",
        "Table 3, A against B, C against D, E against F",
        "Whatever the teachers, a pre-trained student is better than one from scratch, by 15 to 20"
        " points there.",
        *SCRATCH,
        check=votes.pretrained_students,
        needs=WEIGHTS,
    ),
    _claim(
        "t3-ae",
        "Table 3, A against E, and Section 4.2",
        "With the same pre-trained student, re-teachers beat teachers from scratch by far, 97.07"
        " against 49.00 %: a pre-trained student alone is not sufficient. Tried here with a label"
        " mapping without prompts.",
        *equal(f"label mapping and teachers from scratch at ε 3, {SHARDS}", "pate,prom-pate"),
        PROMPTS,
        check=votes.mapping_above_scratch,
        needs=WEIGHTS,
    ),
    _claim(
        "t3-transfer",
        "Table 3, C against E",
        "Teachers by transfer learning beat teachers from scratch: 96.10 against 49.00 %. This is"
        " our reading of the table; the text compares A and E.",
        *equal(f"both at ε 3, {SHARDS}", "pate,transfer-pate"),
        check=votes.transfer_above_scratch,
        needs=WEIGHTS,
    ),
    _claim(
        "t3-prompts",
        "Table 3, A against C, B against D",
        "Prompted teachers beat transfer learning, by up to 5 points.",
        *MAPPED,
        PROMPTS,
        check=votes.mapping_beside_linear,
        needs=WEIGHTS,
    ),
    _claim(
        "t4",
        "Table 4",
        "At ε ≈ 1 Prom-PATE's 99.17 % on CIFAR-10 beat all earlier private classifiers (76.64 to"
        " 96.7 %). Tried here: its mapping without prompts against the private probe.",
        *equal(f"mapped teachers and the private probe at ε 1, {SHARDS}", "prom-pate,noisy-gd", 1),
        PRINTED,
        check=votes.beside_the_probe_at_1,
        needs=WEIGHTS,
    ),
    _claim(
        "sanitised",
        "Section 4.3, sanitised ε",
        "The data-dependent ε is made releasable by smooth sensitivity, as in Papernot et al. 2018:"
        " 1.209 for 1.019. The paper states no limit for the difference.",
        *(
            link
            for count, *by in votes.ENSEMBLES
            for link in on_both_sets(
                f"{count:,} teachers, T {by[0]:g}, σ₁ {by[1]:g}, σ₂ {by[2]:g}",
                "growth",
                by=_vote_settings(count, by),
                teachers=count,
            )
        ),
        check=votes.sanitised_costs,
        needs=WEIGHTS,
    ),
    _claim(
        "release-cost",
        "Theorem 23 of Papernot et al. 2018, cost of the sanitised ε (cited in Section 4.3)",
        "Noise of σ_s times a β-smooth sensitivity costs α e^(2β)/σ_s² +"
        " (βα − ½ ln(1 − 2αβ))/(α − 1) in RDP of order α.",
        PRINTED_NOISE,
        check=theory(exact.release_cost_as_printed),
        textbook=True,
    ),
    _claim(
        "epsilon",
        "ε in Tables 1 to 21",
        "Every row of the tables has the ε that is printed, mostly near 1. It is data-dependent;"
        " Tables 4, 5 and 21 print a sanitised ε as well.",
        PRINTED_NOISE,
        check=theory(exact.printed_epsilons),
    ),
    _claim(
        "t5",
        "Table 5, Section 4.4 and challenge C3",
        "On Blood-MNIST, far from ImageNet, prompts are 8 points above transfer learning (69.93 and"
        " 61.33 %) and above an earlier private prompt (63.45 %).",
        *MAPPED,
        OTHERS,
        PRINTED,
        check=votes.mapping_beside_linear,
        needs="Blood-MNIST (`bloodmnist`) and torchvision's ImageNet weights",
    ),
    _claim(
        "t6",
        "Table 6",
        "At ε ≈ 1 more teachers are better: 59.2, 85.87, 96.53, 97.07 % with 100, 250, 500, 1,000."
        " For the last, T is 500 here and 600 in Tables 7 and 9 to 11. Tried here with linear"
        " teachers.",
        *(
            link
            for times in votes.TIMES
            for link in equal(f"{{M}} teachers at ε 1, {SHARDS}", "transfer-pate", 1, times)
        ),
        check=votes.more_teachers,
        needs=WEIGHTS,
    ),
    _claim(
        "t7",
        "Table 7",
        "Of five source models the best one, Swin, makes the best teachers: 97.07 %, others 94.37"
        " to 95.53 %. Tried here with linear teachers on two that learned.",
        *(
            replace(
                link,
                address=f"{link.address}&as=grid&across=encoder&down=none&g.encoder={','.join(votes.SOURCES)}",
            )
            for link in equal(f"both source models at ε 3, {SHARDS}", "transfer-pate,logistic")
        ),
        check=votes.better_source,
        needs="CIFAR-10 and ImageNet weights of five networks",
    ),
    _claim(
        "t8",
        "Table 8",
        "How right five source models are on ImageNet itself.",
        why_not="A fact about weights that are not shipped, without any privacy in it.",
    ),
    _claim(
        "t9",
        "Table 9, Section 4.7",
        "The mask helps: 97.07 % with it, 96.53 % without, standard deviations 0.50 and 0.32 over"
        " three runs.",
        PROMPTS,
        why_not=SLOW,
        needs=WEIGHTS,
    ),
    _claim(
        "t10",
        "Table 10, Section 4.8",
        "One fully connected layer maps labels best: 97.07 %, two 96.13 %, a random mapping 33.4 %."
        " Tried here without prompts.",
        *(
            link
            for kind, title in {
                "fc1": "one layer",
                "fc2": "two layers",
                "random-map": "a random mapping",
            }.items()
            for link in equal(f"{title} at ε 3, {SHARDS}", "prom-pate", mapping=kind)
        ),
        check=votes.one_layer,
        needs=WEIGHTS,
    ),
    _claim(
        "t11",
        "Table 11, Section 4.9",
        "A middling picture is best: 192 of 224 pixels, a ratio of 0.86; the text says 0.6.",
        PROMPTS,
        why_not=SLOW,
        needs=WEIGHTS,
    ),
    _claim(
        "d1",
        "Definition 1",
        "Differential privacy, neighbours by adding or removing one sample.",
        VOTE,
    ),
    _claim(
        "d2",
        "Definition 2, Equation 6",
        "Rényi differential privacy, by an expectation over the neighbour of the ratio to the power"
        " α − 1.",
        PRINTED_NOISE,
        check=theory(exact.renyi_as_printed),
    ),
    _claim(
        "thm1-2",
        "Theorems 1 and 2",
        "Rényi costs add up, and (α, ε)-RDP is (ε + ln(1/δ)/(α − 1), δ)-DP.",
        PRINTED_NOISE,
        check=theory(exact.conversion_is_safe),
        textbook=True,
    ),
    _claim(
        "thm3",
        "Theorem 3 and its proof",
        "An answer costs α/(2σ²) in RDP, and so does Prom-PATE times the number of samples.",
        PRINTED_NOISE,
        check=theory(exact.answer_costs_twice),
    ),
    _claim(
        "t12",
        "Table 12",
        "How many pictures of each set teachers, the student and the test have; the student's and"
        " the test's are parts of the published test set.",
        Link("all data sets and where each stands", "data"),
        check=theory(exact.sizes_add_up),
    ),
    _claim(
        "t13-17",
        "Tables 13 to 17",
        "On SVHN, EuroSAT, PathMNIST, TissueMNIST and DermaMNIST prompts beat transfer learning, by"
        " 6.6, 0.5, 4.5, 0.6 and 0.7 points.",
        *MAPPED,
        OTHERS,
        check=votes.mapping_beside_linear,
        needs="these five sets (rows of the data table) and weights of WideResNet",
    ),
    _claim(
        "t18-20",
        "Tables 18 to 20",
        "On CelebA-Gender, CelebA-Hair and FFHQ-Gender prompts beat transfer learning in nearly all"
        " columns, mostly by less than 2 points; 2,000 teachers are not better than 1,000.",
        *MAPPED,
        OTHERS,
        vote("2,000 teachers", "learned", teachers=2000),
        check=votes.mapping_beside_linear,
        needs="`celeba-gender`, `celeba-hair`, `ffhq-gender` and weights of Swin and ViT",
    ),
    _claim(
        "t18-20-student",
        "Tables 18 to 20, FixMatch and FreeMatch",
        "Which semi-supervised method teaches the student makes a minor difference.",
        *(
            link
            for kind, title in {"fixmatch": "FixMatch", "freematch": "FreeMatch"}.items()
            for link in equal(f"{title} at ε 3, {SHARDS}", "transfer-pate", student=kind)
        ),
        check=votes.students_differ_little,
        needs="CelebA and FFHQ, weights of Swin or ViT",
    ),
    _claim(
        "resolution",
        "Supplement, high-resolution images, Table 4 against Tables 18 to 20",
        "On pictures of higher resolution Prom-PATE is less accurate: 99.17 % on CIFAR-10, at most"
        " 93.2 % on CelebA and 88.13 % on hair colour.",
        OTHERS,
        PRINTED,
        why_not="It compares other sets, tasks, source models and budgets, so no run with the"
        " resolution alone would try it.",
        needs="CelebA, FFHQ and CIFAR-10, weights of Swin, ViT and EVA",
    ),
    _claim(
        "classes",
        "Supplement, Tables 5 and 18 to 20",
        "Prompts gain more over transfer learning with three classes or more than with two. Tried"
        " on the printed figures of Tables 3, 5 and 13 to 20.",
        OTHERS,
        check=theory(exact.gains_by_classes),
    ),
    _claim(
        "t21",
        "Table 21",
        "On CIFAR-100 Prom-PATE is above private fine-tuning (88.33 % at ε = 4.089 and 91.47 % at"
        " 8.078, against 87.7 and 88.4 % at 4 and 8). Its sanitised ε are 5.043 and 10.026."
        " Tried here: its mapping without prompts against the private probe.",
        *equal(f"mapped teachers and the private probe at ε 4, {SHARDS}", "prom-pate,noisy-gd", 4),
        PRINTED,
        check=votes.beside_the_probe_at_4,
        needs="CIFAR-100 and EVA's weights",
    ),
)
