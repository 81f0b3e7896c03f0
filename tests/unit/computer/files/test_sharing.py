"""Files that a link takes."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from gemini.computer.files import sharing
from gemini.errors import FileProblem


def shop(folder: Path) -> Path:
    shop = folder / "shop"
    (shop / "src").mkdir(parents=True)
    (shop / "index.html").write_text("<h1>Tea</h1>")
    (shop / "src/tea.js").write_text("1")
    return shop


def test_a_folder_is_shared_with_its_name(tmp_path: Path) -> None:
    shared = sharing.collect([str(shop(tmp_path))])
    assert shared["name"] == "shop"
    assert {each["path"]: base64.b64decode(each["content"]) for each in shared["files"]} == {
        "index.html": b"<h1>Tea</h1>",
        "src/tea.js": b"1",
    }


def test_files_are_shared_in_the_name_of_their_folder(tmp_path: Path) -> None:
    folder = shop(tmp_path)
    shared = sharing.collect([str(folder / "index.html"), str(folder / "src")])
    assert (shared["name"], [each["path"] for each in shared["files"]]) == (
        "shop",
        ["index.html", "src/tea.js"],
    )


def test_hidden_files_and_links_stay(tmp_path: Path) -> None:
    folder = shop(tmp_path)
    (folder / ".env").write_text("SECRET=1")
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("")
    (folder / "passwd").symlink_to("/etc/passwd")
    shared = sharing.collect([str(folder)])
    assert {each["path"] for each in shared["files"]} == {"index.html", "src/tea.js"}
    assert shared["left_out"] == 3


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shop(tmp_path)
    (folder / "large").write_bytes(bytes(sharing.MOST_BYTES))
    with pytest.raises(FileProblem, match="at most 200 files with 512 kB"):
        sharing.collect([str(folder)])
    monkeypatch.setattr(sharing, "MOST_FILES", 1)
    with pytest.raises(FileProblem):
        sharing.collect([str(folder / "src"), str(folder / "index.html")])
