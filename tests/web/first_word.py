"""Sends a message to a chat, and waits for the first word of the answer on the screen."""

from __future__ import annotations

import time

from gemini_testing import Surface
from tests.web.person import Person

# A small model on a busy machine is slow.
WITHIN_S = 400
WORDS = "#chat .untrusted"
# Notes the frame that draws the first word of an answer.
WATCH = """
const look = () => {
  const words = [...document.querySelectorAll(arguments[0])].some((each) => each.shadowRoot?.textContent.trim());
  if (words) globalThis.firstWordAt = Date.now();
  else requestAnimationFrame(look);
};
look();
"""


def first_word(surface: Surface, person: Person, message: str) -> tuple[float, float]:
    """Send a message; return when it was sent and when the first word was drawn, in seconds since 1970."""
    surface.driver.set_script_timeout(WITHIN_S + 10)
    surface.javascript(WATCH, WORDS)
    person.type(message)
    sent = time.time()
    person.click('region "Chat" button "Send"')
    drawn: float = surface.wait_for("globalThis.firstWordAt", timeout_s=WITHIN_S)
    return sent, drawn / 1000
