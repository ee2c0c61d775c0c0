"""What each private method does, in the few words that fit behind its name in a sentence."""

from __future__ import annotations

from dpviz.methods import METHODS

WHAT = {
    "dppl-mean": "which averages each class and adds noise",
    "dppl-public": "which lets one public picture stand for each class",
    "dppl-publick": "which lets several public pictures stand for each class",
    "dppl-mean-projected": "which averages each class after a map learned from public pictures",
    "dppl-public-projected": "which picks public pictures after a map learned from them",
    "dppl-auto": "which takes a noisy average or a public picture for each class",
    "noisy-gd": "the usual private training",
    "global-adapt": "a private training that is careful with rare classes",
    "adamix": "a private training that public pictures help",
    "dp-ls": "which solves for a classifier once, from noisy sums",
    "dp-newton": "a private training in a few big steps",
    "dp-fc": "a private training with its directions evened out",
    "pate": "in which many small networks vote with noise",
    "transfer-pate": "in which many small models vote with noise",
    "prom-pate": "in which many prompts to one network vote with noise",
}


def named(method: str) -> str:
    """A method inside a sentence, with what it does: descriptions get their article."""
    title = METHODS[method].title
    first = title.split()[0]
    if first[1:].islower() and " " in title:
        title = f"the {title[0].lower()}{title[1:]}"
    short = title.split(",")[0]
    return f"{short} ({WHAT[method]})" if method in WHAT else short
