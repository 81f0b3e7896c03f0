"""Measures the model for search by meaning on the device in the page: its load, passages a second, and calls meanwhile.

Needs `python3 build.py meaning`. A call while passages are read may take 1.2 times as long as one without, by the
median of as many calls during the reading as after it.
"""

import json
import sys

from _during import timed_calls
from _page import DIST, opened

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
texts = [
    f"Part {number}: " + " ".join(words[(number * 7 + each) % len(words)] for each in range(165))[:900]
    for number in range(40)
]
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


def figures() -> dict[str, float]:
    """Measure milliseconds, and the ratio of a call during the reading to one after it."""
    with opened() as surface:
        surface.load()
        first = surface.python(PREPARE)
        read, calls = timed_calls(surface, "await read()", "reading")
    return {
        "first_vector_ms": first,
        "passages": read["passages"],
        "passage_s": read["took_s"] / read["passages"],
        **calls,
        "ratio": calls["call_while_reading_ms"] / calls["call_ms"],
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
