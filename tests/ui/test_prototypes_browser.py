"""The Public prototypes page in a real browser: its images follow the pointer."""

from tests.kit.browser import PATIENCE, sentence, settled


def test_images_follow_pointer_without_server_until_release(page, server):
    messages = []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda payload: messages.append(payload))
    )
    page.goto(f"{server['url']}/public-prototypes?voice=precise&data={server['own']}&ir=10")
    sentence(page, r"At \(1, 1e-5\)-DP")
    hand = page.get_by_role("slider", name="Budget in the chart")
    hand.wait_for(timeout=PATIENCE)
    settled(page)
    page.wait_for_timeout(500)
    messages.clear()
    line = page.locator(".dp-finding")
    hand.scroll_into_view_if_needed()
    box = hand.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    seen = set()
    for step in range(41):
        page.mouse.move(box["x"] + box["width"] * step / 40, box["y"] + box["height"] / 2)
        seen.add(line.text_content())
    assert len(seen) >= 10 and not messages
    assert "At (10, 1e-5)-DP" in page.locator(".dp-ahead").inner_text()
    page.mouse.up()
    sentence(page, r"At \(10, 1e-5\)-DP")
    settled(page)
    assert len(messages) == 1
    page.get_by_role("slider", name="Privacy budget ε").first.focus()
    page.keyboard.press("ArrowLeft")
    page.locator(".dp-finding", has_text="(5, 1e-5)-DP").wait_for(timeout=PATIENCE)
    sentence(page, r"At \(5, 1e-5\)-DP")
