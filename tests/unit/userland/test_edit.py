"""`nano` and its like, which open the page's editor."""

from pathlib import Path

from gemini_userland import run
from gemini_userland.invocation import Invocation, Machine


async def test_the_terminal_says_what_ends_the_editor(tmp_path: Path) -> None:
    opened: list[str] = []

    async def edit(path: str) -> None:
        opened.append(path)

    invocation = Invocation(["nano", "a b.py"], cwd=str(tmp_path), machine=Machine(edit=edit))
    assert await run(invocation) == 0
    assert opened == [str(tmp_path.resolve() / "a b.py")]
    assert invocation.stdout.text() == ""
    said = invocation.stderr.text()
    assert said.startswith("a b.py is open in the Editor") and "Close its tab" in said and "Ctrl+C" in said
