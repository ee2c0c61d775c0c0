"""What the page "Data" says to someone who knows no statistics."""

from __future__ import annotations

from collections.abc import Sequence

from dpviz.formatting import literal

HOW_TO_READ = (
    "A bar is a class, its height how many pictures there are to learn from. Few pictures are what"
    " privacy is hardest on. Choose another **Data set** first."
)


def sentence(
    title: str,
    train: Sequence[int],
    test: Sequence[int],
    encoder: str,
    ready: bool,
    aside: int = 0,
) -> str:
    """What a set holds, what is private of it, how unequal its classes are, and whether the other
    pages can use it.

    Args:
        aside: pictures to learn from that are public.
    """
    private = "every page treats them as private"
    if aside:
        private = f"every page treats **{aside:,}** of them as public and the others as private"
    start = (
        f"**{literal(title)}** has **{sum(train):,}** pictures to learn from; {private}. It has"
        f" **{sum(test):,}** to test on, of **{len(train)}** classes:"
    )
    fewest, most = min(train), max(train)
    sizes = f" {fewest:,} of each" if fewest == most else f" from {fewest:,} to {most:,} of each"
    read = (
        f" {literal(encoder)}, a network, has turned each into numbers, so every page can use them."
        if ready
        else f" {literal(encoder)} has yet to turn them into numbers before other pages can use"
        " them."
    )
    return f"{start}{sizes}.{read}"
