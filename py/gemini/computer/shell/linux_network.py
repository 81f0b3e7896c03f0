"""The network of Linux in the page: a proxy in the machine, whose requests pass the network door."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gemini.computer.python import process
from gemini.computer.shell.backend import NO_TERMINAL
from gemini.computer.shell.linux_proxy.connections import Connection, Connections, SavedConnections, Wire
from gemini.core import ffi, loading
from gemini.errors import ShellUnavailable
from gemini.tools.calls import Call, current_call

if TYPE_CHECKING:
    from gemini.computer.shell.linux_proxy.proxy import Proxy

PORT = 3128
# builder/linux/guest/init makes this folder.
FOLDER = "/run/proxy"
CERTIFICATE = f"{FOLDER}/authority.pem"
PROGRAM = [f"{FOLDER}/proxy", str(PORT), CERTIFICATE]
# Files for programs that read no variable of their own with the authority: apt and wget.
SETTINGS = {"APT_CONFIG": f"{FOLDER}/apt.conf", "SYSTEM_WGETRC": f"{FOLDER}/wgetrc"}
# What OpenSSL and Python, curl, git, pip, requests, Node, Perl and cargo take the authority from.
TRUST = (
    *("SSL_CERT_FILE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "PIP_CERT", "REQUESTS_CA_BUNDLE"),
    *("NODE_EXTRA_CA_CERTS", "PERL_LWP_SSL_CA_FILE", "CARGO_HTTP_CAINFO"),
)
# What lead programs to the proxy.
LEADING = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
MODULES = ("h11", "gemini.computer.shell.linux_proxy.client", "gemini.computer.shell.linux_proxy.proxy")
PROGRAM_OF_LINUX = "a program of the Linux"


def address(user: str) -> str:
    """Return the proxy's address for a user's programs.

    By it they say for whom a request is. In the machine each could say something else, as Python could.
    """
    return f"http://{user}:linux@127.0.0.1:{PORT}"


class MachineNetwork:
    """The proxy of a machine, and the commands that its requests belong to.

    Args:
        wire: Carries the connections.
        saved: The connections of a saved machine.
    """

    def __init__(self, wire: Wire, saved: SavedConnections | None = None) -> None:
        self._calls: dict[str, Call] = {}
        self._terminals: dict[str, int] = {}
        self._connections = Connections(wire, self._serve, saved)
        self._running: asyncio.Task[None] | None = None
        # Its modules come with the first connection.
        self._proxy: Proxy | None = None

    def start(self) -> None:
        """Start passing connections on."""
        running = self._connections.run()
        self._running = asyncio.get_running_loop().create_task(running, context=process.detached())

    def save(self) -> SavedConnections:
        """Return what a copy of the machine needs of its connections."""
        return self._connections.save()

    async def prepared(self) -> None:
        """Wait until programs find the proxy, or none is coming; its key takes a moment."""
        await asyncio.wait({self._connections.ready})

    def add_user(self, user: str, terminal: int) -> None:
        """Add the user that the programs of a terminal's PTY name to the proxy."""
        self._terminals[user] = terminal

    def environment(self, user: str) -> dict[str, str]:
        """Return the variables that lead a user's programs to the proxy."""
        return {
            **dict.fromkeys(LEADING, address(user)),
            **dict.fromkeys(("no_proxy", "NO_PROXY"), "localhost,127.0.0.1,::1"),
            **dict.fromkeys(TRUST, CERTIFICATE),
            **SETTINGS,
        }

    @contextmanager
    def command(self, terminal: int) -> Generator[str]:
        """Return the user of a command's programs, whose requests are sent in the name of the current call.

        A program in the background may outlive its call. No later call on its terminal may speak for it, nor one after
        a reload for what a saved machine still runs, so its user is of no other command.

        Args:
            terminal: The number of its terminal.
        """
        user = f"command-{secrets.token_hex(8)}"
        call = current_call()
        self._terminals[user] = terminal
        if call is not None:
            self._calls[user] = call
        try:
            yield user
        finally:
            del self._terminals[user]
            self._calls.pop(user, None)

    def call_of(self, user: str | None) -> Call:
        """Return the call in whose name a program sends a request.

        Args:
            user: The user that it names to the proxy.
        """
        number = self._terminals.get(user or "", NO_TERMINAL)
        described = PROGRAM_OF_LINUX if number == NO_TERMINAL else f"{PROGRAM_OF_LINUX}, in term-{number}"
        call = self._calls.get(user or "")
        return replace(call, tool=described) if call else Call(0, described, "", "outside", None)

    async def _serve(self, connection: Connection) -> None:
        try:
            await ffi.load_programs()
            what = "the package that reads requests of the Linux"
            await loading.load_packages(("h11",), MODULES, ShellUnavailable, what)
        except (OSError, ShellUnavailable) as error:
            # Nothing that writes HTTP is there.
            with suppress(ConnectionResetError):
                await connection.write(
                    f"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n{error}\n".encode()
                )
            return
        from gemini.computer.network.commands import send
        from gemini.computer.shell.linux_proxy.proxy import Proxy

        if self._proxy is None:
            self._proxy = Proxy(send, self.call_of, ffi.is_own_url)
        await self._proxy.serve(connection)


class ChannelWire:
    """The wire of a machine: the standard streams of its program.

    Args:
        channel: The channel of the program (web/linux/channel.ts).
    """

    def __init__(self, channel: Any) -> None:
        self._channel = channel

    @property
    def number(self) -> int:
        """The number of the channel."""
        return int(self._channel.number)

    async def receive(self) -> bytes:
        """Return the next bytes; see `Wire`."""
        piece = await self._channel.next()
        while piece.stream not in ("output", "exit"):
            piece = await self._channel.next()
        return b"" if piece.stream == "exit" else bytes(piece.bytes.to_bytes())

    def send(self, data: bytes) -> None:
        """Send bytes; see `Wire`."""
        self._channel.write(ffi.to_js_bytes(data))

    def close(self) -> None:
        """End the program; see `Wire`."""
        self._channel.close()
