"""The program of the machine's proxy, which the build has made: TLS and the life of connections, with real clients."""

from __future__ import annotations

import asyncio
import hashlib
import os
import platform
import shutil
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from builder.linux import compiling
from builder.project import Project
from gemini.computer.shell.linux_proxy.connections import Connections
from gemini.computer.shell.linux_proxy.proxy import Proxy
from gemini.tools.calls import Call
from gemini_userland.http import Request, Response

PROGRAM = compiling.folder(Project(Path(__file__).parents[3])) / "proxy"
PATIENCE_S = 60
pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not PROGRAM.is_file(), reason="`python3 build.py linux` makes the program"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the program is for x86"),
]


@dataclass
class Wire:
    process: asyncio.subprocess.Process

    async def receive(self) -> bytes:
        assert self.process.stdout is not None
        return await self.process.stdout.read(1 << 16)

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def close(self) -> None:
        self.process.kill()


@dataclass
class World:
    """The running program; `answer` is the network door's response to a request."""

    port: int
    authority: Path
    sent: list[Request] = field(default_factory=list[Request])
    answer: Callable[[Request], Response] = lambda request: Response(200, "OK", [], request.url.encode())

    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    async def connect(
        self, host: str, trust: ssl.SSLContext
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a host through the proxy with TLS."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        try:
            await writer.start_tls(trust, server_hostname=host.strip("[]"))
        except ssl.SSLError:
            writer.close()
            raise
        return reader, writer

    async def run(self, *command: str) -> tuple[int | None, str]:
        """Run a client, which finds the proxy as in the machine."""
        address = f"http://terminal-1:linux@127.0.0.1:{self.port}"
        environment = dict.fromkeys(("http_proxy", "https_proxy"), address)
        environment |= dict.fromkeys(("CURL_CA_BUNDLE", "GIT_SSL_CAINFO"), str(self.authority))
        pipe, both = asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
        plain = {"PATH": os.environ["PATH"], "HOME": str(self.authority.parent), **environment}
        client = await asyncio.create_subprocess_exec(*command, env=plain, stdout=pipe, stderr=both)
        output, _ = await client.communicate()
        return client.returncode, output.decode()


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    authority = tmp_path / "authority.pem"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(PROGRAM, "0", authority, stdin=pipe, stdout=pipe)

    async def send(request: Request) -> Response:
        world.sent.append(request)
        return world.answer(request)

    proxy = Proxy(send, lambda _: Call(0, "", "", "outside", None), lambda _: False)
    connections = Connections(Wire(process), proxy.serve)
    running = asyncio.create_task(connections.run())
    async with asyncio.timeout(PATIENCE_S):
        world = World(await connections.ready or 0, authority)
        yield world
        assert process.stdin is not None
        process.stdin.close()
        await running
        assert await process.wait() == 0


@pytest.mark.parametrize(
    "host", ["example.org", "127.0.0.9", "[::1]", f"{'a' * 60}.{'b' * 60}.{'c' * 60}.example"]
)
async def test_a_client_verifies_a_certificate_of_this_machine_for_its_host(world: World, host: str) -> None:
    reader, writer = await world.connect(host, world.trust())
    for path in ("/one", "/two"):
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = f"https://{host}{path}".encode()
        assert (await reader.readuntil(b"\r\n0\r\n\r\n")).endswith(answer + b"\r\n0\r\n\r\n")
    writer.close()
    # Nobody else's programs trust it.
    with pytest.raises(ssl.SSLCertVerificationError):
        await world.connect(host, ssl.create_default_context())


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_large_bodies_are_whole_both_ways(world: World, scheme: str, tmp_path: Path) -> None:
    body = os.urandom(3_000_000)
    (tmp_path / "sent").write_bytes(body)

    async def pieces() -> AsyncGenerator[bytes]:
        for at in range(0, len(body), 50_000):
            yield body[at : at + 50_000]

    world.answer = lambda _: Response(200, "OK", [], b"", pieces())
    url = f"{scheme}://example.org/x"
    got = str(tmp_path / "got")
    assert await world.run("curl", "-sS", "--data-binary", f"@{tmp_path / 'sent'}", "-o", got, url) == (0, "")
    assert hashlib.sha256(world.sent[0].body).digest() == hashlib.sha256(body).digest()
    assert Path(got).read_bytes() == body


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
async def test_git_shows_why_a_request_was_refused(world: World) -> None:
    refused = b"the user refused\n"
    world.answer = lambda _: Response(403, "Forbidden", [("content-type", "text/plain")], refused)
    code, output = await world.run("git", "ls-remote", "https://example.org/a.git")
    assert code == 128 and "remote: the user refused" in output
    assert world.sent[0].url == "https://example.org/a.git/info/refs?service=git-upload-pack"


async def test_a_client_that_only_ends_its_request_gets_the_answer_and_one_that_leaves_withdraws_it(
    world: World,
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", world.port)
    writer.write(b"GET http://example.org/ HTTP/1.1\r\nHost: x\r\n\r\n")
    writer.write_eof()
    assert (await reader.read()).endswith(b"\r\n0\r\n\r\n")
    writer.close()

    started, closed = asyncio.Event(), asyncio.Event()

    async def endless() -> AsyncGenerator[bytes]:
        try:
            started.set()
            await asyncio.get_running_loop().create_future()
            yield b""
        finally:
            closed.set()

    world.answer = lambda _: Response(200, "OK", [], b"", endless())
    for writer in [
        (await asyncio.open_connection("127.0.0.1", world.port))[1],
        (await world.connect("example.org", world.trust()))[1],
    ]:
        target = b"/" if writer.get_extra_info("ssl_object") else b"http://example.org/"
        writer.write(b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.wait()
        writer.transport.abort()
        await closed.wait()
        started.clear()
        closed.clear()
