"""Measures the model for search by meaning on the device in the page: its load, passages a second, and calls meanwhile.

Needs `python3 build.py meaning`. A call while passages are read may take 1.2 times as long as one without, by the
median of as many calls during the reading as after it.
"""

import json
import statistics
import sys
from pathlib import Path

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.server import serving

DIST = Path(__file__).parent.parent / "dist"
MAX_RATIO = 1.2

PREPARE = """
import time
from gemini.computer.search.reading import Reading
from gemini.models.providers.embeddings import Embeddings
from gemini.models.providers.on_device import DeviceEmbedder

class Vectors(dict):
    def find(self, model, hashes):
        return {key: self[key] for key in hashes if key in self}

    def add(self, model, vectors):
        self.update(vectors)

words = ("The agent reads the report and writes a summary of what has changed since the last week, because the user "
         "asked which of the servers were slow and why nobody had noticed it before the meeting. ").split()
texts = [" ".join(words[(number * 7 + each) % len(words)] for each in range(165))[:900] for number in range(40)]
model, vectors = DeviceEmbedder(), Vectors()
meaning = Embeddings(lambda: model, lambda: vectors, None)

async def passages(length):
    return texts

async def first():
    began = time.perf_counter()
    await meaning.compare("a question", [])
    return (time.perf_counter() - began) * 1000

async def read():
    began = time.perf_counter()
    shown = []
    await Reading(passages, lambda: meaning, shown.append).begin()
    assert shown[-1]["read"] == len(texts), shown[-1]
    return {"took_s": time.perf_counter() - began, "passages": len(texts)}
await first()
"""
# Measures calls while passages are read, and as many after it.
CALLS = """
const reading = gemini.python("await read()");
let read = null;
reading.then((outcome) => (read = outcome));
const timed = async () => {
  const began = performance.now();
  await gemini.callTool("terminal_list");
  return performance.now() - began;
};
const during = [], after = [];
while (read === null) during.push(await timed());
while (after.length < during.length) after.push(await timed());
return { ...read, during, after };
"""


def figures() -> dict[str, float]:
    """Measure milliseconds, and the ratio of a call during the reading to one after it."""
    with serving(DIST) as url:
        driver = launch()
        try:
            surface = Surface(driver, url)
            surface.load()
            first = surface.python(PREPARE)
            found = surface.javascript(CALLS)
        finally:
            driver.quit()
    during, after = sorted(found["during"]), sorted(found["after"])
    return {
        "first_vector_ms": first,
        "passages": found["passages"],
        "passage_s": found["took_s"] / found["passages"],
        "calls": len(during),
        "call_ms": statistics.median(after),
        "call_95_ms": after[len(after) * 95 // 100],
        "call_while_reading_ms": statistics.median(during),
        "call_while_reading_95_ms": during[len(during) * 95 // 100],
        "ratio": statistics.median(during) / statistics.median(after),
    }


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit, else 0."""
    if not list(DIST.glob("meaning-*")):
        print("There is no model in dist/: `python3 build.py meaning` makes it.")
        return 0
    found = figures()
    print(json.dumps(found, indent=2))
    return 0 if found["ratio"] <= MAX_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
