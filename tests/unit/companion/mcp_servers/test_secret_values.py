"""Secrets of the user for MCP servers: which servers get a value, and that no answer has it."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from gemini.errors import GeminiError
from gemini_companion.mcp_servers.errors import McpServerRefused
from gemini_companion.mcp_servers.secret_values import filled
from gemini_companion.mcp_servers.setups import http_setup, secret_of, stdio_setup
from gemini_companion.secrets import SecretProblem
from tests.unit.companion.mcp_servers.conftest import Bench

VALUE = "tok-aB3dE5gH7jK9mN1pQ3"
ORIGIN = "https://api.example.com"


async def saved(bench: Bench, *places: Any, name: str = "github") -> None:
    origins = [ORIGIN] if set(places) != {"mcp"} else []
    await bench.secrets.save(name, origins, places, VALUE)


async def variable(bench: Bench, name: str) -> str:
    answer, _ = await bench.agreed(
        "mcp/call", "once", server="calc", tool="variable", arguments={"name": name}
    )
    return answer["text"]


async def test_a_program_gets_the_value_and_python_the_placeholder(bench: Bench) -> None:
    await saved(bench, "mcp")
    await bench.add("calc", "honest_server.py", TOKEN="secret:github", OTHER="secret:is a word")
    _, [shown] = await bench.agreed("mcp/tools", "always", server="calc")
    assert shown["facts"]["values"] == ["OTHER", "TOKEN (the secret github)"]
    placeholder = bench.visits.of(bench.person.questions).placeholder("github")
    # It is in the program, or masking had nothing to find.
    assert await variable(bench, "TOKEN") == placeholder
    assert await variable(bench, "OTHER") == "secret:is a word"
    assert VALUE not in str(bench.notices)


async def test_a_failure_and_last_words_do_not_have_the_value(bench: Bench) -> None:
    await saved(bench, "mcp")
    await bench.add("calc", "hostile_server.py", "leak", TOKEN="secret:github")
    with pytest.raises(GeminiError) as failure:
        await bench.agreed("mcp/tools", "always", server="calc")
    assert VALUE not in str(vars(failure.value)) + str(failure.value)
    rows = await bench.ask("mcp/servers")
    assert "cs-secret-github-" in rows["servers"][0]["problem"] and VALUE not in str(rows)


async def test_bytes_are_masked_within_base64(bench: Bench) -> None:
    await saved(bench, "mcp")
    await bench.secrets.for_server("github", "calc")
    masking = bench.page._masking  # pyright: ignore[reportPrivateUsage]
    data = base64.b64encode(b"\0\1" + VALUE.encode() + b"\2").decode()
    part = {"kind": "image", "mime_type": "image/png", "data": data}
    row = await masking.row({"text": f"a {VALUE[::-1]}", "parts": [part], VALUE: 1})
    placeholder = bench.visits.of(bench.person.questions).placeholder("github")
    assert base64.b64decode(row["parts"][0]["data"]) == b"\0\1" + placeholder.encode() + b"\2"
    assert row == {"text": f"a {placeholder}", "parts": row["parts"], placeholder: 1}
    unchanged = {"parts": [{"data": base64.b64encode(bytes(range(256))).decode()}], "is_error": False}
    assert await masking.row(unchanged) == unchanged


@pytest.mark.parametrize(
    ("places", "word"), [(("header",), "isn't for MCP servers"), ((), "there is no secret")]
)
async def test_a_secret_that_is_not_for_servers_starts_none(
    bench: Bench, places: tuple[Any, ...], word: str
) -> None:
    if places:
        await saved(bench, *places)
    await bench.add("calc", "honest_server.py", TOKEN="secret:github")
    with pytest.raises(GeminiError, match=word):
        await bench.agreed("mcp/tools", "always", server="calc")
    assert bench.started == []


async def test_an_address_gets_secrets_of_its_origin_in_headers(bench: Bench) -> None:
    await saved(bench, "header")
    setup, values = http_setup("api", f"{ORIGIN}/mcp", {"Authorization": "Bearer secret:github"})
    assert await filled(bench.secrets, setup, values) == {"Authorization": f"Bearer {VALUE}"}
    for url in ("https://evil.example/mcp", "https://api.example.com:444/mcp"):
        setup, values = http_setup("api", url, {"Authorization": "Bearer secret:github"})
        with pytest.raises(SecretProblem, match="isn't for"):
            await filled(bench.secrets, setup, values)
    await saved(bench, "query", name="other")
    setup, values = http_setup("api", f"{ORIGIN}/mcp", {"X-Key": "secret:other"})
    with pytest.raises(SecretProblem, match="headers"):
        await filled(bench.secrets, setup, values)


def test_another_secret_is_asked_again() -> None:
    before, _ = stdio_setup("calc", "run", [], {"TOKEN": "plain"})
    setups = [stdio_setup("calc", "run", [], {"TOKEN": f"secret:{name}"})[0] for name in ("one", "two")]
    assert len({before.digest, *(each.digest for each in setups)}) == 3


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("secret:github", "github"),
        ("Bearer secret:git-hub", "git-hub"),
        ("secret:github ", None),
        ("xsecret:github", None),
        ("https://secret:github@host", None),
        ("secret:", None),
    ],
)
def test_a_value_names_a_secret_at_its_end(value: str, name: str | None) -> None:
    assert secret_of(value) == name


def test_a_secret_whose_name_is_none_is_refused() -> None:
    with pytest.raises(McpServerRefused, match="lowercase"):
        stdio_setup("calc", "run", [], {"TOKEN": "secret:GitHub"})
