"""Calls that nobody made, so that the first real ones are as quick as later ones.

A browser runs WebAssembly slowly until it has seen which functions are used much, and compiles those anew
(https://v8.dev/docs/wasm-compilation-pipeline, "dynamic tiering"); CPython specialises bytecode as it runs (PEP 659).
Both take a thousand calls or more. The kernel makes them on tools of its own in the first seconds, in pieces so short
that whoever calls in between hardly waits.
"""

import asyncio

from gemini.server.endpoint import connect
from gemini.tools import Registry, declare

CALLS = 3_000
# Whoever waits for the start has a first call to make, which comes first.
WAIT_S = 1
PIECE = 10
PAUSE_S = 0.005
MESSAGE = (
    '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":'
    '{"name":"%s","arguments":{"value":1},"_meta":{"caller":"script","maxChars":20000}}}'
)


@declare(effect="read")
def call(value: int) -> int:
    """Give back a value."""
    return value


@declare(effect="read")
async def wait(value: int) -> int:
    """Give back a value, as a tool that may wait."""
    return value


async def practise(calls: int = CALLS) -> int:
    """Make so many calls, of a registry of their own, in pieces; the number of those that were answered."""
    registry = Registry()
    registry.add(call)
    registry.add(wait)
    # As the page watches calls.
    registry.events.subscribe(lambda _, event: None)
    answers = 0

    def count(_: str) -> None:
        nonlocal answers
        answers += 1

    connection = connect(registry, count, {}, interruptible=True)
    await asyncio.sleep(WAIT_S)
    for start in range(0, calls, PIECE):
        for number in range(start, min(start + PIECE, calls)):
            connection.receive(MESSAGE % (number, "wait" if number % 2 else "call"))
        await asyncio.sleep(PAUSE_S)
    return answers
