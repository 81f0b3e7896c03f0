"""Runs of a real small model, in the ways in which people start llama.cpp: does it act, or say why not, and how soon.

    PYTHONPATH=py python -m benchmarks.small_models [--steps 2] [--tokens 80] [--only SERVER]

SmolLM2-135M-Instruct and the server come from PyPI (`tests/llama.py`), 120 MB once. The runs have two tools, and are in
this process, without a page. The model is too small to do the tasks well: the table says what becomes of its runs.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from gemini.agents.runs.runs import Runs
from gemini.models import Endpoint, Forms, RemoteModel
from gemini.models.interface.sampling import Sampling
from gemini.tools import Registry, declare
from gemini_companion.models import Gateway
from gemini_companion.models.providers import OPENAI, Provider
from tests.llama import Llama, Variant, running

VARIANTS = {
    "own template, without tools": Variant(),
    "template with tools": Variant(template="tools"),
    "without jinja": Variant(template="none"),
    "context of 1,024": Variant(context=1024),
    "context of 256": Variant(context=256),
    "without end of turn": Variant(unending=True),
}
TASKS = ("Write the word hello to a.txt.", "Read notes.txt, and say what it is about.", "What is 1 + 1?")


class Files:
    """Two tools."""

    def __init__(self) -> None:
        self.calls = 0

    @declare(effect="write", group="files")
    def file_write(self, path: str, content: str) -> str:
        """Write a text file."""
        self.calls += 1
        return "written"

    @declare(effect="read", group="files")
    def file_read(self, path: str) -> str:
        """Read a text file."""
        self.calls += 1
        return "Tea is served at four."


async def attempt(server: Llama, task: str, steps: int, tokens: int, folder: Path) -> str:
    """Return what became of a run, as a row of the table without its first columns."""
    files, registry = Files(), Registry()
    registry.results_folder = folder
    registry.add_room(files)
    gateway = Gateway({"mine": Provider("mine", OPENAI, f"{server.url}/v1", key="none")})
    sampling = Sampling(temperature=0, max_tokens=tokens)
    endpoint = Endpoint("openai", f"{server.url}/v1")
    model = RemoteModel(
        endpoint, "small", forms=Forms(), ask_about=lambda: gateway.about("mine", "small"), sampling=sampling
    )
    began = time.perf_counter()
    ended = await Runs(registry).start(task, model=model, max_steps=steps)
    took = time.perf_counter() - began
    await gateway.aclose()
    said = " ".join((ended.reason or ended.result or "").split())[:90]
    usage = ended.spent.usage
    return f"{files.calls} | {ended.status} | {took:.1f} | {usage.input} + {usage.output} | {said} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=80)
    parser.add_argument("--only", choices=VARIANTS, help="one server; a row takes a minute on a busy machine")
    options = parser.parse_args()
    print(
        "| server | task | tools called | ended | seconds | tokens | what it says |\n|---|---|---|---|---|---|---|"
    )
    for name in [options.only] if options.only else VARIANTS:
        with running(VARIANTS[name]) as server, tempfile.TemporaryDirectory() as folder:
            for task in TASKS:
                row = asyncio.run(attempt(server, task, options.steps, options.tokens, Path(folder)))
                print(f"| {name} | {task} | {row}", flush=True)


if __name__ == "__main__":
    main()
