"""Lines of `curl` and `wget` against a server on loopback, compared with Debian's, or with what they printed."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gemini_userland.curl import curl
from gemini_userland.http import NoAnswer, Request, Response
from gemini_userland.invocation import Invocation
from gemini_userland.wget import wget
from tests.http_server import Server, http_server
from tests.tiers import in_turn

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "recorded.json").read_text())
COMMANDS = {"curl": curl, "wget": wget}
INPUT = "first=1&x y\n"
LINES = [
    f"{name} {line}" for name in COMMANDS for line in (HERE / f"{name}_lines.txt").read_text().splitlines()
]

Outcome = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with http_server() as server:
        yield server


def outcome(status: int, output: bytes, folder: Path, base: str) -> Outcome:
    """Return an outcome that doesn't depend on the server's port."""
    files = {
        str(path.relative_to(folder)): path.read_bytes().decode("latin-1").replace(base, "URL")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.read_text("latin-1") != INPUT
    }
    return {"exit_code": status, "stdout": output.decode("latin-1").replace(base, "URL"), "files": files}


def words(line: str, base: str, number: int) -> list[str]:
    return shlex.split(line.replace("$U", base).replace("$N", str(number)))


def of_system(line: str, server: Server, folder: Path) -> Outcome:
    base = f"http://127.0.0.1:{server.server_port}"
    done = subprocess.run(
        words(line, base, 1), cwd=folder, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=30, check=False,
    )  # fmt: skip
    return outcome(done.returncode, done.stdout, folder, base)


async def send(request: Request) -> Response:
    """Send a request with the standard library."""
    return await asyncio.to_thread(exchange, request)


def exchange(request: Request) -> Response:
    parts = urlsplit(request.url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    target = parts._replace(scheme="", netloc="").geturl()
    try:
        connection.request(request.method, target, request.body or None, dict(request.headers))
        got = connection.getresponse()
        body = got.read()
    except ConnectionRefusedError as error:
        raise NoAnswer("no connection", str(error)) from error
    except OSError as error:
        raise NoAnswer("unknown host", str(error)) from error
    finally:
        connection.close()
    headers = [(name.lower(), value) for name, value in got.headers.items()]
    if got.headers.get("Content-Encoding") == "gzip":
        # As the network door does.
        body = gzip.decompress(body)
        headers = [pair for pair in headers if pair[0] not in ("content-encoding", "content-length")]
    return Response(got.status, got.reason, headers, body)


async def of_ours(line: str, server: Server, folder: Path) -> Outcome:
    base = f"http://127.0.0.1:{server.server_port}"
    argv = words(line, base, 2)
    invocation = Invocation(argv, cwd=str(folder))
    status = await COMMANDS[argv[0]](invocation, send)
    return outcome(status, invocation.stdout.bytes(), folder, base)


@in_turn("line", LINES)
async def test_lines_print_what_the_systems_commands_print(line: str, server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    (folder / "in.txt").write_text(INPUT)
    ours = await of_ours(line, server, folder)
    assert ours == json.loads(json.dumps(RECORDED[line]).replace("$N", "2"))


def record() -> None:
    """Record the outcomes of this machine's commands: `python -m tests.unit.userland.network.test_lines`."""
    import tempfile

    found: dict[str, Outcome] = {}
    with http_server() as server:
        for line in LINES:
            with tempfile.TemporaryDirectory() as name:
                (Path(name) / "in.txt").write_text(INPUT)
                found[line] = of_system(line, server, Path(name))
    (HERE / "recorded.json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    assert all(map(shutil.which, COMMANDS))
    record()
