"""Helpers that call the page script's actions."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing.html_page import HtmlPage, PageThrew


def act(page: HtmlPage, action: str, **options: Any) -> dict[str, Any]:
    return page.run("return await geminiPage[arguments[0]](arguments[1])", action, options)


def refused(page: HtmlPage, action: str, **options: Any) -> dict[str, Any]:
    with pytest.raises(PageThrew) as thrown:
        act(page, action, timeout=0.2, **options)
    return thrown.value.error
