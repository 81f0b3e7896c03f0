"""Which files are served as pages, and how."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from gemini.dom.sites import Sites
from gemini.errors import FileMissing, FileProblem, PathOutsideTree

SURFACE = "http://127.0.0.1:8765"
SCRIPT = f'gemini-page.js" data-controllers="{SURFACE}" data-stays></script>'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A project with a site, `site`, and something beside it."""
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


@pytest.fixture
def opened(sites: Sites, home: Path) -> Sites:
    sites.open(f"{home}/site/index.html")
    return sites


def test_a_page_opens_all_of_its_site(sites: Sites, home: Path) -> None:
    assert sites.answer(f"{home}/site/style.css").status == 404
    assert sites.open(f"{home}/site/about us/index.html") == f"{home}/site/about%20us/index.html"
    answer = sites.answer(f"{home}/site/style.css")
    assert (answer.status, answer.content) == (200, b"p { color: red }")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


def test_a_directory_opens_its_index(sites: Sites, home: Path) -> None:
    assert sites.open(f"{home}/site/") == f"{home}/site/index.html"
    (home / "site/index.html").rename(home / "site/start.html")
    with pytest.raises(FileMissing) as missing:
        sites.open(f"{home}/site")
    assert missing.value.hint is not None
    assert f"{home}/site/start.html" in missing.value.hint


def test_what_is_not_there_can_t_be_opened(sites: Sites, home: Path) -> None:
    with pytest.raises(FileMissing):
        sites.open(f"{home}/site/none.html")


def test_a_page_in_the_home_opens_the_home_and_one_elsewhere_its_directory(
    sites: Sites, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "other/page.html").touch()
    (tmp_path / "other/deep/page.html").touch()
    sites.open(f"{tmp_path.resolve()}/other/deep/page.html")
    assert sites.answer(f"{tmp_path.resolve()}/other/page.html").status == 404
    (home / "page.html").touch()
    sites.open(f"{home}/page.html")
    assert sites.answer(f"{home}/secret.txt").status == 200


def test_the_root_of_all_files_is_no_site(tmp_path: Path) -> None:
    file = Path("/page-of-a-test.html")
    if not os.access("/", os.W_OK):
        pytest.skip("needs to write to /")
    file.touch()
    try:
        with pytest.raises(FileProblem, match="all files"):
            Sites(SURFACE, str(tmp_path)).open(str(file))
    finally:
        file.unlink()


@pytest.mark.parametrize(
    "path", ["{home}/secret.txt", "{home}/site/../secret.txt", "{home}/site/%2e%2e/secret.txt",
             "{home}/site/..%2fsecret.txt", "{home}/site/%00", "{home}/site/%ff", "/etc/passwd", "", "//etc/passwd"]
)  # fmt: skip
def test_nothing_beside_the_site_is_served(opened: Sites, home: Path, path: str) -> None:
    assert opened.answer(path.format(home=home)).status == 404


def test_links_lead_as_far_as_the_site_goes(opened: Sites, home: Path) -> None:
    (home / "site/out.txt").symlink_to(home / "secret.txt")
    (home / "site/out").symlink_to(home)
    (home / "site/same.css").symlink_to("style.css")
    (home / "site/loop.css").symlink_to("loop.css")
    assert opened.answer(f"{home}/site/out.txt").status == 404
    assert opened.answer(f"{home}/site/out/secret.txt").status == 404
    assert opened.answer(f"{home}/site/loop.css").status == 404
    assert opened.answer(f"{home}/site/same.css").status == 200
    with pytest.raises(PathOutsideTree):
        opened.open(f"{home}/site/out.txt")


def test_an_index_that_leads_out_is_not_served(opened: Sites, home: Path) -> None:
    (home / "site/trap").mkdir()
    (home / "site/trap/index.html").symlink_to(home / "secret.txt")
    assert opened.answer(f"{home}/site/trap/").status == 404


def test_a_directory_gets_its_slash_and_then_its_index(opened: Sites, home: Path) -> None:
    answer = opened.answer(f"{home}/site/about%20us")
    assert (answer.status, answer.headers["location"]) == (301, "./about%20us/")
    assert b"About" in opened.answer(f"{home}/site/about%20us/").content
    assert opened.answer(f"{home}/site/style.css/").status == 404


def test_a_missing_file_is_named_as_text(opened: Sites, home: Path) -> None:
    answer = opened.answer(f"{home}/site/%3Cscript%3E")
    assert (answer.status, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
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
def test_types(opened: Sites, home: Path, name: str, content: bytes, kind: str) -> None:
    (home / "site" / name).write_bytes(content)
    answer = opened.answer(f"{home}/site/{name}")
    assert (answer.headers["content-type"], answer.content) == (kind, content)


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
def test_the_page_script_comes_first(opened: Sites, home: Path, before: str, after: str) -> None:
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
def test_a_page_keeps_its_encoding(opened: Sites, home: Path, content: bytes, charset: str | None) -> None:
    (home / "site/page.html").write_bytes(content)
    answer = opened.answer(f"{home}/site/page.html")
    expected = f"text/html; charset={charset}" if charset else "text/html"
    assert answer.headers["content-type"] == expected
    # Read as it says, the script is there, and so is all that was there before.
    text = answer.content.decode(charset or "latin-1")
    before, _, rest = text.partition("<script src=")
    assert before + rest.partition("</script>")[2] == content.decode(charset or "latin-1")


def test_a_page_reaches_its_own_origin_only_until_the_person_says_otherwise(
    opened: Sites, home: Path
) -> None:
    url = f"{home}/site/index.html"
    policy = opened.answer(url).headers["content-security-policy"]
    assert "default-src 'self' data: blob:" in policy
    assert policy.endswith(f"frame-ancestors 'self' {SURFACE}")
    opened.outside = True
    answer = opened.answer(url)
    assert answer.headers["content-security-policy"] == f"frame-ancestors 'self' {SURFACE}"
    assert b"data-stays" not in answer.content
