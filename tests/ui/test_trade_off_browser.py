"""Trade-off in a real browser: it draws, follows the hand, survives a link, and asks
nothing of the outside.
"""

import numpy as np

from tests.kit.browser import (
    PATIENCE,
    PHONE_IN_THE_DARK,
    begin,
    same_as_by_plotly,
    sentence,
    settled,
)

ONE_VISIT = True


def frames_of_a_drag(page, slider, shares):
    """Distinct read-outs of the chart while the mouse leads ``slider`` to these shares of its
    width, button still down.
    """
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    seen = set()
    for share in shares:
        page.mouse.move(box["x"] + box["width"] * share, y)
        seen.add(tuple(page.locator(".textpoint").all_text_contents()))
    return seen


def overheard(page, server):
    """What the page tells the server once it stands still."""
    messages = []
    keep = lambda payload: messages.append(payload)
    page.on("websocket", lambda socket: socket.on("framesent", keep))
    begin(page, server)
    assert messages, "the page is loaded here, else nothing is heard"
    page.wait_for_timeout(500)
    messages.clear()
    return messages


def test_chart_follows_pointer_without_server_until_release(page, server):
    messages = overheard(page, server)
    hand = page.get_by_role("slider", name="Budget in the chart")
    distinct = frames_of_a_drag(page, hand, np.linspace(0, 1, 61))
    assert len(distinct) >= 10 and not messages
    assert any("(10, 1e-5)-DP" in " ".join(words) for words in distinct)
    ahead = page.locator(".dp-ahead").inner_text()
    assert "At (10, 1e-5)-DP" in ahead, "the answer follows, too"
    assert same_as_by_plotly(page, page.mouse.up)
    page.locator(".dp-ahead").wait_for(state="detached", timeout=PATIENCE)
    assert page.locator(".st-key-answer [data-testid=stMarkdown]").last.inner_text() == ahead, (
        "the server says the same"
    )
    page.wait_for_function("location.search.includes('eps=10')")
    assert len(messages) == 1
    settled(page)
    messages.clear()
    control = page.get_by_role("slider", name="Budget ε")
    distinct = frames_of_a_drag(page, control, np.linspace(1, 0, 31))
    assert len(distinct) >= 10 and not messages, "nor is it asked while its own slider is dragged"
    page.mouse.up()
    sentence(page, r"At \(0\.01, 1e-5\)-DP")


IN_PLACE = """([hand, phone]) => {
  const [box, share] = [hand.getBoundingClientRect(), (hand.value - hand.min)];
  const handle = box.left + 8 + (share / (hand.max - hand.min)) * (box.width - 16);
  const chart = document.querySelector('.st-key-picture .js-plotly-plot');
  const rule = chart.querySelector(`.trace${chart._fullData.at(-4).uid} .js-line`);
  const line = rule.getBoundingClientRect();
  const names = document.querySelectorAll('.dp-names li').length;
  const ways = [...document.querySelectorAll('.st-key-picture .shapelayer path')];
  return Math.abs(handle - line.left - line.width / 2) <= 1 && Boolean(names) === phone
    && ways.some((way) => way.getClientRects().length) !== phone
    && (!phone || [...document.querySelectorAll(".dp-names b")].some((b) => b.textContent));
}"""
"""The slider's handle is below the chart's line; names are below the plot on a phone, else they are
beside it, with a way from each line to its name.
"""


def test_deployment_marks_and_slider_handle_match_chart_line(page, server):
    begin(page, server, moved=True)
    rail = page.get_by_role("slider", name="Budget in the chart").bounding_box()
    mark = page.get_by_role("button", name="In use here: Israel")
    box = mark.bounding_box()
    assert rail["x"] < box["x"] < rail["x"] + rail["width"]
    other_unit = "a different unit from this chart"
    label = mark.get_attribute("aria-label")
    assert other_unit not in label, "one birth is one record, as one image is"
    for name in ("Microsoft: broadband", "Google: searches"):
        other = page.get_by_role("button", name=name)
        assert other_unit in other.get_attribute("aria-label")
        assert other.bounding_box()["y"] == box["y"] >= rail["y"] + rail["height"]
    mark.focus()
    page.keyboard.press("Enter")
    told = page.locator(".promises .told")
    assert "ε = 9.98" in told.inner_text() and "differ" in told.inner_text()
    page.keyboard.press("Escape")
    assert not told.is_visible()
    page.get_by_role("button", name="2 beyond this axis: US Census").click()
    assert "ε = 17.14 at δ = 1e-10" in told.inner_text() and "LinkedIn" in told.inner_text()
    page.keyboard.press("Escape")
    hand = page.get_by_role("slider", name="Budget in the chart")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.locator(f"[data-names={'beside' if width > 640 else 'below'}]").wait_for()
        for key, budget in (("Home", "0.01"), ("ArrowRight", "0.02"), ("End", "10")):
            hand.focus()
            page.keyboard.press(key)
            page.locator(".textpoint", has_text=f"({budget}, 1e-5)-DP").wait_for()
            page.wait_for_function(IN_PLACE, arg=[hand.element_handle(), width == 390])
            sentence(page, rf"At \({budget}, 1e-5\)-DP")
            settled(page)


@PHONE_IN_THE_DARK
def test_phone_in_dark_mode_needs_no_horizontal_scroll(page, server):
    begin(page, server, moved=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    chart = page.locator(".js-plotly-plot").first.bounding_box()
    assert chart["width"] <= 390


OTHER_SETTINGS = "document.querySelector('[data-settings]').dataset.settings = 'other'"


def test_slider_shows_no_answer_of_earlier_settings(page, server):
    begin(page, server, moved=True)
    page.evaluate(OTHER_SETTINGS)  # as while the server computes for another data set
    hand = page.get_by_role("slider", name="Budget in the chart")
    assert len(frames_of_a_drag(page, hand, np.linspace(0, 1, 11))) >= 3
    assert page.locator(".dp-ahead").count() == 0
    page.mouse.up()


KEEP_WHAT_IS_SHOWN = """() => {
  const chart = document.querySelector('.st-key-picture .js-plotly-plot');
  const look = () => {
    const texts = [...chart.querySelectorAll('.textpoint')];
    const words = texts.map((text) => text.textContent).join(' ');
    const budget = words.match(/\\(([\\d.]+), 1e-5\\)-DP/)?.[1];
    if (budget && budget !== chart.shown.at(-1)) chart.shown.push(budget);
  };
  chart.shown = [];
  look();
  const all = { subtree: true, childList: true, characterData: true };
  new MutationObserver(look).observe(chart, all);
}"""


def test_play_moves_budget_from_largest_to_smallest(page, server):
    begin(page, server, eps="3")
    page.evaluate(KEEP_WHAT_IS_SHOWN)
    page.get_by_text("▶ Play").first.click()
    sentence(page, r"At \(0\.01, 1e-5\)-DP")
    settled(page)
    shown = page.evaluate("document.querySelector('.st-key-picture .js-plotly-plot').shown")
    assert shown, "a move of the budget drew the chart anew"
    budgets = [float(budget) for budget in shown]
    assert budgets == [
        3,
        *sorted(budgets[1:], reverse=True),
    ], "the chart went back on its way or afterwards"
    assert budgets[1] == 10 and budgets[-1] == 0.01


def test_link_reopens_view_and_reset_leaves_it(page, server):
    begin(page, server, "trade-off", eps="0.2", score="balanced", m="dppl-public", n="3", seed="7")
    sentence(page, r"At \(0\.2, 1e-5\)-DP")
    page.get_by_text("3 noise seeds").first.wait_for()
    first = sentence(page, r"At \(0\.2")
    page.reload()
    assert sentence(page, r"At \(0\.2") == first
    settled(page)
    assert "score=balanced" in page.url and "m=dppl-public" in page.url and "eps=0.2" in page.url
    page.get_by_text("Reset all settings").click()
    page.wait_for_function("location.search === ''")


WRONG = "dppl-public.d_min=1.9&dppl-public.d_max=1.5"


def test_refusal_is_shown_as_message_on_page(page, server):
    page.goto(f"{server['url']}/trade-off?data={server['own']}&m=dppl-public&{WRONG}")
    alert = page.get_by_role("alert").filter(has_text="below d_max")
    alert.wait_for(timeout=PATIENCE)
    assert "Traceback" not in page.content()
