"""A Linux machine that runs in Node, with the page's proxy and the companion's rules for addresses."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from gemini.computer.shell.linux_proxy.connections import Connections
from gemini.computer.shell.linux_proxy.proxy import Proxy
from gemini.errors import GeminiError
from gemini.tools.calls import Call
from gemini_companion.network import Fetcher, Reach, fetching
from gemini_companion.network import headers as rules
from gemini_companion.network.description import facts
from gemini_companion.network.errors import AddressRefused, ConsentRefused, HostUnknown
from gemini_companion.network.targets import parse
from gemini_userland.http import NoAnswer, Request, Response
from tests.attacks.linux_guest import LIMIT_S, resolve, speaking
from tests.attacks.outside import HOST, Outside
from tests.compiling import compiled
from tests.web.linux_page import require_machine

HERE = Path(__file__).parent
MODULES = (
    *("linux/emulator.ts", "linux/frames.ts", "linux/channel.ts", "linux/files/server.ts"),
    *("linux/disk/blocks.ts", "linux/disk/changes.ts", "linux/disk/system.ts"),
)
REFUSED = (AddressRefused, ConsentRefused, HostUnknown)


class Booted:
    """Root's shell in a booted machine, and the user who is asked.

    Args:
        dist: The built site.
        port: The port of the server that the user may allow.
    """

    def __init__(self, dist: Path, port: int) -> None:
        self._dist = dist
        self._fetcher = Fetcher(Reach(resolve, also={(HOST, port)}))
        self._loop = asyncio.new_event_loop()
        self._decisions: Sequence[str] = ()
        self._questions: list[str] = []
        self._received: asyncio.Queue[bytes] = asyncio.Queue()
        self._ran: dict[int, asyncio.Future[str]] = {}
        self._thread = threading.Thread(target=self._loop.run_forever, name="linux")
        self._thread.start()
        self._do(self._start())

    def _do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(LIMIT_S)

    async def _start(self) -> None:
        [folder], [pyodide] = self._dist.glob("linux-*"), self._dist.glob("pyodide-*/pyodide.mjs")
        [lock] = self._dist.glob("surface-*/packages/pyodide-lock.json")
        modules = compiled(*MODULES) / "linux"
        command = [find_node().node, HERE / "linux_machine.mjs", folder, modules, pyodide, lock]
        pipe = asyncio.subprocess.PIPE
        self._node = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1 << 24)
        proxy = Proxy(
            self._fetch,
            lambda user: Call(0, "a program of the Linux", "", "outside", None),
            lambda url: False,
        )
        connections = Connections(self, proxy.serve)
        self._reading = asyncio.create_task(self._read())
        self._serving = asyncio.create_task(connections.run())
        await connections.ready

    async def _read(self) -> None:
        assert self._node.stdout is not None
        while line := await self._node.stdout.readline():
            message = json.loads(line)
            if "proxy" in message:
                self._received.put_nowait(base64.b64decode(message["proxy"]))
            else:
                self._ran.pop(message["ran"]).set_result(message["printed"])
        self._received.put_nowait(b"")

    # The wire of the proxy's program (gemini/computer/shell/linux_proxy/connections.py).

    async def receive(self) -> bytes:
        return await self._received.get()

    def send(self, data: bytes) -> None:
        self._tell({"proxy": base64.b64encode(data).decode()})

    def _tell(self, message: Mapping[str, Any]) -> None:
        assert self._node.stdin is not None
        self._node.stdin.write(json.dumps(message).encode() + b"\n")

    def close(self) -> None:
        """End the machine."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        assert self._node.stdin is not None
        self._node.stdin.close()
        await self._node.wait()
        await self._reading
        await self._serving
        await self._fetcher.aclose()

    # The network door, which asks about each request.

    async def _fetch(self, request: Request) -> Response:
        try:
            target = parse(request.url)
            self._fetcher.reach.require_possible(target)
            sent = rules.sent(list(request.headers))
            call = fetching.Call(request.method, target, sent, len(request.body), _pieces(request.body))
            self._ask(call)
            async with self._fetcher.answer(call) as answer:
                body = b"".join([piece async for piece in answer.chunks])
                headers = [
                    (name.decode("latin-1").lower(), value.decode("latin-1"))
                    for name, value in answer.headers
                ]
                return Response(answer.status, answer.reason, headers, body)
        except GeminiError as error:
            raise NoAnswer(
                "refused" if isinstance(error, REFUSED) else "no connection", str(error)
            ) from error

    def _ask(self, call: fetching.Call) -> None:
        decision = self._decisions[min(len(self._questions), len(self._decisions) - 1)]
        self._questions.append(str(facts(call)["url"]))
        if decision != "once":
            raise ConsentRefused("the user refused", hint="")

    def run(self, command: str, *decisions: str) -> tuple[str, list[str]]:
        """Run a command, and answer its questions; return all that it printed, and the addresses of the questions."""
        self._decisions, self._questions = decisions or ("refuse",), []
        return self._do(self._run(command)), self._questions

    async def _run(self, command: str) -> str:
        number = len(self._ran) + 1
        self._ran[number] = ran = asyncio.get_running_loop().create_future()
        self._tell({"run": number, "command": command})
        return await ran

    def speak(self, *texts: str, decisions: Sequence[str] = ()) -> tuple[str, list[str]]:
        """Send bytes to the proxy in one connection; return its answers, and the questions."""
        return self.run(speaking(*texts), *decisions)


async def _pieces(body: bytes) -> AsyncGenerator[bytes]:
    yield body


@pytest.fixture(scope="module")
def booted(surface_dist: Path, reachable_of_module: Outside) -> Iterator[Booted]:
    require_machine(surface_dist)
    machine = Booted(surface_dist, reachable_of_module.port)
    yield machine
    machine.close()
