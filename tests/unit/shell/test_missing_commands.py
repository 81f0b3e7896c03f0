"""What the embedded shell can't do is said, with the backend that can."""

from collections.abc import Mapping

import pytest

from gemini.errors import CapabilityMissing
from gemini.shell import missing_commands as missing
from gemini_userland.invocation import Invocation, Output


async def no_shell(script: str, directory: str, environment: Mapping[str, str]) -> int:
    raise AssertionError("it needs no shell")


@pytest.mark.parametrize("name", missing.NAMES)
def test_a_program_that_is_missing_says_who_has_it(name: str) -> None:
    stdout, stderr = Output(), Output()
    invocation = Invocation([name, "-x"], b"", "/", {}, stdout, stderr, no_shell)
    assert missing.answer(invocation) == 126
    assert stdout.bytes() == b""
    told = stderr.bytes().decode()
    assert told.startswith("bash: ") and told.endswith("\n")
    assert "which the 'shell' backend lacks" in told
    assert "terminal_create(backend='linux')" in told


def test_the_error_has_the_facts() -> None:
    error = missing.explain("vim")
    assert isinstance(error, CapabilityMissing)
    assert error.data == {"capability": "interactive programs", "backend": "linux"}


def test_each_capability_names_a_backend() -> None:
    assert set(missing.LACKS.values()) <= {"linux", "host"}
