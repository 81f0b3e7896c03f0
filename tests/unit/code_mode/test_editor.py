"""The editor's answers about `gemini.code_mode.api`, by the stubs."""

from pathlib import Path
from typing import Any

import pytest

from gemini.computer.code import tool_stubs
from gemini.computer.code.questions import answer
from gemini.kernel.kernel import Kernel

FROM = "from gemini.code_mode.api import"


@pytest.fixture
def written(kernel: Kernel, tmp_path: Path) -> Path:
    """A project whose editor has the stubs of the kernel."""
    kernel.code.mode.modules()
    tool_stubs.enable(tmp_path / "stubs")
    return Path(kernel.home)


async def ask(project: Path, about: str, text: str) -> Any:
    last = text.rpartition("\n")[2]
    place = {"line": text.count("\n") + 1, "column": len(last)}
    return await answer({"about": about, "path": str(project / "a.py"), "text": text, **place})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{FROM} fil", "files"),
        (f"{FROM} files\nfiles.rea", "read"),
        (f"{FROM} files\nfiles.read('a').conten", "content"),
        (f"{FROM} site\nsite.__getatt", "__getattr__"),
        ("import gemini\ngemini.create_term", "create_terminal"),
    ],
)
async def test_names_of_modules_functions_and_results_are_completed(
    written: Path, text: str, found: str
) -> None:
    completed = await ask(written, "complete", text)
    assert found in [each.text for each in completed.candidates]


async def test_functions_have_signatures_and_documentation(written: Path) -> None:
    assert "read(path: str" in str(await ask(written, "signature", f"{FROM} files\nfiles.read("))
    assert "Read a file" in str(await ask(written, "describe", f"{FROM} files\nfiles.read"))


async def test_no_other_module_has_the_names_of_stubs(written: Path) -> None:
    completed = await ask(written, "complete", "import files\nfiles.rea")
    assert completed.candidates == []
