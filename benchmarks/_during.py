"""Times calls of a tool while other work runs in the page, and as many after it."""

import statistics
from typing import Any

from gemini_testing import Surface

CALLS = """
const working = gemini.python(arguments[0]);
let outcome = null, ended = false;
working.then((found) => (outcome = found)).catch(() => {}).finally(() => (ended = true));
const timed = async () => {
  const began = performance.now();
  await gemini.callTool("terminal_list");
  return performance.now() - began;
};
const during = [], after = [];
while (!ended) during.push(await timed());
await working;
while (after.length < during.length) after.push(await timed());
return { outcome, during, after };
"""


def timed_calls(surface: Surface, work: str, doing: str) -> tuple[dict[str, Any], dict[str, float]]:
    """Run Python in the page, with calls meanwhile and after it.

    Args:
        surface: The page.
        work: The Python; its result is a dict.
        doing: The name of the work in the figures, such as `indexing`.

    Returns:
        The result of the work, and the number of calls with the medians and 95th percentiles in milliseconds.
    """
    found = surface.javascript(CALLS, work)
    during, after = sorted(found["during"]), sorted(found["after"])
    return found["outcome"], {
        "calls": len(during),
        "call_ms": statistics.median(after),
        "call_95_ms": after[len(after) * 95 // 100],
        f"call_while_{doing}_ms": statistics.median(during),
        f"call_while_{doing}_95_ms": during[len(during) * 95 // 100],
    }
