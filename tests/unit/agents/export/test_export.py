"""Runs as files: everything escaped, nothing loaded, no secrets."""

import json
import re
from html.parser import HTMLParser

import pytest

from gemini.agents.runs.runs import Runs
from gemini.core.secret_words import json_without_secrets, without_secrets
from gemini.errors import InvalidArguments
from gemini.models.interface.scripted import ScriptedModel, call, say
from gemini.tools import Registry, declare

ATTACK = (
    "</pre><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>```\n# Not a heading"
)
KEY = "sk-" + "a1B2" * 8


class Tags(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture
async def runs() -> Runs:
    """Return runs with one that has ended, in which everything is hostile or secret."""
    registry = Registry()

    @declare(effect="write", group="dom")
    def press(label: str) -> str:
        """Press a button."""
        return f"pressed {label}"

    registry.add(press)

    async def camera() -> bytes:
        return b"\xff\xd8\xff picture"

    runs = Runs(registry, camera=camera)
    runs.selection.instructions = lambda: "My private instructions."
    model = ScriptedModel(
        [call("press", label=f"echo {ATTACK} {KEY}"), say(f"Done: {ATTACK}, password=hunter2")]
    )
    await runs.start(f"Try {ATTACK}", model=model, tools=["press"])
    return runs


async def test_a_shared_page_has_no_scripts_and_loads_nothing(runs: Runs) -> None:
    [run] = runs
    page = await run.export("html")
    tags = Tags(page).found
    assert {tag for tag, _ in tags} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "dl", "dt", "dd"),
        *("section", "em", "details", "summary", "pre", "code", "img"),
    }
    attributes = {name for _, found in tags for name in found}
    assert attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "alt", "src"}
    sources = [found["src"] or "" for _, found in tags if "src" in found]
    assert sources and all(source.startswith("data:image/jpeg;base64,") for source in sources)
    assert "default-src 'none'" in page and "&lt;script&gt;" in page


async def test_exports_have_the_run_and_neither_secrets_nor_settings(runs: Runs) -> None:
    [run] = runs
    for form in ("markdown", "json", "html"):
        name, text = await runs.export(run.id, form)
        assert re.fullmatch(r"Try [^/<>]+\.(md|json|html)", name)
        assert "echo" in text and "alert(1)" in text and "Done" in text
        assert not any(secret in text for secret in (KEY, "hunter2", "private instructions", "untrusted"))
    account = json.loads(await run.export("json"))
    assert account["format"] == "gemini-run" and account["outcome"]["status"] == "done"
    assert [[call["tool"] for call in step["calls"]] for step in account["steps"]] == [["press"], []]
    # A fence of the text doesn't end the block.
    assert "\n````\n" in await run.export("markdown")
    with pytest.raises(InvalidArguments):
        await runs.export(run.id, "pdf")  # pyright: ignore[reportArgumentType] - a script's mistake


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("https://ann:hunter2@example.org/", "https://ann:[left out]@example.org/"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer [left out]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----.", "[left out]."),
        ("tokens: 12 of the secretary", "tokens: 12 of the secretary"),
    ],
)
def test_secrets_are_left_out(text: str, left: str) -> None:
    assert without_secrets(text) == left


def test_secrets_in_named_fields_are_left_out() -> None:
    text = json_without_secrets('{"form": {"password": "a b", "name": "Ann"}, "list": ["x"]}')
    assert json.loads(text) == {"form": {"password": "[left out]", "name": "Ann"}, "list": ["x"]}
