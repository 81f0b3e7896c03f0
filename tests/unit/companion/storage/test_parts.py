"""Parts of the page that are fetched on first use, from an index that may be absent, broken or hostile."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from builder.release import archives, parts
from gemini_companion import cli
from gemini_companion.doctor.installation import check_parts
from gemini_companion.errors import PartUnavailable
from gemini_companion.serving.static_files import Folder
from gemini_companion.storage.parts import JSON, LIST, MODULE, Parts

NAME = "surface-0123456789abcdef/packages/jedi.whl"
CONTENT = b"a wheel " * 20_000
WHEEL = f"{MODULE}-1.0-py3-none-any.whl"
Answers = Callable[[BaseHTTPRequestHandler, bytes], None]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    for variable in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    source = tmp_path / "jedi.whl"
    source.write_bytes(CONTENT)
    target = tmp_path / WHEEL
    archives.write_zip({f"{MODULE}/dist/{NAME}": source, "a/first.txt": source}, target, 1_700_000_000)
    return target


@pytest.fixture
def dist(tmp_path: Path, wheel: Path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / "index.html").touch()
    (folder / "tools.json").touch()
    (folder / LIST).write_text(json.dumps(parts.described(wheel)))
    return folder


def ranged(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    """Answer with the range that is asked for, as PyPI's host does."""
    first, last = handler.headers["Range"].removeprefix("bytes=").split("-")
    send(handler, data[int(first) : int(last) + 1], 206)


def send(handler: BaseHTTPRequestHandler, data: bytes, status: int = 200, cut: int = 0) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) - cut])


@contextlib.contextmanager
def index(
    wheel: Path, monkeypatch: pytest.MonkeyPatch, answers: Answers = ranged, *, html: bool = False
) -> Generator[list[str]]:
    """Run a package index with the wheel, and yield the paths that are asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802 - the base class's name
            asked.append(self.path)
            if self.path == f"/files/{WHEEL}":
                answers(self, wheel.read_bytes())
            elif self.path != "/simple/control-surface-parts/":
                send(self, b"", 404)
            elif html:
                page = f'<a href="../../files/{WHEEL}#sha256=00">{WHEEL}</a>'
                send(self, page.encode())
            else:
                listed = json.dumps({"files": [{"url": "../../files/x"}, {"url": f"../../files/{WHEEL}"}]})
                self.send_response(200)
                self.send_header("Content-Type", JSON)
                self.send_header("Content-Length", str(len(listed)))
                self.end_headers()
                self.wfile.write(listed.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple/")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield asked
        server.shutdown()


@pytest.mark.parametrize("html", [False, True])
def test_a_part_is_fetched_once_and_without_the_others(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, html: bool
) -> None:
    with index(wheel, monkeypatch, html=html) as asked:
        folder = Folder(dist)
        for _ in range(2):
            answer = folder.answer(f"/{NAME}")
            assert answer.body
            with answer.body as body:
                assert body.read() == CONTENT
            assert answer.headers["Content-Type"] == "application/zip"
            assert "immutable" in answer.headers["Cache-Control"]
        # Another start has it, too.
        assert Parts(dist).get(NAME).read_bytes() == CONTENT
    assert asked == ["/simple/control-surface-parts/", f"/files/{WHEEL}"]


def test_a_server_that_sends_the_whole_file_will_do(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with index(wheel, monkeypatch, send):
        assert Parts(dist).get(NAME).read_bytes() == CONTENT


def halved(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    first, last = handler.headers["Range"].removeprefix("bytes=").split("-")
    send(handler, data[int(first) : int(last) + 1], 206, cut=20)


def changed(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    first, last = handler.headers["Range"].removeprefix("bytes=").split("-")
    send(handler, bytes(int(last) + 1 - int(first)), 206)


def another(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    first, last = handler.headers["Range"].removeprefix("bytes=").split("-")
    packed = zlib.compress(CONTENT.swapcase() * 9, wbits=-zlib.MAX_WBITS)
    send(handler, packed.ljust(int(last) + 1 - int(first), b"\0"), 206)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (halved, "the connection ended before all of it had arrived"),
        (changed, "its hash differs"),
        (another, "its hash differs"),
        (lambda handler, data: send(handler, b"", 500), "the answer is 500"),
    ],
)
def test_what_is_damaged_is_not_stored(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, answers: Answers, reason: str
) -> None:
    with index(wheel, monkeypatch, answers) as asked:
        page = Parts(dist)
        for _ in range(2):
            with pytest.raises(PartUnavailable, match=reason) as caught:
                page.get(NAME)
            assert "control-surface[offline]" in (caught.value.hint or "")
        # A page can't make the companion ask again and again.
        assert len(asked) == 2
        assert page.find(NAME) is None
    with index(wheel, monkeypatch):
        assert Parts(dist).get(NAME).read_bytes() == CONTENT


def test_without_a_network_the_page_says_so_and_how_to_do_without(
    dist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    with pytest.raises(PartUnavailable) as caught:
        Folder(dist).answer(f"/{NAME}")
    assert caught.value.message.startswith("jedi.whl can't be fetched from http://127.0.0.1:9/simple: ")
    assert 'pip install "control-surface[offline]"' in (caught.value.hint or "")


def test_a_failure_of_the_index_names_each_part_and_one_of_a_part_only_that(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = NAME.replace("jedi", "ruff")
    listed = json.loads((dist / LIST).read_text())
    listed["parts"][other] = {**listed["parts"][NAME], "sha256": "0" * 64}
    (dist / LIST).write_text(json.dumps(listed))
    with index(wheel, monkeypatch):
        page = Parts(dist)
        with pytest.raises(PartUnavailable, match="ruff.whl isn't what"):
            page.get(other)
        assert page.get(NAME).read_bytes() == CONTENT
        page.get(NAME).unlink()
    page = Parts(dist)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    for name in (other, NAME):
        with pytest.raises(PartUnavailable, match=f"{name.rpartition('/')[2]} can't be fetched"):
            page.get(name)


def test_an_index_without_this_version_is_named(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = json.loads((dist / LIST).read_text())
    (dist / LIST).write_text(json.dumps({**listed, "wheel": WHEEL.replace("1.0", "2.0")}))
    with (
        index(wheel, monkeypatch),
        pytest.raises(PartUnavailable, match="it has no control_surface_parts-2.0"),
    ):
        Parts(dist).get(NAME)


def test_a_full_disk_is_reported_and_leaves_nothing(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(fd: int, *given: object) -> None:
        os.close(fd)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with index(wheel, monkeypatch):
        with monkeypatch.context() as patched:
            patched.setattr(os, "fdopen", full)
            with pytest.raises(PartUnavailable, match="jedi.whl can't be saved: .*No space left"):
                Parts(dist).get(NAME)
        assert not any((Path(os.environ["XDG_DATA_HOME"]) / "control-surface/parts").iterdir())


def test_installed_parts_need_no_network(
    dist: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site-packages")
    (tmp_path / "site-packages" / MODULE / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    assert Parts(dist).get(NAME).read_bytes() == CONTENT


def test_a_part_that_is_here_compressed_is_not_fetched(dist: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    copy = dist / f"{NAME}.br"
    copy.parent.mkdir(parents=True)
    copy.write_text("compressed")
    answer = Folder(dist).answer(f"/{NAME}", codings="br")
    assert answer.body
    with answer.body as body:
        assert body.read() == b"compressed"


def test_all_parts_are_fetched_at_once_and_doctor_counts_those_that_are_missing(
    dist: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = check_parts(dist)
    assert before
    assert before.result.startswith("1 of 1 (")
    with index(wheel, monkeypatch):
        assert cli.main(["offline", "--dist", str(dist)]) == 0
    assert "1/1  0.0 MB  jedi.whl" in capsys.readouterr().out
    after = check_parts(dist)
    assert after
    assert (after.ok, after.hint) == (True, None)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert cli.main(["offline", "--dist", str(dist)]) == 0


def test_a_file_that_is_only_there_compressed_goes_to_clients_that_can_read_it(dist: Path) -> None:
    script = dist / "surface-0123456789abcdef/ui.js.br"
    script.parent.mkdir()
    script.write_bytes(b"compressed")
    answer = Folder(dist).answer(f"/{script.parent.name}/ui.js", codings="gzip, br")
    assert answer.headers["Content-Encoding"] == "br"
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.body
    with answer.body as body:
        assert body.read() == b"compressed"
    assert Folder(dist).answer(f"/{script.parent.name}/ui.js", codings="gzip").status == 406
    assert Folder(dist).answer(f"/{script.parent.name}/other.js", codings="br").status == 404
