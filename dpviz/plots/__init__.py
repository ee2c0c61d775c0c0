"""Charts in families. A chart is a dataclass of the numbers in it, which draws itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import plotly.graph_objects as go


class Chart(Protocol):
    """Numbers that can be drawn. Many charts have a ``table`` of them as well."""

    def figure(self, *args: Any, **kwargs: Any) -> go.Figure:
        """Draw the chart; arguments are settings that change more often than its numbers."""

    def alt(self) -> str:
        """The chart in words, for those who cannot see it."""
