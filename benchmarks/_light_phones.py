"""Phones without a browser, for ``class_room.py``: a process that does what it is told, a line of
JSON each, and says when. Times are of the system's monotonic clock, which processes share.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any


class Phone:
    """One phone: takes a seat by the page, hears events, answers."""

    def __init__(self, port: int, code: str, value: int) -> None:
        """port: on this machine; code: of the room; value: what it will answer."""
        self.port, self.code, self.value = port, code, value
        self.cookie, self.joined = "", 0.0
        self.heard: dict[str, float] = {}
        self._listening: asyncio.Task | None = None

    async def join(self) -> None:
        """As somebody who has read the code: the page, a seat, the first event."""
        began = time.monotonic()
        await self.request("GET", f"/{self.code}")
        head, _ = await self.request("POST", f"/{self.code}/seat", {})
        self.cookie = head.partition("set-cookie: ")[2].partition(";")[0]
        await self.listen()
        self.joined = time.monotonic() - began

    async def listen(self) -> None:
        """Open the stream, and wait for what it says first."""
        first = asyncio.Event()
        self._listening = asyncio.ensure_future(self._listen(first))
        await asyncio.wait_for(first.wait(), 60)

    async def _listen(self, first: asyncio.Event) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head("GET", f"/{self.code}/events", b""))
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    state = json.loads(line[6:])
                    event = f"{state['phase']} {state.get('number')}"
                    self.heard.setdefault(event, time.monotonic())
                    first.set()
        finally:
            writer.close()

    def tear(self) -> None:
        """Lose the connection."""
        if self._listening:
            self._listening.cancel()

    async def answer(self, number: int, options: int = 0, delay: float = 0.0) -> float:
        """Answer one of so many options, or a number of one's own; returns when it was tapped."""
        await asyncio.sleep(delay)
        tapped = time.monotonic()
        message = {"number": number, "value": self.value % options if options else self.value}
        head, _ = await self.request("POST", f"/{self.code}/answer", message)
        if " 200 " not in head.splitlines()[0]:
            raise RuntimeError(head)
        return tapped

    async def request(self, method: str, path: str, message: Any = None) -> tuple[str, bytes]:
        """Head and body of the answer to one request."""
        body = b"" if message is None else json.dumps(message).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self._head(method, path, body, "Connection: close\r\n"))
        whole = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        head, _, rest = whole.partition(b"\r\n\r\n")
        return head.decode("latin-1"), rest

    def _head(self, method: str, path: str, body: bytes, headers: str = "") -> bytes:
        own = f"127.0.0.1:{self.port}"
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        sends = (
            f"Origin: http://{own}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
            if method == "POST"
            else ""
        )
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {own}\r\n{cookie}{sends}{headers}\r\n".encode()
            + body
        )


async def obey(phones: list[Phone], command: dict[str, Any]) -> Any:
    """Do what one line says, with all phones at once."""
    if command["do"] == "join":
        phones += [Phone(command["port"], command["code"], i) for i in range(command["people"])]
        await asyncio.gather(*(phone.join() for phone in phones))
        return [phone.joined for phone in phones]
    if command["do"] == "answer":
        number, options, interval = (
            command["number"],
            command.get("options", 0),
            command.get("apart", 0.0),
        )
        taps = (phone.answer(number, options, i * interval) for i, phone in enumerate(phones))
        return await asyncio.gather(*taps)
    if command["do"] == "come back":
        for phone in phones[::2]:
            phone.tear()
        await asyncio.gather(*(phone.listen() for phone in phones[::2]))
        return None
    if command["do"] == "heard":
        while not all(command["what"] in phone.heard for phone in phones):
            await asyncio.sleep(0.01)
        return [phone.heard[command["what"]] for phone in phones]
    for phone in phones:
        phone.tear()
    phones.clear()
    return None


async def main() -> None:
    """Read lines until there are no more."""
    phones: list[Phone] = []
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(await obey(phones, json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
