"""Pages under axe-core, which finds what readers with assistive technology cannot use."""

from functools import cache
from pathlib import Path

import pytest

CONTRAST = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that another theme can break."""
_RUN = """async (only) => {
  const { rules, data } = axe._audit;
  const grave = (impact) => ["serious", "critical"].includes(impact);
  const impact = (check) => data.checks[check.id ?? check]?.impact;
  const light = rules.filter((rule) => rule.impact ? !grave(rule.impact)
    : ![...rule.any, ...rule.all, ...rule.none].some((check) => grave(impact(check))));
  const off = Object.fromEntries(light.map((rule) => [rule.id, { enabled: false }]));
  const { violations } = await axe.run(document,
    { resultTypes: ["violations"], ...(only.runOnly ? {} : { rules: off }), ...only });
  return violations.filter((v) => grave(v.impact)).flatMap((v) => v.nodes.map((n) =>
    `${v.id} (${v.help}) at ${n.target}: ${n.html.slice(0, 120)} ${n.failureSummary}`));
}"""
"""Serious problems; rules that find lesser ones only, a third of the time, are left out."""


@cache
def script():
    """The script of axe-core; without it, the test is skipped."""
    axe = pytest.importorskip(
        "axe_playwright_python", reason="accessibility tests need the axe-playwright-python package"
    )
    return (Path(axe.__file__).parent / "axe.min.js").read_text()


def problems(tab, **only):
    """Serious problems of what a tab shows; ``only`` are options of ``axe.run``."""
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(script())
    return tab.evaluate(_RUN, only)
