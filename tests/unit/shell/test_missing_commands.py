"""The errors of programs that the embedded shell can't run."""

from collections.abc import Mapping

import pytest

from gemini.errors import CapabilityMissing
from gemini.shell import missing_commands as missing
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


def test_each_capability_names_a_backend() -> None:
    assert set(missing.LACKS.values()) <= {"linux", "host"}
