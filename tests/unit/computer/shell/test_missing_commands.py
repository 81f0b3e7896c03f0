"""The errors of programs that the embedded shell can't run."""

from collections.abc import Mapping

import pytest

from gemini.computer.shell import missing_commands as missing
from gemini.errors import CapabilityMissing
from gemini_userland.invocation import Invocation, Output


async def no_shell(script: str, directory: str, environment: Mapping[str, str]) -> int:
    raise AssertionError("it needs no shell")


@pytest.mark.parametrize("name", missing.NAMES)
def test_a_missing_program_names_its_backend(name: str) -> None:
    stdout, stderr = Output(), Output()
    invocation = Invocation([name, "-x"], b"", "/", {}, stdout, stderr, no_shell)
    assert missing.answer(invocation) == 126
    assert stdout.bytes() == b""
    message = stderr.bytes().decode()
    assert message.startswith("bash: ") and message.endswith("\n")
    assert "which the 'shell' backend lacks" in message
    assert "terminal_create(backend='host')" in message


def test_the_error_has_data() -> None:
    error = missing.explain("vim")
    assert isinstance(error, CapabilityMissing)
    assert error.data == {"capability": "interactive programs", "backend": "host"}


def test_programs_for_the_network_say_so() -> None:
    error = missing.explain("nc")
    assert error.message.startswith("nc needs connections other than HTTP requests")
    assert error.data["backend"] == "host"


def test_each_capability_names_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(missing.lacks().values()) == {"host"}
    monkeypatch.setattr("gemini.core.ffi.linux_folder", lambda: "https://surface.example/linux-0")
    assert set(missing.lacks().values()) == {"linux", "host"}
    assert "terminal_create(backend='linux')" in (missing.explain("vim").hint or "")
    assert missing.explain("nc").data["backend"] == "host"


async def test_a_program_of_the_linux_is_offered_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "this shell has no compilers" in await missing.suggest("gcc", "")
    monkeypatch.setattr("gemini.core.ffi.linux_folder", lambda: "https://surface.example/linux-0")
    assert await missing.suggest("gcc", "") == (
        "`linux gcc …` runs it in the Linux of this page, in the same folder of /project."
    )
    assert (await missing.suggest("./a.out", "")).startswith("`linux ./a.out …` runs it")
    assert await missing.suggest("gerp", "grep sed") == "Did you mean grep?"


@pytest.mark.parametrize("name", missing.NAMES)
def test_a_person_reads_it_in_their_words(name: str) -> None:
    stderr = Output()
    invocation = Invocation([name], b"", "/", {}, Output(), stderr, no_shell, watched=frozenset([1, 2]))
    assert missing.answer(invocation) == 126
    message = stderr.bytes().decode()
    assert "terminal_create" not in message and "backend" not in message and "Ctrl+K" in message
    assert ("nano FILE" in message) == (name in missing.EDITORS)
