"""The page script's size, loading and JSON-RPC port."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.web.page.conftest import OpenPage

# Seeing by its frames whether an animated element rests took the last of it.
MOST_BYTES = 60 * 1024

ASK = """
const { port1, port2 } = new MessageChannel();
geminiPage.serve(port2);
const answer = new Promise((resolve) => (port1.onmessage = (event) => resolve(JSON.parse(event.data))));
port1.postMessage(arguments[0]);
return await answer;
"""


def test_the_script_is_small(page_script: Path) -> None:
    assert len(gzip.compress(page_script.read_bytes(), 9)) <= MOST_BYTES


def test_a_second_copy_does_not_replace_the_first(open_page: OpenPage) -> None:
    page = open_page(
        "<button>Save</button><script>first = geminiPage</script><script src='/gemini-page.js'></script>"
    )
    assert page.run("return first === geminiPage")


def test_a_port_answers_requests(open_page: OpenPage) -> None:
    page = open_page("<title>Shop</title><button>Buy</button>")
    answer = page.run(ASK, '{"jsonrpc": "2.0", "id": 7, "method": "snapshot", "params": {}}')
    assert answer["id"] == 7
    assert answer["result"]["title"] == "Shop"


def test_errors_over_the_port_have_a_type_and_a_hint(open_page: OpenPage) -> None:
    page = open_page("<button>Buy</button>")
    answer = page.run(
        ASK, '{"jsonrpc": "2.0", "id": 1, "method": "snapshot", "params": {"scope": "#nothing"}}'
    )
    assert answer["error"]["data"]["type"] == "NotFound"
    assert answer["error"]["data"]["hint"]
    assert "#nothing" in answer["error"]["message"]


def test_invalid_requests_are_answered_with_errors(open_page: OpenPage) -> None:
    page = open_page("")
    assert page.run(ASK, "{")["error"]["code"] == -32700
    assert page.run(ASK, '{"id": 1, "method": "fly"}')["error"]["code"] == -32601
    assert page.run(ASK, '{"id": 1, "method": "toString"}')["error"]["code"] == -32601
    assert page.run(ASK, '{"id": 1}')["error"]["code"] == -32600
