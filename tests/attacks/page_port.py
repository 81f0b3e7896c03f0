"""Python's own end of its ports to the page, used as no part of the surface would: raw messages, whatever they say."""

from __future__ import annotations

import json
from typing import Any

from gemini_testing import Surface

ASK = """
import json
from gemini.errors import ProtocolError
from gemini.server.kernel import kernel

async def _ask(method, params):
    try:
        return {"result": await kernel._documents.request(method, params)}
    except ProtocolError as problem:
        data = problem.data if isinstance(problem.data, dict) else {}
        return {"error": (data.get("data") or {}).get("type", "ProtocolError"), "message": problem.message}

await _ask(**json.loads(__ASKED__))
"""
NO_QUESTION = "return document.querySelector('#approval').open"


def ask_page(surface: Surface, name: str, /, **params: Any) -> dict[str, Any]:
    """What the page answers to a request of Python's: `{result}` or `{error, message}`."""
    asked = json.dumps({"method": name, "params": params})
    return surface.python(ASK.replace("__ASKED__", repr(asked)))


def ask_document(surface: Surface, tab: str, method: str, **params: Any) -> dict[str, Any]:
    """What the page answers to a request to a document's script."""
    return ask_page(surface, "ask", tab=tab, method=method, params=params)


def is_asked(surface: Surface) -> bool:
    """Whether the person is asked something now."""
    return surface.javascript(NO_QUESTION)
