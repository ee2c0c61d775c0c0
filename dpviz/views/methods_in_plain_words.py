"""What each private method does, in the few words that fit behind its name in a sentence."""

from __future__ import annotations

from dpviz.methods import METHODS

METHOD_TEXTS = {
    "dppl-mean": "a noisy average of each class",
    "dppl-public": "one public picture for each class",
    "dppl-publick": "several public pictures for each class",
    "dppl-mean-projected": "a noisy average of each class, after a map from public pictures",
    "dppl-mean-trained": "a noisy average of each class, after a map learned with noise",
    "dppl-public-projected": "one public picture for each class, after a map from them",
    "dppl-auto": "a noisy average or a public picture for each class",
    "noisy-gd": "the usual private training",
    "noisy-sgd": "the usual private training, on a few pictures at a time",
    "global-adapt": "a private training that is careful with rare classes",
    "auto-clip": "a private training in which every picture pulls alike",
    "dpsgd-f": "a private training without what all pictures have in common",
    "objective": "a classifier found once, with noise in what it is asked for",
    "scaled-probe": "the usual private training, its step size chosen in paid trials",
    "adamix": "a private training that public pictures help",
    "ppgd": "a private training along directions of public pictures",
    "dp-ls": "a classifier solved for once, from noisy sums",
    "dp-newton": "a private training in a few big steps",
    "dp-fc": "a private training with its directions evened out",
    "pate": "many small networks that vote, with noise",
    "transfer-pate": "many small models that vote, with noise",
    "prom-pate": "many small models of one network's answers that vote, with noise",
}


def method_in_sentence(method: str) -> str:
    """A method inside a sentence, with what it does: descriptions get their article."""
    title = METHODS[method].title
    first = title.split()[0]
    if first[1:].islower() and " " in title:
        title = f"the {title[0].lower()}{title[1:]}"
    short = title.split(",")[0]
    return f"{short} ({METHOD_TEXTS[method]})" if method in METHOD_TEXTS else short
