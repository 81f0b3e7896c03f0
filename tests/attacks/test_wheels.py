"""Hostile wheels: `pip` writes only to its directories, replaces nothing of the surface, and checks hashes."""

from __future__ import annotations

import struct
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from gemini_testing.pool import BrowserPool
from tests.tiers import sampled
from tests.web.packages import World, world_of
from tests.wheels import Wheel, built

pytestmark = pytest.mark.fortnightly

UP = "../" * 5


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        yield world


def bomb(wheel: Wheel) -> Wheel:
    """Have the wheel's first file say that it is larger than any memory."""
    at = wheel.content.index(b"PK\1\2") + 24
    return Wheel(wheel.name, wheel.content[:at] + struct.pack("<I", 0xFFFFFFFE) + wheel.content[at + 4 :])


def installed(world: World, wheel: Wheel) -> tuple[int, str]:
    """Install a wheel from a file; return the exit code and what pip says."""
    path, content = f"/tmp/{wheel.name}", wheel.content.hex()
    world.surface.python(
        f"import pathlib; pathlib.Path({path!r}).write_bytes(bytes.fromhex({content!r})); None"
    )
    done = world.run(f"pip install --no-deps {path}")
    return done["exit_code"], done["stdout"] + done["stderr"]


# Files of wheels that nothing of is installed from.
REFUSED: dict[str, Mapping[str, str]] = {
    "above": {f"{UP}project/slip.txt": "x"},
    "absolute": {"/project/slip.txt": "x"},
    "backslashes": {"..\\slip.txt": "x"},
    "a script above": {f"slip-1.0.data/scripts/{UP}{UP}project/slip.txt": "x"},
    "data in the user's files": {"slip-1.0.data/data/project/slip.txt": "x"},
    "data over the user's settings": {"slip-1.0.data/data/home/user/.bashrc": "x"},
    "data over the library": {"slip-1.0.data/data/lib/python3.14/slip.py": "x"},
    "data as a command": {"slip-1.0.data/data/bin/slip": "x"},
    "an entry point above": {"*.dist-info/entry_points.txt": f"[console_scripts]\n{UP}project/slip.txt = slip:main\n"},
    "an absolute entry point": {"*.dist-info/entry_points.txt": "[console_scripts]\n/project/slip.txt = slip:main\n"},
    "an entry point without a name": {"*.dist-info/entry_points.txt": "[console_scripts]\n.. = slip:main\n"},
}  # fmt: skip
LOOK = """
import os
found = [path for path in ("/project/slip.txt", "/home/user/.bashrc", "/bin/slip", "/lib/python3.14/slip.py",
    "/home/user/.local/slip.txt") if os.path.lexists(path)]
found += [name for name in os.listdir("/home/user/.local/lib/python3.14/site-packages") if name.startswith("slip")]
found
"""


@pytest.mark.parametrize("attack", sampled(REFUSED))
def test_a_wheel_with_files_elsewhere_is_refused(world: World, attack: str) -> None:
    fine = {"slip.py": "def main():\n    print('fine')\n"}
    # The control: without these files, the same wheel is installed.
    assert installed(world, built("slip", fine))[0] == 0
    assert world.run("python -c 'import slip; slip.main()'")["stdout"] == "fine\n"
    assert world.run("pip uninstall -y slip")["exit_code"] == 0
    status, said = installed(world, built("slip", {**fine, **REFUSED[attack]}))
    assert status == 1 and "ERROR" in said, said
    assert world.surface.python(LOOK) == []


def test_a_wheel_that_would_fill_the_memory_is_refused(world: World) -> None:
    status, said = installed(world, bomb(built("slip", {"slip.py": "x = 1\n"})))
    assert status == 1 and "expands to more than" in said, said
    assert world.surface.python(LOOK) == []


# What a wheel has to replace, and the command that shows who did it.
SHADOWS: dict[str, tuple[Mapping[str, str], str]] = {
    "a module of the library": ({"base64.py": "print('shadow')"}, "python -c 'import base64'"),
    "the surface": ({"gemini/__init__.py": "print('shadow')"}, "python -c 'import gemini'"),
    "sitecustomize": ({"sitecustomize.py": "print('shadow')"}, "python -c 1"),
    "usercustomize": ({"usercustomize.py": "print('shadow')"}, "python -c 1"),
    "code in a .pth": ({"shadow.pth": "import sys; print('shadow')\n"}, "python -c 1"),
    "a command": ({"*.dist-info/entry_points.txt": "[console_scripts]\nls = shadow:main\n"}, "ls /project"),
    "git": ({"*.dist-info/entry_points.txt": "[console_scripts]\ngit = shadow:main\n"}, "git --version"),
}


@pytest.mark.parametrize("attack", sampled(SHADOWS))
def test_a_wheel_replaces_nothing_of_the_surface(world: World, attack: str) -> None:
    files, command = SHADOWS[attack]
    wheel = built("shadow", {**files, "shadow.py": "def main():\n    print('shadow')\n"})
    assert installed(world, wheel)[0] == 0
    # The control: the module is there.
    assert world.run("python -c 'import shadow; shadow.main()'")["stdout"] == "shadow\n"
    assert "shadow" not in world.run(command)["stdout"]
    assert world.run("pip uninstall -y shadow")["exit_code"] == 0


def test_a_wheel_with_another_hash_is_refused(world: World) -> None:
    wheel = built("pinned", {"pinned.py": ""})
    index = world.offer(wheel)
    for digest, status in (("0" * 64, 1), (wheel.digest, 0)):
        text = f"pinned --hash=sha256:{digest}\n"
        world.surface.call("file_write", path="/project/requirements.txt", content=text)
        done = world.allowed(f"{index} pip install --no-deps -r /project/requirements.txt")
        assert done["exit_code"] == status, done
        assert world.run("python -c 'import pinned'")["exit_code"] == status
    assert world.run("pip uninstall -y pinned")["exit_code"] == 0
