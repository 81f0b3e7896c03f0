"""Tests for serving files as pages."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from gemini.errors import FileMissing, FileProblem, PathOutsideTree, Unsupported
from gemini.pages.tabs.sites import Answer, Location, Sites

SURFACE = "http://127.0.0.1:8765"
SCRIPT = f'gemini-page.js" data-controllers="{SURFACE}" data-copies="no" data-stays></script>'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project with a site, `site`, and a file next to it."""
    home = tmp_path.resolve() / "project"
    (home / "site/about us").mkdir(parents=True)
    (home / "site/index.html").write_text("<!doctype html><title>Home</title>")
    (home / "site/about us/index.html").write_text("<p>About")
    (home / "site/style.css").write_text("p { color: red }")
    (home / "secret.txt").write_text("secret")
    return home


@pytest.fixture
def sites(home: Path) -> Sites:
    return Sites(SURFACE, str(home))


class Opened:
    """A site that a tab shows."""

    def __init__(self, sites: Sites, path: str) -> None:
        self.sites = sites
        self.root = sites.find(path).root
        sites.open("t1", self.root)

    def answer(self, path: str) -> Answer:
        return self.sites.answer(path, [self.root])


@pytest.fixture
def opened(sites: Sites, home: Path) -> Opened:
    return Opened(sites, f"{home}/site/index.html")


def test_a_page_opens_all_of_its_site(sites: Sites, home: Path) -> None:
    root = f"{home}/site"
    assert sites.find(f"{root}/about us/index.html") == Location(root, f"{root}/about%20us/index.html")
    assert sites.answer(f"{root}/style.css", [root]).status == 404
    sites.open("t1", root)
    answer = sites.answer(f"{root}/style.css", [root])
    assert answer == Answer(200, "text/css; charset=utf-8", b"p { color: red }")


def test_one_site_can_not_read_another(sites: Sites, home: Path) -> None:
    (home / "other").mkdir()
    sites.open("t1", f"{home}/site")
    sites.open("t2", f"{home}/other")
    style = f"{home}/site/style.css"
    assert sites.answer(style, [f"{home}/site"]).status == 200
    assert sites.answer(style, [f"{home}/other"]).status == 404
    assert sites.answer(style, []).status == 404
    # No tab shows these.
    assert sites.answer(style, ["/", str(home)]).status == 404


def test_a_root_is_served_until_its_last_tab_closes(sites: Sites, home: Path) -> None:
    root, style = f"{home}/site", f"{home}/site/style.css"
    sites.open("t1", root)
    sites.open("t2", root)
    sites.close("t1")
    assert sites.answer(style, [root]).status == 200
    sites.open("t2", str(home))
    assert sites.answer(style, [root]).status == 404
    sites.close("t2")
    sites.close("t2")
    assert sites.answer(style, [root, str(home)]).status == 404


def test_a_directory_opens_its_index(sites: Sites, home: Path) -> None:
    assert sites.find(f"{home}/site/") == Location(f"{home}/site", f"{home}/site/index.html")
    (home / "site/index.html").rename(home / "site/start.html")
    with pytest.raises(FileMissing) as raised:
        sites.find(f"{home}/site")
    assert raised.value.hint and "start.html" in raised.value.hint


def test_a_missing_file_can_not_be_opened(sites: Sites, home: Path) -> None:
    with pytest.raises(FileMissing):
        sites.find(f"{home}/site/none.html")


@pytest.mark.parametrize(("name", "hint"), [("a.pdf", "file_read"), ("a.zip", "terminal")])
def test_a_file_that_browsers_store_is_no_page(sites: Sites, home: Path, name: str, hint: str) -> None:
    (home / name).write_bytes(b"")
    with pytest.raises(Unsupported) as raised:
        sites.find(str(home / name))
    assert hint in (raised.value.hint or "")


def test_a_page_in_the_home_opens_the_home_and_any_other_its_directory(
    sites: Sites, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "other/deep/page.html").touch()
    (home / "page.html").touch()
    elsewhere = f"{tmp_path.resolve()}/other/deep"
    assert sites.find(f"{elsewhere}/page.html").root == elsewhere
    assert sites.find(f"{home}/page.html").root == str(home)


def test_the_root_directory_is_no_site(tmp_path: Path) -> None:
    file = Path("/page-of-a-test.html")
    if not os.access("/", os.W_OK):
        pytest.skip("needs to write to /")
    file.touch()
    try:
        with pytest.raises(FileProblem, match="all files"):
            Sites(SURFACE, str(tmp_path)).find(str(file))
    finally:
        file.unlink()


@pytest.mark.parametrize(
    "path", ["{home}/secret.txt", "{home}/site/../secret.txt", "{home}/site/%2e%2e/secret.txt",
             "{home}/site/..%2fsecret.txt", "{home}/site/%00", "{home}/site/%ff", "/etc/passwd", "", "//etc/passwd"]
)  # fmt: skip
def test_nothing_outside_the_site_is_served(opened: Opened, home: Path, path: str) -> None:
    assert opened.answer(path.format(home=home)).status == 404


def test_links_are_followed_inside_the_site_only(opened: Opened, home: Path) -> None:
    (home / "site/out.txt").symlink_to(home / "secret.txt")
    (home / "site/out").symlink_to(home)
    (home / "site/same.css").symlink_to("style.css")
    (home / "site/loop.css").symlink_to("loop.css")
    assert opened.answer(f"{home}/site/out.txt").status == 404
    assert opened.answer(f"{home}/site/out/secret.txt").status == 404
    assert opened.answer(f"{home}/site/loop.css").status == 404
    assert opened.answer(f"{home}/site/same.css").status == 200
    with pytest.raises(PathOutsideTree):
        opened.sites.find(f"{home}/site/out.txt")


def test_an_index_that_links_out_of_the_site_is_not_served(opened: Opened, home: Path) -> None:
    (home / "site/trap").mkdir()
    (home / "site/trap/index.html").symlink_to(home / "secret.txt")
    assert opened.answer(f"{home}/site/trap/").status == 404


def test_a_directory_redirects_to_a_slash_and_then_serves_its_index(opened: Opened, home: Path) -> None:
    answer = opened.answer(f"{home}/site/about%20us")
    assert (answer.status, answer.content) == (301, b"")
    assert b"About" in opened.answer(f"{home}/site/about%20us/").content
    assert opened.answer(f"{home}/site/style.css/").status == 404


def test_the_name_of_a_missing_file_is_escaped(opened: Opened, home: Path) -> None:
    answer = opened.answer(f"{home}/site/%3Cscript%3E")
    assert (answer.status, answer.type) == (404, "text/html; charset=utf-8")
    assert "&lt;script&gt;" in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.mjs", b"1", "text/javascript; charset=utf-8"),
        ("a.json", b"{}", "application/json; charset=utf-8"),
        ("a.svg", b"<svg/>", "image/svg+xml; charset=utf-8"),
        ("a.wasm", b"\0asm", "application/wasm"),
        ("a.webp", b"RIFF\0", "image/webp"),
        ("a.PNG", b"\x89PNG", "image/png"),
        ("notes", b"text", "text/plain; charset=utf-8"),
        ("data.strange", b"\0\1", "application/octet-stream"),
        ("latin.txt", b"gr\xfc\xdfe", "text/plain"),
    ],
)
def test_files_have_their_content_types(
    opened: Opened, home: Path, name: str, content: bytes, kind: str
) -> None:
    (home / "site" / name).write_bytes(content)
    answer = opened.answer(f"{home}/site/{name}")
    assert (answer.type, answer.content) == (kind, content)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<p>x"),
        ("<!DOCTYPE html>\n", "<html><p>x"),
        ("<!-- a > b --> <!doctype html><!-->", "<script>1</script> -->"),
        ("<!-- one --!>", "<script>1</script> -->"),
        ("\ufeff<!doctype html>", "<p>ü"),
        ("", "text <!doctype html>"),
        ("", "<!-- without an end <p>"),
        ("<?xml version='1.0'?><!doctype html>", "<html>"),
    ],
)
def test_the_page_script_comes_first(opened: Opened, home: Path, before: str, after: str) -> None:
    (home / "site/page.html").write_bytes((before + after).encode())
    text = opened.answer(f"{home}/site/page.html").content.decode()
    start, _, rest = text.partition("<script src=")
    assert start == before
    assert rest == f'"{"../" * (str(home).count("/") + 1)}{SCRIPT}{after}'


@pytest.mark.parametrize(
    ("content", "charset"),
    [
        ("<meta charset=utf-8>ü".encode(), "utf-8"),
        ("<p>ü".encode(), "utf-8"),
        (b"<meta charset='windows-1252'>\xfc", "windows-1252"),
        (b"<meta http-equiv=content-type content='text/html; charset=iso-8859-15'>\xa4", "iso-8859-15"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=shift_jis>", "shift_jis"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<p>\xfc", None),
        (codecs.BOM_UTF16_LE + "<p>ü".encode("utf-16-le"), "utf-16"),
    ],
)
def test_a_page_keeps_its_encoding(opened: Opened, home: Path, content: bytes, charset: str | None) -> None:
    (home / "site/page.html").write_bytes(content)
    answer = opened.answer(f"{home}/site/page.html")
    expected = f"text/html; charset={charset}" if charset else "text/html"
    assert answer.type == expected
    # Decoded with its charset, the page has the script and all of its content.
    text = answer.content.decode(charset or "latin-1")
    before, _, rest = text.partition("<script src=")
    assert before + rest.partition("</script>")[2] == content.decode(charset or "latin-1")


def test_a_page_must_stay_on_its_origin(opened: Opened, home: Path) -> None:
    assert b"data-stays" in opened.answer(f"{home}/site/index.html").content


def test_an_answer_has_no_headers_except_its_type(opened: Opened, home: Path) -> None:
    assert set(vars(opened.answer(f"{home}/site/index.html"))) == {"status", "type", "content"}
