"""Raw requests from Python to the page, as hostile code could send them."""

from __future__ import annotations

import json
from typing import Any

from gemini_testing import Surface

ASK = """
import json
from gemini.errors import ProtocolError
from gemini.kernel.kernel import kernel

async def _ask(method, params):
    try:
        return {"result": await kernel._documents.request(method, params)}
    except ProtocolError as problem:
        data = problem.data if isinstance(problem.data, dict) else {}
        return {"error": (data.get("data") or {}).get("type", "ProtocolError"), "message": problem.message}

await _ask(**json.loads(__REQUEST__))
"""
IS_ASKED = "return document.querySelector('#approval').open"


def ask_page(surface: Surface, name: str, /, **params: Any) -> dict[str, Any]:
    """Send a request to the page, and return its answer: `{result}` or `{error, message}`."""
    request = json.dumps({"method": name, "params": params})
    return surface.python(ASK.replace("__REQUEST__", repr(request)))


def ask_document(surface: Surface, tab: str, method: str, **params: Any) -> dict[str, Any]:
    """Send a request to a document's script, and return the page's answer."""
    return ask_page(surface, "ask", tab=tab, method=method, params=params)


def is_asked(surface: Surface) -> bool:
    """Return whether the consent dialog is open."""
    return surface.javascript(IS_ASKED)
