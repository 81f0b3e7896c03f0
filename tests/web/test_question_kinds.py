"""Each kind of question is accessible, in every theme, at 100 % and at 200 % zoom, and none is cut off.

Most kinds need a companion, a server or another site, so the dialog's own modules ask here, with facts as its owners
send them. When each kind asks is tested where that happens.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.page.bundling import bundle
from tests.web.person import Person
from tests.web.test_accessibility import resize

pytestmark = pytest.mark.extended

CONSENT = Path(__file__).parents[2] / "web/ui/consent"
GALLERY = f"""
import {{ Consent }} from "{CONSENT}/consent.ts";
import {{ showConsent }} from "{CONSENT}/dialog.ts";
import {{ browserGrants }} from "{CONSENT}/grants.ts";
import {{ KINDS }} from "{CONSENT}/kinds/kinds.ts";
import {{ browserRecord }} from "{CONSENT}/record.ts";

const consent = new Consent({{ grants: browserGrants(), record: browserRecord(), attended: () => true }});
showConsent(consent, {{ stop: () => {{}}, restart: () => {{}} }});
let controller = new AbortController();
globalThis.questions = {{
  names: Object.keys(KINDS),
  withdraw: () => controller.abort(),
  ask: (kind, facts) => {{
    controller = new AbortController();
    consent.ask({{ kind, facts, words: {{ tool: "buy", caller: "agent:demo", arguments: {{ what: "tea" }} }} }},
      controller.signal).catch(() => {{}});
  }},
}};
"""
ORIGIN = "https://shop.example"
URL = f"{ORIGIN}/a?very={'long' * 40}"
GIT = {"origin": "https://git.example", "repository": "https://git.example/team/a", "access": "read"}
FIELDS: list[dict[str, Any]] = [
    {"name": "a", "label": "Name", "description": "As printed", "type": "text", "required": True},
    {"name": "b", "label": "Count", "description": "", "type": "whole", "required": False, "default": 2},
    {"name": "c", "label": "Gift", "description": "", "type": "yes", "required": False},
    {
        "name": "d",
        "label": "Size",
        "description": "",
        "type": "choice",
        "choices": [["s", "Small"]],
        "required": False,
    },
]
CEILING = {"dollars": 1.5, "tokens": 1_000_000, "requests": 40}
FACTS: dict[str, dict[str, Any]] = {
    "browser": {"browser": "Firefox", "origin": "http://127.0.0.1:8765", "asked": "7:38 AM", "number": "042"},
    "credential": {**GIT, "user": "ada"},
    "dav": {
        "server": "dav.example",
        "user": "ada",
        "access": "send",
        "collection": "Work",
        "text": "SUMMARY:Tea",
    },
    "download": {"url": URL, "origin": ORIGIN},
    "git-proxy": {
        "url": URL,
        "method": "GET",
        "bytes": 0,
        "origin": ORIGIN,
        "access": "read",
        "proxy": "https://proxy.example",
    },
    "host": {
        "command": "gh pr list",
        "directory": "/home/ada/shop",
        "action": "run",
        "program": "gh",
        "until": "2030-01-01T08:00:00Z",
        "secrets": {"GH_TOKEN": "github"},
    },
    "mcp-question": {"server": "shop", "message": "Which tea?", "fields": FIELDS},
    "mcp-server": {
        "server": "shop",
        "transport": "stdio",
        "place": "npx shop --all",
        "directory": "/home/ada",
        "values": ["KEY"],
        "changed": True,
    },
    "mcp-sign-in": {"server": "shop", "url": ORIGIN, "address": URL},
    "mcp-tool": {
        "server": "shop",
        "place": ORIGIN,
        "tool": "buy",
        "title": "Buy",
        "version": "1",
        "arguments": '{"what": "tea"}',
        "claims": {"destructiveHint": True},
        "before": "Buys tea",
        "now": "Buys coffee",
    },
    "model": {
        "model": "large",
        "listed": False,
        "provider": "Acme",
        "host": "api.example",
        "ceiling": CEILING,
        "day": CEILING,
        "used_up": True,
    },
    "network": {
        "url": URL,
        "method": "POST",
        "bytes": 2000,
        "origin": ORIGIN,
        "access": "send",
        "secrets": [{"name": "shop", "place": "header"}],
    },
    "open": {"url": URL, "origin": ORIGIN},
    "page-tool": {"origin": ORIGIN, "tool": "order", "arguments": '{"what": "tea"}'},
    "personal": {"action": "draft", "to": "ada@example.org", "subject": "Tea", "text": "At five?"},
    "private-origin": {
        "origin": "https://git.intern",
        "addresses": ["10.0.0.7"],
        "here": False,
        "url": "https://git.intern/a",
        "method": "GET",
        "bytes": 0,
        "access": "read",
    },
    "screen": {},
    "script": {"origin": ORIGIN, "code": "document.title = 'Tea';\n" * 30},
    "secret": {"origin": ORIGIN, "url": f"{ORIGIN}/pay", "field": "Card number"},
    "shared-origin": {"path": "/project/shop/index.html"},
    "sign-in": {**GIT, "rejected": True, "keyring": "KWallet"},
    "site-network": {"root": "/project/shop", "host": "https://api.example"},
    "tool": {},
    "visit": {"url": URL, "origin": ORIGIN},
}
# Text that the dialog doesn't show in its width. What scrolls isn't cut off.
CUT = """
return [...document.querySelectorAll('[role=alertdialog] *')].filter((each) => each.checkVisibility()
  && each.clientWidth > 1 && each.scrollWidth > each.clientWidth + 1
  && !/auto|scroll/.test(getComputedStyle(each).overflowX)
  && !each.closest('select')).map((each) => each.outerHTML.slice(0, 200))
"""


@pytest.fixture(scope="module")
def gallery() -> str:
    return bundle(GALLERY)


@pytest.mark.parametrize("width", ["wide", "phone", "zoomed"])
def test_every_kind_is_accessible_and_whole(
    surface: Surface, person: Person, gallery: str, width: str
) -> None:
    surface.reload()
    resize(surface, width)
    surface.driver.execute_script(gallery)
    assert surface.javascript("return questions.names.sort()") == sorted(FACTS)
    wrong: list[str] = []
    for kind, facts in FACTS.items():
        surface.javascript("questions.ask(...arguments)", kind, facts)
        person.sees("[role=alertdialog]")
        wrong += [f"{kind}: {each}" for each in violations(surface, "[role=alertdialog]")]
        wrong += [f"{kind}, cut: {each}" for each in surface.javascript(CUT)]
        surface.javascript("questions.withdraw()")
        person.no_longer_sees("[role=alertdialog]")
    resize(surface, "wide")
    surface.reload()

    assert "\n".join(wrong) == ""
