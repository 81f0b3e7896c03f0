"""Warm-up calls, so that the first real calls are as fast as later ones.

A browser runs WebAssembly slowly until it knows the hot functions and recompiles them
(https://v8.dev/docs/wasm-compilation-pipeline, "dynamic tiering"); CPython specialises bytecode as it runs (PEP 659).
Both take a thousand calls or more. In its first seconds the kernel makes them on its own tools, in batches so short
that real calls hardly wait.
"""

import asyncio

from gemini.server.endpoint import connect
from gemini.tools import Registry, declare

CALLS = 3_000
# The client that waits for the start makes its first call before this.
DELAY_S = 1
BATCH = 10
PAUSE_S = 0.005
MESSAGE = (
    '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":'
    '{"name":"%s","arguments":{"value":1},"_meta":{"caller":"script","maxChars":20000}}}'
)


@declare(effect="read")
def call(value: int) -> int:
    """Return the value."""
    return value


@declare(effect="read")
async def wait(value: int) -> int:
    """Return the value, as a tool that may wait."""
    return value


async def warm_up(calls: int = CALLS) -> int:
    """Make warm-up calls on a separate registry, in batches, and return the number of answers."""
    registry = Registry()
    registry.add(call)
    registry.add(wait)
    # The real registry has a subscriber, too.
    registry.events.subscribe(lambda _, event: None)
    answers = 0

    def count(_: str) -> None:
        nonlocal answers
        answers += 1

    connection = connect(registry, count, {}, interruptible=True)
    await asyncio.sleep(DELAY_S)
    for start in range(0, calls, BATCH):
        for number in range(start, min(start + BATCH, calls)):
            connection.receive(MESSAGE % (number, "wait" if number % 2 else "call"))
        await asyncio.sleep(PAUSE_S)
    return answers
