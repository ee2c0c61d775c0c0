"""Steps of made-up lessons."""

from dpviz.views.lessons import Step


def trade_off(methods, ir, eps, look, ask=None, covered=False, at="", **more):
    """A step on the Trade-off page; more: further settings as in a link."""
    link = {"m": methods, "ir": f"{ir:g}", "eps": f"{eps:g}"} | more
    return Step("trade-off", link, look, ask, covered, at)
