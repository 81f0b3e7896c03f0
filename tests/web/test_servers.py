"""Servers in the page: at their ports for programs, for curl, and for tabs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.site import Site

pytestmark = pytest.mark.fortnightly

CTRL_C = "\x03"
INDEX = """<!doctype html>
<title>Start</title><link rel=stylesheet href=/style.css>
<h1>Hello</h1><a href="sub/">Below</a>
"""
WSGI = """
import sys
from urllib.parse import parse_qs
from wsgiref.simple_server import make_server

FORM = b"<title>Form</title><form method=post action=/said><input name=word><button>Say</button></form>"

def app(environ, start_response):
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    if method == "POST":
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        word = parse_qs(body.decode())["word"][0]
        start_response("303 See Other", [("Location", f"http://{environ['HTTP_HOST']}/heard?{word}")])
        return []
    if path == "/heard":
        start_response("200 OK", [("Content-Type", "text/html"), ("X-Path", path)])
        return [b"<title>Heard</title><p id=word>", environ["QUERY_STRING"].encode(), b"</p>"]
    start_response("200 OK", [("Content-Type", "text/html")])
    return [FORM]

if __name__ == "__main__":
    with make_server("127.0.0.1", int(sys.argv[1]), app) as server:
        print("port", server.server_port)
        server.serve_forever()
"""
ASGI = """
import asyncio

state = {"started": False}
both = asyncio.Barrier(2)

async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        assert (await receive())["type"] == "lifespan.startup"
        state["started"] = True
        await send({"type": "lifespan.startup.complete"})
        assert (await receive())["type"] == "lifespan.shutdown"
        print("the end of", __name__)
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["path"] == "/fails":
        raise ValueError("as asked")
    if scope["path"] == "/both":
        await both.wait()
    if scope["path"] == "/never":
        await asyncio.Event().wait()
    body = (await receive())["body"]
    await send({"type": "http.response.start", "status": 201, "headers": [(b"content-type", b"text/html")]})
    await send({"type": "http.response.body", "body": b"<title>ASGI</title>", "more_body": True})
    text = f"{scope['method']} {scope['path']} {scope['query_string'].decode()} {body.decode()} {state['started']}"
    await send({"type": "http.response.body", "body": text.encode()})
"""
# Sends a line for each file that appears, and ends when the client has left.
STREAM = """
import asyncio, os

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    if scope["path"] == "/":
        head = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"<title>Events</title><p>" + b"." * 1024})
        return
    if scope["path"] == "/many":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for number in range(40):
            await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})
            print("sent", number, flush=True)
        return
    head = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    for name in ("one", "two"):
        while not os.path.exists(name):
            await asyncio.sleep(0.01)
        await send({"type": "http.response.body", "body": f"data: {name}\\n\\n".encode(), "more_body": True})
    if scope["path"] == "/events":
        try:
            while True:
                await send({"type": "http.response.body", "body": b": still\\n\\n", "more_body": True})
                await asyncio.sleep(0.01)
        finally:
            print("left", flush=True)
"""
# Says which path was asked for, then repeats its input; "end" ends it.
SOCKETS = """
async def app(scope, receive, send):
    if scope["type"] == "http":
        head = [(b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"<title>Sockets</title>"})
    if scope["type"] != "websocket":
        return
    await receive()
    if scope["path"] == "/refused":
        await send({"type": "websocket.close"})
        return
    await send({"type": "websocket.accept", "subprotocol": (scope["subprotocols"] or [None])[-1]})
    await send({"type": "websocket.send", "text": f"{scope['path']}?{scope['query_string'].decode()}"})
    while (message := await receive())["type"] == "websocket.receive":
        if message.get("text") == "end":
            await send({"type": "websocket.close", "code": 4001, "reason": "as asked"})
        else:
            await send({**message, "type": "websocket.send"})
    print("left", message["code"], flush=True)
"""
# Opens a WebSocket, sends its messages after the first one arrives, and returns its events.
TALK = """
window.talk = (url, protocols, sent, { close = null, binaryType = "blob" } = {}) => new Promise((resolve) => {
  const events = [];
  const socket = new WebSocket(url, protocols);
  socket.binaryType = binaryType;
  events.push(socket.readyState, socket.url.replace(location.host, "here"), socket instanceof WebSocket);
  socket.onopen = () => events.push(["open", socket.readyState, socket.protocol]);
  let answers = 0;
  socket.addEventListener("message", async ({ data, origin }) => {
    const at = events.push(null) - 1;
    if (answers++ === 0) for (const each of sent) socket.send(each);
    const last = answers > sent.length && close;
    events[at] = typeof data === "string" ? data : [data.constructor.name, await new Response(data).text()];
    if (last) socket.close(...close);
  });
  socket.onerror = ({ type }) => events.push(type);
  socket.onclose = ({ code, reason, wasClean }) => {
    resolve([...events, [code, reason, wasClean, socket.readyState, socket.bufferedAmount]]);
  };
});
"""
PROTOCOL = """
import asyncio

async def answer(reader, writer):
    line = await reader.readline()
    writer.write(line.upper())
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=1_000_000)
    port = server.sockets[0].getsockname()[1]
    async def ask(text):
        reader, writer = await asyncio.open_connection("localhost", port)
        writer.write(text.encode() + b"\\n")
        return await reader.read()
    print(await asyncio.gather(ask("one"), ask("x" * 300_000)) == [b"ONE\\n", b"X" * 300_000 + b"\\n"])
    server.close()
    try:
        await ask("two")
    except ConnectionRefusedError:
        print("refused")

asyncio.run(main())
"""


class Servers:
    """Starts servers, each in its own terminal."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self._terminals: list[str] = []

    def start(self, command: str, says: str, cwd: str = "/project") -> str:
        """Run a command in a new terminal, wait until its screen has a text, and return the terminal."""
        terminal: str = self.surface.call("terminal_create", working_dir=cwd)["terminal_id"]
        self._terminals.append(terminal)
        self.surface.call("terminal_input", terminal_id=terminal, text=f"{command}\n")
        self.reads(terminal, says)
        return terminal

    def reads(self, terminal: str, text: str) -> None:
        """Wait until a terminal's screen has a text."""
        self.surface.python(
            "import asyncio\nfrom gemini.kernel import kernel\n"
            f"terminal = kernel.kernel.terminals.get({terminal!r})\n"
            "async with asyncio.timeout(20):\n"
            f"    while {text!r} not in '\\n'.join(terminal.lines):\n        await asyncio.sleep(0.01)"
        )

    def lines(self, terminal: str) -> list[str]:
        """Return the lines of a terminal's screen."""
        lines: list[str] = self.surface.python(
            f"from gemini.kernel import kernel\nkernel.kernel.terminals.get({terminal!r}).lines"
        )
        return lines

    def stop(self, terminal: str) -> None:
        """Press Ctrl-C, and wait for the prompt."""
        self.surface.call("terminal_input", terminal_id=terminal, text=f"{CTRL_C}echo st''opped\n")
        self.reads(terminal, "stopped")

    def run(self, command: str) -> dict[str, Any]:
        """Run a command in a separate terminal while the servers run."""
        terminal: str = self.surface.call("terminal_create")["terminal_id"]
        self._terminals.append(terminal)
        result: dict[str, Any] = self.surface.call(
            "terminal_execute", terminal_id=terminal, command=command, timeout_s=20, streams=True
        )
        return result

    def close(self) -> None:
        for terminal in self._terminals:
            self.surface.call("terminal_close", terminal_id=terminal)
        # The page then brings up the terminal that is used next, over the panel that a test opens.
        for terminal in self._terminals:
            self.surface.wait_for(f"!document.querySelector('[data-tab-panel-id={terminal}]')")


@pytest.fixture
def servers(surface: Surface) -> Iterator[Servers]:
    made = Servers(surface)
    yield made
    made.close()


@pytest.fixture
def site(surface: Surface, folder: str) -> Site:
    """Write a site into the test's folder."""
    files = {"index.html": INDEX, "style.css": "h1 { color: rgb(1, 2, 3) }", "sub/page.txt": "text"}
    for name, text in files.items():
        surface.call("file_write", path=f"{folder}/{name}", content=text)
    return Site(surface)


def test_http_server_shows_a_folder_in_a_tab(servers: Servers, site: Site, folder: str) -> None:
    port = 8101
    terminal = servers.start(f"python -m http.server {port}", "Serving HTTP on 0.0.0.0 port 8101", folder)
    opened = site.open(f"http://127.0.0.1:{port}")
    assert (opened["title"], opened["url"]) == ("Start", f"http://localhost:{port}/")
    assert site.run("return getComputedStyle(document.querySelector('h1')).color") == "rgb(1, 2, 3)"
    assert "Below" in site.surface.call("browser_snapshot")
    assert site.surface.call("browser_click", selector="a")["success"]
    assert site.says("document.title") == "Directory listing for /sub/"
    assert site.surface.call("browser_tabs", action="list")[-1]["url"] == f"http://localhost:{port}/sub/"
    assert site.run("return (await fetch('page.txt')).text()") == "text"
    assert site.run("return (await fetch('none')).status") == 404
    servers.reads(terminal, "127.0.0.1 - - [")
    servers.reads(terminal, '"GET /sub/page.txt HTTP/1.1" 200 -')
    servers.reads(terminal, "code 404, message File not found")


@pytest.mark.extended
def test_programs_reach_a_server_without_a_question(servers: Servers, site: Site, folder: str) -> None:
    servers.start(
        "python -m http.server 8102 --bind 127.0.0.1", "Serving HTTP on 127.0.0.1 port 8102", folder
    )
    got = servers.run("curl -si http://localhost:8102/sub/page.txt")
    assert got["stdout"].startswith("HTTP/1.1 200 OK\r\n")
    assert got["stdout"].endswith("\r\n\r\ntext")
    assert "Content-Type: text/plain" in got["stdout"]
    assert servers.run("curl -sL -o /dev/null -w '%{http_code}' localhost:8102/sub")["stdout"] == "200"
    code = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8102/sub/page.txt').read())"
    assert servers.run(f'python -c "{code}"')["stdout"] == "b'text'\n"
    code = (
        "import socket; s = socket.create_connection(('localhost', 8102)); "
        "s.sendall(b'GET /sub/page.txt HTTP/1.0\\r\\n\\r\\n'); print(s.makefile('rb').read()[-4:])"
    )
    assert servers.run(f'python -c "{code}"')["stdout"] == "b'text'\n"


@pytest.mark.extended
def test_ctrl_c_frees_the_port_and_a_busy_port_is_an_error(servers: Servers, site: Site, folder: str) -> None:
    terminal = servers.start("python -m http.server 8103", "port 8103", folder)
    busy = servers.run("python -m http.server 8103")
    assert busy["exit_code"] == 1
    assert busy["stderr"].endswith("OSError: [Errno 3] Address in use\n")
    site.open("http://localhost:8103/")
    servers.stop(terminal)
    servers.reads(terminal, "Keyboard interrupt received, exiting.")
    refused = servers.run("python -c \"import socket; socket.create_connection(('localhost', 8103))\"")
    assert "ConnectionRefusedError" in refused["stderr"]
    site.surface.call("browser_tabs", action="reload", tab=site.tab)
    assert site.says("document.title") == "No server listens at port 8103"
    servers.start("python -m http.server 8103", "port 8103", folder)
    site.surface.call("browser_tabs", action="reload", tab=site.tab)
    assert site.says("document.title") == "Start"


@pytest.mark.extended
def test_a_form_is_sent_to_a_wsgi_application(servers: Servers, site: Site, folder: str) -> None:
    site.surface.call("file_write", path=f"{folder}/app.py", content=WSGI)
    servers.start("python app.py 8104", "port 8104", folder)
    site.open("http://localhost:8104/")
    site.surface.call("browser_type", selector="[name=word]", text="peace")
    site.surface.call("browser_click", selector="button")
    assert site.says("document.querySelector('#word') && word.textContent") == "peace"
    assert site.run("const r = await fetch('/heard'); return r.headers.get('x-path')") == "/heard"
    posted = servers.run("curl -s -L -d word=love http://localhost:8104/said")
    assert "<p id=word>love</p>" in posted["stdout"]


def test_serve_runs_a_wsgi_application(servers: Servers, site: Site, folder: str) -> None:
    site.surface.call("file_write", path=f"{folder}/app.py", content=WSGI)
    terminal = servers.start("serve app:app --port 8105", "Serving WSGI on http://localhost:8105/", folder)
    assert "<form method=post" in servers.run("curl -s localhost:8105")["stdout"]
    servers.reads(terminal, '"GET / HTTP/1.1" 200')
    servers.stop(terminal)
    assert "app has no 'none'" in servers.run(f"cd {folder} && serve app:none")["stderr"]


def test_serve_runs_an_asgi_application(servers: Servers, site: Site, folder: str) -> None:
    site.surface.call("file_write", path=f"{folder}/web/app.py", content=ASGI)
    terminal = servers.start("serve web.app -p 8106", "Serving ASGI on http://localhost:8106/", folder)
    site.open("http://localhost:8106/a%20b?c=d")
    assert site.run("return document.body.innerText") == "GET /a b c=d True"
    post = "const r = await fetch('/x', { method: 'POST', body: 'body' }); return [r.status, await r.text()]"
    assert site.run(post) == [201, "<title>ASGI</title>POST /x  body True"]
    # Each waits for the other.
    both = "return (await Promise.all([fetch('/both'), fetch('/both')])).map(({ status }) => status)"
    assert site.run(both) == [201, 201]
    assert site.run("return (await fetch('/fails')).status") == 500
    servers.reads(terminal, "ValueError: as asked")
    servers.stop(terminal)
    servers.reads(terminal, "the end of web.app")


def test_a_request_that_ends_with_its_program_prints_no_error(
    servers: Servers, site: Site, folder: str
) -> None:
    servers.surface.call("file_write", path=f"{folder}/never/app.py", content=ASGI)
    servers.start("serve app:app -p 8107", "Serving ASGI on http://localhost:8107/", f"{folder}/never")
    ask = "from urllib.request import urlopen; urlopen('http://localhost:8107/never')"
    ended = servers.run(f'timeout 0.5 python -c "{ask}"; echo $?')
    assert ended["stdout"] == "124\n" and "CancelledError" not in ended["stderr"]
    assert not [line for line in servers.surface.console() if "destroyed" in line]


def test_answers_are_streamed_to_pages(servers: Servers, site: Site, folder: str) -> None:
    site.surface.call("file_write", path=f"{folder}/app.py", content=STREAM)
    terminal = servers.start("serve app:app -p 8107", "Serving ASGI", folder)
    site.open("http://localhost:8107/")
    listen = (
        "window.heard = []; window.source = new EventSource('/events');"
        "source.onmessage = ({ data }) => heard.push(data); source.onerror = () => heard.push('error')"
    )
    site.run(listen)
    for name in ("one", "two"):
        site.surface.call("file_write", path=f"{folder}/{name}", content="")
        assert site.says(f"heard.at(-1) === {name!r} && heard.join()")
    assert site.run("source.close(); return heard") == ["one", "two"]
    servers.reads(terminal, "left")
    # The server waits until the page reads.
    first = (
        "window.reader = (await fetch('/many')).body.getReader(); return (await reader.read()).value.length"
    )
    assert 0 < site.run(first) <= 2_000_000
    assert "sent 39" not in "\n".join(servers.lines(terminal))
    rest = (
        "for (let size = 0;;) { const { done, value } = await reader.read();"
        "if (done) return size; size += value.length }"
    )
    assert site.run(rest) > 2_000_000


def test_pages_have_websockets_to_their_server(servers: Servers, site: Site, folder: str) -> None:
    site.surface.call("file_write", path=f"{folder}/app.py", content=SOCKETS)
    terminal = servers.start("serve app:app -p 8110", "Serving ASGI", folder)
    site.open("http://localhost:8110/")
    site.run(TALK)
    assert site.run("return talk('ws://localhost:8110/a/b?c=d', ['x', 'y'], ['ä\ud83d\ude00', 'end'])") == [
        0, "ws://localhost:8110/a/b?c=d", True, ["open", 1, "y"], "/a/b?c=d", "ä\U0001f600",
        [4001, "as asked", True, 3, 0],
    ]  # fmt: skip
    servers.reads(terminal, "left 4001")
    closed = "{ close: [4100, 'bye'], binaryType: 'arraybuffer' }"
    sent = "[new Uint8Array([104, 105]), new Blob(['one']), 'two', '']"
    assert site.run(f"return talk('/chat', [], {sent}, {closed})") == [
        0, "ws://here/chat", True, ["open", 1, ""], "/chat?", ["ArrayBuffer", "hi"], ["ArrayBuffer", "one"], "two", "",
        [4100, "bye", True, 3, 0],
    ]  # fmt: skip
    servers.reads(terminal, "left 4100")
    # Larger than what a connection takes at once.
    large = "const large = 'ä'.repeat(300_000); const [, , , , , got] = await talk('/', [], [large, 'end'])"
    assert site.run(f"{large}; return got === large") is True
    refused = [0, "ws://here/refused", True, "error", [1006, "", False, 3, 0]]
    assert site.run("return talk('/refused', [], [])") == refused
    errors = [("'/', ['a', 'a']", "SyntaxError"), ("'ftp://a/'", "SyntaxError"), ("'/#a'", "SyntaxError")]
    for arguments, name in errors:
        assert site.run(f"try {{ new WebSocket({arguments}) }} catch ({{ name }}) {{ return name }}") == name
    # Neither another port nor another origin is reached: the policy forbids it.
    for url in ("ws://localhost:8111/", "wss://example.org/"):
        refuses = "return new Promise((done) => new WebSocket(arguments[0]).onerror = () => done('refused'))"
        assert site.run(refuses, url) == "refused"
    # A page that is left closes its sockets; a server that ends breaks them off.
    site.run("window.socket = new WebSocket('/'); return new Promise((done) => socket.onmessage = done)")
    site.run("location.reload()")
    servers.reads(terminal, "left 1006")
    site.says("window.talk === undefined && document.title === 'Sockets'")
    waits = "window.ended = new Promise((done) => socket.onclose = ({ code }) => done(code))"
    site.run(
        f"window.socket = new WebSocket('/'); {waits}; return new Promise((done) => socket.onmessage = done)"
    )
    servers.stop(terminal)
    assert site.run("return window.ended") == 1006


def test_answers_are_streamed_to_programs(servers: Servers, folder: str) -> None:
    servers.surface.call("file_write", path=f"{folder}/app.py", content=STREAM)
    servers.start("serve app:app -p 8108", "Serving ASGI", folder)
    terminal = servers.start("curl -s localhost:8108/lines; echo en''ded", "curl", folder)
    read = (
        "import sys, urllib.request as u\nanswer = u.urlopen('http://localhost:8108/lines')\n"
        "for line in answer:\n    print('read', line, flush=True)\nprint('done')"
    )
    servers.surface.call("file_write", path=f"{folder}/read.py", content=read)
    reader = servers.start("python read.py", "read.py", folder)
    servers.surface.call("file_write", path=f"{folder}/one", content="")
    servers.reads(terminal, "data: one")
    servers.reads(reader, "read b'data: one\\n'")
    assert "ended" not in "\n".join(servers.lines(terminal))
    assert "done" not in "\n".join(servers.lines(reader))
    servers.surface.call("file_write", path=f"{folder}/two", content="")
    servers.reads(terminal, "ended")
    servers.reads(reader, "done")
    assert servers.run("curl -s localhost:8108/many | wc -c")["stdout"] == "4000000\n"
    stopped = servers.run("curl -sS -m 0.3 localhost:8108/events")
    assert stopped["exit_code"] == 28 and stopped["stdout"].startswith("data: one\n\ndata: two\n"), stopped


def test_asyncio_has_servers_and_connections(servers: Servers, folder: str) -> None:
    servers.surface.call("file_write", path=f"{folder}/protocol.py", content=PROTOCOL)
    assert servers.run(f"python {folder}/protocol.py")["stdout"] == "True\nrefused\n"


@pytest.mark.extended
def test_lsof_lists_what_is_open(servers: Servers, folder: str) -> None:
    until = "until lsof -i :8033 >ports; do sleep 0.01; done"
    serving = (
        f"cd {folder}; python3 -m http.server 8033 & {until}; kill $(lsof -ti :8033); wait; lsof -i :8033"
    )
    served = servers.run(f"{serving}; echo $?; cat ports")
    assert "\n1\n" in served["stdout"], served
    port = served["stdout"].splitlines()[-1].split()
    assert (port[0], port[-2:]) == ("python3", ["*:8033", "(LISTEN)"])

    reading = f"""python3 -c "file = open('{folder}/data'); print('re' 'ady'); input()" """
    servers.start(f"echo 1 >data; exec 7>log; {reading}", "ready", folder)
    shown = servers.run(f"lsof; lsof {folder}/data {folder}/log")
    rows = [line.split() for line in shown["stdout"].splitlines()]
    assert ["cwd", folder] in [[row[3], row[-1]] for row in rows]
    files = [[row[0], row[1] == "-", row[3][-1], row[-1]] for row in rows[-2:]]
    assert sorted(files) == [
        ["python3", False, "w", f"{folder}/log"],
        ["python3", True, "r", f"{folder}/data"],
    ]
