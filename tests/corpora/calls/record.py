"""Records what a small model writes when it should call a tool.

    PYTHONPATH=py python -m tests.corpora.calls.record FILE [COUNT [HOW…]]

SmolLM2-135M-Instruct (`tests/llama.py`) gets tools in its prompt, at high temperatures. Its answers are short, and most
are malformed. With `--expect FILE`, it writes the lines with `=`, what becomes of each; read them before you commit.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import urllib.request
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemini.models.providers.prompted import in_words
from tests.llama import Llama, Variant, running

from .cases import BEGINNINGS, HOW, TASKS, Case, How, in_prompt, outcome, read, request_of, write

TOKENS = 40
# Of two calls.
MORE_TOKENS = 90
TEMPERATURES = (0.8, 1.1, 1.4)
ROLES = {"system": "system", "user": "user", "assistant": "assistant"}


def ask(server: Llama, case: Case, seed: int) -> str:
    """Return the model's text for the task of a case."""
    messages = [{"role": ROLES[each.role], "content": each.text} for each in in_words(request_of(case))]
    beginning = BEGINNINGS.get(case.how, "")
    if beginning:
        # The server has the model continue it.
        messages.append({"role": "assistant", "content": beginning})
    body: dict[str, Any] = {
        "messages": messages,
        "max_tokens": MORE_TOKENS if case.how == "two at once" else TOKENS,
        "temperature": case.temperature,
        "seed": seed,
        "cache_prompt": True,
    }
    asked = urllib.request.Request(
        f"{server.url}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=300) as answer:
        text = str(json.load(answer)["choices"][0]["message"]["content"])
    return text if text.startswith(beginning) else beginning + text


def record(file: Path, count: int, hows: Collection[str] = ()) -> None:
    """Add cases to a file, until it has so many of each kind; texts that are there already don't count."""
    cases = read(file) if file.exists() else []
    settings = itertools.cycle(itertools.product(TEMPERATURES, TASKS))
    with running(Variant(context=2048)) as server:
        chosen: list[How] = [how for how in HOW if not hows or how in hows]
        for how in chosen:
            for seed, (temperature, task) in enumerate(settings):
                if sum(case.how == how for case in cases) >= count:
                    break
                case = Case(task, how, temperature)
                # The file's format has no blanks at the ends of lines.
                text = "\n".join(line.rstrip() for line in ask(server, case, seed).strip().split("\n"))
                if text and text not in {each.text for each in cases}:
                    cases.append(replace(case, text=text))
                    write(file, cases)


async def expect(file: Path) -> None:
    """Write what becomes of each case."""
    cases = read(file)
    write(file, [replace(case, becomes=await outcome(case, in_prompt(case.text))) for case in cases])


if __name__ == "__main__":
    if sys.argv[1] == "--expect":
        asyncio.run(expect(Path(sys.argv[2])))
    else:
        record(Path(sys.argv[1]), int((*sys.argv[2:], "60")[0]), sys.argv[3:])
