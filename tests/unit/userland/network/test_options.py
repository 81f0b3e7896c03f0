"""Each option in Debian's help of `curl` and `wget` is known: it works, or the error says what to use instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini_userland.curl import curl
from gemini_userland.curl_options import FLAGS, REFUSED, VALUES, allowed_schemes
from gemini_userland.http import Request, Response
from gemini_userland.invocation import Invocation
from gemini_userland.wget import SYNTAX, wget

HERE = Path(__file__).parent


def listed(program: str) -> list[str]:
    return (HERE / f"{program}_options.txt").read_text().split()


async def unreachable(request: Request) -> Response:
    raise AssertionError(request)


def test_curl_knows_each_option() -> None:
    known = {*FLAGS, *VALUES, *REFUSED}
    assert [
        name for name in listed("curl") if name not in known and name.removeprefix("no-") not in FLAGS
    ] == []


def test_wget_knows_each_option() -> None:
    known = {name.rstrip("=?") for name in SYNTAX.long} | {*SYNTAX.refused}
    assert [name for name in listed("wget") if name not in known] == []


@pytest.mark.parametrize("option", ["--cookie", "--proxy", "--ftp-pasv", "-P"])
async def test_curl_says_what_to_use_instead(option: str) -> None:
    call = Invocation(["curl", option, "x", "http://localhost/"])
    assert await curl(call, unreachable) == 4
    assert "isn't supported" in call.stderr.text() and "backend='host'" in call.stderr.text()


@pytest.mark.parametrize("option", ["-b", "--output-file=x", "-x", "--level=1", "--https-only"])
async def test_wget_says_what_to_use_instead(option: str) -> None:
    call = Invocation(["wget", option, "http://localhost/"])
    assert await wget(call, unreachable) == 2
    assert "isn't supported: " in call.stderr.text()


@pytest.mark.parametrize(
    ("text", "allowed"),
    [(None, "http https"), ("=https", "https"), ("-all,https", "https"), ("-http", "https"), ("=ftp", "")],
)
def test_proto_chooses_the_schemes(text: str | None, allowed: str) -> None:
    assert allowed_schemes(text) == set(allowed.split())


async def test_curl_refuses_a_scheme_that_proto_leaves_out() -> None:
    call = Invocation(["curl", "--proto", "=https", "http://localhost/"])
    assert await curl(call, unreachable) == 1
    assert 'Protocol "http" not supported' in call.stderr.text()
