"""The protocol of WebSockets, with the examples of RFC 6455, and answers of servers that break off."""

from __future__ import annotations

import asyncio

import pytest

from gemini.computer.servers import ports, websocket
from gemini.computer.servers.pages import Pages
from gemini.computer.servers.websocket import BROKEN_OFF, NO_STATUS, Closed, Connection

MASKED_HELLO = bytes.fromhex("8185 37fa213d 7f9f4d5158")
MASKED_PING = bytes.fromhex("8985 37fa213d 7f9f4d5158")


async def joined(port: int = 0) -> tuple[ports.End, ports.End]:
    """Return both ends of a connection."""
    listener = ports.bind("localhost", port)
    listener.listen()
    here = ports.connect(listener.port)
    there = listener.waiting.popleft()
    listener.close()
    return here, there


def test_the_handshake_is_answered_as_in_the_rfc() -> None:
    assert websocket.accepted("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


async def test_frames_are_read_and_written_as_in_the_rfc() -> None:
    client, server = await joined()
    side = Connection(server, MASKED_HELLO[:4], is_client=False)
    # A ping between the frames of a message is answered at once.
    parts = bytes.fromhex("0183 00000000 48656c"), MASKED_PING, bytes.fromhex("8082 00000000 6c6f")
    client.write(MASKED_HELLO[4:] + b"".join(parts))
    assert [await side.receive(), await side.receive()] == ["Hello", "Hello"]
    assert client.read(100) == bytes.fromhex("8a05 48656c6c6f")
    await side.send("Hello")
    await side.send(bytes(256))
    assert client.read(1000) == bytes.fromhex("8105 48656c6c6f 827e0100") + bytes(256)
    await side.close(4000, "bye")
    with pytest.raises(BrokenPipeError):
        await side.send("more")
    assert client.read(100) == bytes.fromhex("8805 0fa0 627965")
    client.write(bytes.fromhex("8882 00000000 0fa0"))
    assert await side.receive() == await side.receive() == Closed(4000)
    assert client.read(1) == b""


async def test_both_sides_talk_and_end() -> None:
    here, there = await joined()
    client, server = Connection(here, is_client=True), Connection(there, is_client=False)
    large = "ä" * 200_000
    sending = asyncio.create_task(client.send(large))
    assert await server.receive() == large
    await sending
    await client.send(b"\0\1")
    assert await server.receive() == b"\0\1"
    await client.close(NO_STATUS)
    assert await server.receive() == await client.receive() == Closed(NO_STATUS)
    here, there = await joined()
    Connection(here, is_client=True).abort()
    assert await Connection(there, is_client=False).receive() == Closed(BROKEN_OFF)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("8105 48656c6c6f", websocket.PROTOCOL_ERROR),
        ("c185 37fa213d 7f9f4d5158", websocket.PROTOCOL_ERROR),
        ("8080 00000000", websocket.PROTOCOL_ERROR),
        ("0980 00000000", websocket.PROTOCOL_ERROR),
        ("8882 00000000 03ed", websocket.PROTOCOL_ERROR),
        ("8181 00000000 ff", websocket.NOT_UTF_8),
        ("82ff 0000010000000000 00000000", websocket.TOO_LARGE),
    ],
    ids=[
        "not masked",
        "reserved bit",
        "no beginning",
        "ping in parts",
        "code 1005",
        "not UTF-8",
        "too large",
    ],
)
async def test_what_breaks_the_protocol_ends_the_connection(frame: str, code: int) -> None:
    client, server = await joined()
    client.write(bytes.fromhex(frame))
    assert await Connection(server, is_client=False).receive() == Closed(BROKEN_OFF)
    assert client.read(100) == bytes.fromhex("8802") + code.to_bytes(2, "big")
    assert client.read(1) == b""


async def test_an_answer_that_breaks_off_is_broken_for_its_page() -> None:
    listener = ports.bind("localhost", 0)
    listener.listen()
    request = {"port": listener.port, "method": "GET", "path": "/", "headers": [], "body": ""}
    pages = Pages(lambda kind, content, *_, **__: (kind, content))
    answering = asyncio.create_task(pages.answer({**request, "isDocument": False, "outside": False}))
    await listener.changes.next()
    server = listener.waiting.popleft()
    server.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
    answer = await answering
    stream = answer["stream"]
    assert (answer["content"], stream) == ("YQ==", 1)
    reading = asyncio.create_task(pages.more(stream))
    server.close()
    broken = {"content": "", "ends": False, "broken": True}
    assert await reading == await pages.more(stream) == broken
    listener.close()
