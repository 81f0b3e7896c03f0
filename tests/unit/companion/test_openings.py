"""Addresses that open the surface once, for what other users of the machine can read."""

from __future__ import annotations

import http.client
from contextlib import closing
from pathlib import Path

import pytest

from gemini_companion import openings
from gemini_companion.app import Companion
from gemini_companion.server import Server, running
from tests.unit.companion.surface import small_surface


def opened(companion: Companion, path: str) -> tuple[int, str | None, str]:
    with closing(
        http.client.HTTPConnection("127.0.0.1", int(companion.url.split(":")[2].split("/")[0]), timeout=30)
    ) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.headers["Location"], answer.read().decode()


def test_an_address_leads_to_the_surface_once(tmp_path: Path) -> None:
    server = Server(0)
    companion = Companion(small_surface(tmp_path), server)
    with running(server, companion.app(), sites=companion.sites()):
        once = companion.url_for_once()
        assert companion.token not in once and once.startswith(server.url)
        path = once.removeprefix(server.url.rstrip("/"))
        assert opened(companion, path) == (303, companion.url, "")
        status, location, told = opened(companion, path)
        assert (status, location) == (410, None) and companion.token not in told
        assert opened(companion, openings.PATH + "guessed")[0] == 410


def test_an_address_that_nobody_used_for_a_minute_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openings, "WITHIN_S", 0.0)
    server = Server(0)
    companion = Companion(small_surface(tmp_path), server)
    with running(server, companion.app()):
        path = companion.url_for_once().removeprefix(server.url.rstrip("/"))
        assert opened(companion, path)[0] == 410
