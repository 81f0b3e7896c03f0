"""Answers of a user to the network of a page made of files."""

from __future__ import annotations

from gemini_testing import Surface
from tests.attacks.listener import Listener
from tests.web.person import Person
from tests.web.site import Site

PRESSED = "#browser-network[aria-pressed=true]"
CUT_OFF = "#browser-network[aria-pressed=false]"
TRY = "await fetch(`${arguments[0]}/tried`, { mode: 'no-cors' }).catch(() => 0)"


def revoke(surface: Surface, person: Person) -> None:
    """Cut the page in front off, if it isn't."""
    if surface.javascript("return document.querySelector(arguments[0]) !== null", PRESSED):
        person.click("#browser-network")
        person.sees(CUT_OFF)


def allow(site: Site, person: Person, host: Listener, answer: str = "run") -> str:
    """Let the page in front reach a host that it tries to reach; return the question."""
    site.run(TRY, host.url)
    person.click("#browser-network")
    question = person.sees("#approval-question", host.url)
    person.click(f"#approval-{answer}")
    person.sees(PRESSED)
    # The page is back, at another origin.
    assert "//n" in site.says("location.href")
    return question
