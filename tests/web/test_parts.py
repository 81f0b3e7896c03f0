"""Parts of the page that a release's wheel doesn't have, and can't be fetched: the page says why, and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gemini_companion.storage.parts import LIST, MODULE
from gemini_testing import Surface, ToolCallFailed
from gemini_testing.plugin import OpenSurface
from tests.pdf import pdf
from tests.web.conftest import CopyOfDist

pytestmark = pytest.mark.extended

SAID = "can't be fetched from http://127.0.0.1:9/simple"
HINT = 'pip install "control-surface[offline]"'
# A name of a character map that PDF files use without having it (PDF 1.7, 9.7.5.2).
FONT = (
    "/Type0 /BaseFont /Song /Encoding /GBK-EUC-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 "
    "/BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> "
    "/FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 >> >>]"
)


def without(dist: Path, *names: str) -> Path:
    """Make files of the packages parts of another wheel."""
    listed: dict[str, object] = {}
    for name in names:
        for path in dist.glob(f"surface-*/packages/{name}*"):
            if path.name == name:
                listed[path.relative_to(dist).as_posix()] = {
                    "offset": 0,
                    "length": 1,
                    "size": 1,
                    "sha256": "",
                }
            path.unlink()
    (dist / LIST).write_text(json.dumps({"wheel": f"{MODULE}-1.0-py3-none-any.whl", "parts": listed}))
    return dist


def refused(surface: Surface, path: str) -> ToolCallFailed:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("file_read", path=path)
    return failed.value


def test_what_needs_them_says_so(
    open_surface: OpenSurface,
    copy_of_dist: CopyOfDist,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    surface = open_surface(dist=without(copy_of_dist(), "jq_worker.mjs", "pdf_cmaps.mjs"))

    answer = surface.call("terminal_execute", command="echo 1 | jq .")
    assert answer["exit_code"] != 0
    assert f"jq_worker.mjs {SAID}" in answer["output"] and HINT in answer["output"]

    chinese = pdf([["tea", "more"]]).replace("/Type1 /BaseFont /Helvetica", FONT)
    surface.call("file_write", path="/project/tea.pdf", content=chinese)
    failed = refused(surface, "/project/tea.pdf")
    assert failed.type == "Unsupported"
    assert f"pdf_cmaps.mjs {SAID}" in str(failed) and HINT in str(failed)

    surface.call("file_write", path="/project/plain.pdf", content=pdf([["tea"]]))
    assert "tea" in surface.call("file_read", path="/project/plain.pdf")["content"]


def test_a_pdf_file_without_its_reader_says_so(
    open_surface: OpenSurface,
    copy_of_dist: CopyOfDist,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    surface = open_surface(dist=without(copy_of_dist(), "pdf_worker.mjs"))
    surface.call("file_write", path="/project/tea.pdf", content=pdf([["tea"]]))
    assert f"pdf_worker.mjs {SAID}" in str(refused(surface, "/project/tea.pdf"))
