"""A published mistake in Markdown, for ``docs/wild.md`` and the page."""

from __future__ import annotations

from dpviz.audit.published_bugs.model import PublishedBug


def entry(found: PublishedBug) -> str:
    """All that is told of it, without figures, which an audit gives."""
    where = f"[`{found.code}`]({found.address})" if found.address else f"`{found.code}`"
    links = " · ".join(f"[{words}]({address})" for words, address in found.links)
    return "\n".join(
        [
            f"## {found.project}",
            "",
            f"**{found.mistake}** {found.since}",
            "",
            f"- Where: {where}{f' · {links}' if links else ''}",
            f"- Promised: {found.claims}",
            f"- Why it does not follow: {found.precisely}",
            f"- What mends it: {found.mend}",
            f"- Made again: {found.differs} Neighbours: {found.apart}.",
        ]
    )
