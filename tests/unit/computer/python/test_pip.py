"""The parts of pip that work on any Python, and its errors. The browser tests cover installation."""

import base64
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gemini.computer.python.pip.logins import sent, without_logins
from gemini.computer.python.pip.reasons import reason_of
from tests.unit.userland.conftest import Call


def real_pip(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("no pip in this environment")
    return done.stdout


def wheel(directory: Path, name: str = "thing-1.0-py3-none-any.whl") -> Path:
    path = directory / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("thing.py", "value = 42\n")
        archive.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    return path


@pytest.mark.fortnightly
async def test_list_matches_the_real_pip(call: Call) -> None:
    ours = await call("pip", "list", "--format=json")
    expected = [
        {"name": one["name"], "version": one["version"]}
        for one in json.loads(real_pip("list", "--format=json"))
    ]
    assert json.loads(ours.text) == expected
    assert (await call("pip", "list", "--format", "freeze")).text == real_pip("list", "--format=freeze")


async def test_list_prints_columns(call: Call) -> None:
    lines = (await call("pip", "list")).text.splitlines()
    assert lines[0].split() == ["Package", "Version"]
    assert set(lines[1]) == {"-", " "}
    assert any(line.split()[0] == "pytest" for line in lines)


async def test_freeze_prints_requirements(call: Call) -> None:
    lines = (await call("pip", "freeze")).text.splitlines()
    assert f"pytest=={pytest.__version__}" in lines
    assert not any(line.startswith("pip==") for line in lines)


async def test_show_prints_information_about_a_package(call: Call) -> None:
    shown = await call("pip", "show", "PyTest")
    assert shown.exit_code == 0
    assert f"Name: pytest\nVersion: {pytest.__version__}\n" in shown.text
    assert "Requires: iniconfig, packaging, pluggy" in shown.text
    assert "Files:" not in shown.text
    assert "Files:\n" in (await call("pip", "show", "-f", "pytest")).text


async def test_show_warns_about_missing_packages(call: Call) -> None:
    shown = await call("pip", "show", "no-such-package", "pytest")
    assert shown.exit_code == 0
    assert shown.error == "WARNING: Package(s) not found: no-such-package\n"
    assert (await call("pip", "show", "no-such-package")).exit_code == 1


@pytest.mark.fortnightly
async def test_check_finds_no_broken_requirements_here(call: Call) -> None:
    checked = await call("pip", "check")
    assert checked.text == real_pip("check")


async def test_installed_packages_need_no_network(call: Call) -> None:
    done = await call("pip", "install", "pytest", f"pytest=={pytest.__version__}")
    assert done.exit_code == 0
    assert done.text.count("Requirement already satisfied: pytest") == 2
    assert (await call("pip", "-q", "install", "pytest")).text == ""


async def test_requirement_files_are_read(tmp_path: Path, call: Call) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "requirements.txt").write_text(
        "# comment\npytest  # the runner\n-r more/other.txt\n\npytest \\\n  --hash=sha256:00\n"
    )
    (tmp_path / "more" / "other.txt").write_text("-r third.txt\n")
    (tmp_path / "more" / "third.txt").write_text("packaging\r\n")
    done = await call("pip", "install", "-r", "requirements.txt")
    assert done.exit_code == 0, done.error
    assert [line.split(" in ")[0] for line in done.text.splitlines()] == [
        "Requirement already satisfied: pytest",
        "Requirement already satisfied: packaging",
        "Requirement already satisfied: pytest",
    ]
    piped = await call("pip", "install", "-r", "-", stdin=b"pytest\n")
    assert piped.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["install"], "at least one requirement"),
        (["install", "-e", "."], "in the page only"),
        (["install", "-e", "missing"], "must be a directory"),
        (["install", "."], "in the page only"),
        (["install", "./directory[extra]"], "in the page only"),
        (["install", "./missing"], "can't be built here"),
        (["install", "thing-1.0.tar.gz"], "can't be built here"),
        (["install", "git+https://example.org/thing"], "can't be built here"),
        (["install", "thing @ git+https://example.org/thing"], "can't be built here"),
        (["install", "missing-1.0-py3-none-any.whl"], "the file does not exist"),
        (["install", "-r", "missing.txt"], "Could not open requirements file: [Errno 2] No such file"),
        (["install", "-r", "editable.txt"], "in the page only"),
        (["install", "-r", "odd.txt"], "option --odd is not supported"),
        (["install", "=="], "Invalid requirement: '=='"),
        (["install", "thing-not-installed"], "in the page only"),
        (["install", "pytest==0.1"], "in the page only"),
        (["install", "--no-deps", "thing-1.0-py3-none-any.whl"], "in the page only"),
        (["uninstall", "pytest"], "add -y"),
        (["uninstall", "-y"], "at least one requirement"),
        (["uninstall", "-y", "pytest"], "in the page only"),
        (["download", "x"], "pip download is not possible in this page: use pip install"),
        (["index", "versions", "x"], "pip index is not possible in this page: curl"),
        (["instal", "x"], "pip instal is not a command"),
        (["show"], "Please provide a package name"),
        (["list", "--format=xml"], "--format must be"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
async def test_pip_reports_the_reason_of_a_failure(
    tmp_path: Path, call: Call, arguments: list[str], says: str
) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "editable.txt").write_text("-e ./directory\n")
    (tmp_path / "odd.txt").write_text("--odd=1\n")
    wheel(tmp_path)
    done = await call("pip", *arguments)
    assert done.exit_code == 1
    assert done.error.startswith("ERROR: ")
    assert says in done.error
    assert done.output == b""


@pytest.mark.parametrize("arguments", [["install", "--bogus"], ["list", "-%"], ["--bogus"]])
async def test_unknown_options_are_wrong_usage(call: Call, arguments: list[str]) -> None:
    done = await call("pip", *arguments)
    assert done.exit_code == 2
    assert done.error.startswith("pip: ")


async def test_pip_prints_help(call: Call) -> None:
    for arguments in ([], ["help"], ["--help"], ["-h"]):
        assert (await call("pip", *arguments)).text.startswith("Usage: pip <command>")
    for arguments in (["help", "install"], ["install", "--help"]):
        assert (await call("pip", *arguments)).text.startswith("Usage: pip install")
    assert re.fullmatch(r"pip \S.* from micropip \(python 3\.\d+\)\n", (await call("pip3", "--version")).text)


@pytest.mark.parametrize(
    "words", ["install --root x y", "install --dry-run y", "install -t x y", "list --outdated", "freeze -l"]
)
async def test_an_option_that_is_not_possible_says_what_to_use(call: Call, words: str) -> None:
    done = await call("pip", *words.split())
    assert done.exit_code == 2
    assert "isn't supported: " in done.error


@pytest.mark.parametrize(
    ("problem", "message", "reason"),
    [
        (
            "ConsentRefused",
            "GET https://pypi.org was not sent: you refused",
            "you refused access to pypi.org",
        ),
        (
            "ConsentRefused",
            "GET https://pypi.org was not sent: the user refused; it is refused without a question until 12:00",
            "the user refused access to pypi.org; it is refused without a question until 12:00",
        ),
        (
            "ConsentRefused",
            "GET https://pypi.org was not sent: this needs a person's consent, and nobody is at the page to answer",
            "access to pypi.org wasn't allowed: this needs a person's consent, and nobody is at the page to answer",
        ),
        ("HostUnknown", "No such name", "pypi.org can't be reached: No such name"),
        ("HostSlow", "No answer within 30 s", "pypi.org can't be reached: No answer within 30 s"),
        ("AddressRefused", "pypi.org is in a private network", "pypi.org is in a private network"),
    ],
)
def test_the_reason_of_a_failed_download_is_named(problem: str, message: str, reason: str) -> None:
    earlier = {"host": "other.example", "problem": "HostUnknown", "message": "?"}
    assert reason_of([earlier, {"host": "pypi.org", "problem": problem, "message": message}]) == reason


def test_an_answer_that_is_no_package_is_no_refusal() -> None:
    assert reason_of([]) == "the package index sent no usable answer"


def test_logins_leave_addresses_and_become_headers() -> None:
    urls = [
        "https://me:pa%40ss@pip.example:8443/simple",
        "https://pypi.org/simple",
        "https://cs-secret-pip-0@other.example/a@b",
        "https://you:other@pip.example:8443/more",
    ]
    plain, headers = without_logins(urls)
    assert plain == [
        "https://pip.example:8443/simple",
        "https://pypi.org/simple",
        "https://other.example/a@b",
        "https://pip.example:8443/more",
    ]
    assert headers == {
        "https://pip.example:8443": f"Basic {base64.b64encode(b'me:pa@ss').decode()}",
        "https://other.example": f"Basic {base64.b64encode(b'cs-secret-pip-0:').decode()}",
    }


class Layer:
    """Fetches as micropip's class does, and records what it was asked."""

    asked: ClassVar[list[tuple[str, Any]]] = []

    @staticmethod
    async def fetch_bytes(url: str, options: dict[str, Any]) -> bytes:
        Layer.asked.append((url, options))
        return b""

    @staticmethod
    async def fetch_string_and_headers(url: str, options: dict[str, Any]) -> tuple[str, dict[str, str]]:
        Layer.asked.append((url, options))
        raise ValueError("no such package")


async def test_a_login_goes_to_its_origin_alone_and_to_none_afterwards() -> None:
    with pytest.raises(ValueError), sent(Layer, {"https://pip.example": "Basic YTpi"}):
        for host in ("pip.example", "pip.example:444", "files.pip.example", "pip.example.evil"):
            await Layer.fetch_bytes(f"https://{host}/a.whl", {"headers": {"accept": "x"}})
        await Layer.fetch_bytes("http://pip.example/a.whl", {})
        await Layer.fetch_string_and_headers("https://pip.example/simple/a/", {})
    await Layer.fetch_bytes("https://pip.example/b.whl", {})
    logins = [url for url, options in Layer.asked if "Authorization" in options.get("headers", {})]
    assert logins == ["https://pip.example/a.whl", "https://pip.example/simple/a/"]
    assert Layer.asked[0][1]["headers"] == {"accept": "x", "Authorization": "Basic YTpi"}
