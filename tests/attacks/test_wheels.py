"""Hostile wheels: `pip` writes only to its directories, deletes only the package, and checks hashes."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from gemini_testing.pool import BrowserPool
from tests.web.packages import World, world_of
from tests.wheels import Wheel, built

UP = "../" * 5
MINE = "/project/mine.txt"


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        world.surface.call("file_write", path=MINE, content="precious")
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


@pytest.mark.parametrize("attack", REFUSED)
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


@pytest.mark.parametrize("attack", SHADOWS)
def test_a_wheel_replaces_nothing_of_the_surface(world: World, attack: str) -> None:
    files, command = SHADOWS[attack]
    wheel = built("shadow", {**files, "shadow.py": "def main():\n    print('shadow')\n"})
    assert installed(world, wheel)[0] == 0
    # The control: the module is there.
    assert world.run("python -c 'import shadow; shadow.main()'")["stdout"] == "shadow\n"
    assert "shadow" not in world.run(command)["stdout"]
    assert world.run("pip uninstall -y shadow")["exit_code"] == 0


def with_record(wheel: Wheel, text: str) -> Wheel:
    """Replace the RECORD of a wheel."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel.content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in dict.fromkeys(old.namelist()):
            new.writestr(name, text if name.endswith("/RECORD") else old.read(name))
    return Wheel(wheel.name, made.getvalue())


# Files that a package lists as its own.
LISTED = {
    "a file of the user": f"../../../../../../{MINE}",
    "an absolute path": MINE,
    "a module of another package": "other.py",
    "a command of another package": "../../../bin/other",
}


@pytest.mark.parametrize("attack", LISTED)
def test_uninstalling_deletes_only_the_package(world: World, attack: str) -> None:
    other = built("other", {
        "other.py": "def main():\n    print('other')\n",
        "*.dist-info/entry_points.txt": "[console_scripts]\nother = other:main\n",
    })  # fmt: skip
    assert installed(world, other)[0] == 0
    wheel = built("greedy", {"greedy.py": ""})
    wheel = with_record(wheel, f"greedy.py,,\ngreedy-1.0.dist-info/RECORD,,\n{LISTED[attack]},,\n")
    assert installed(world, wheel)[0] == 0
    assert world.run("pip uninstall -y greedy")["exit_code"] == 0
    assert world.run(f"cat {MINE}; other")["stdout"] == "preciousother\n"
    # The control: what is the package's own is gone.
    assert world.run("python -c 'import greedy'")["exit_code"] == 1


# What is installed instead of the wheel that is wanted, by its index, its hash or its address.
PINS = ("another hash", "none for all", "another fragment", "another name")


@pytest.mark.parametrize("attack", PINS)
def test_a_wheel_that_is_another_one_is_refused(world: World, attack: str) -> None:
    # Python remembers modules, so each case has its own.
    name = f"pinned{PINS.index(attack)}"
    wheel = built(name, {f"{name}.py": ""})
    index = world.offer(wheel)
    address = f"{world.outside.named}/files/{wheel.name}"
    wrong = "0" * 64
    text, right = {
        "another hash": (f"{name} --hash=sha256:{wrong}", f"{name} --hash=sha256:{wheel.digest}"),
        "none for all": (
            f"--require-hashes\n{name}",
            f"--require-hashes\n{name} --hash=sha256:{wheel.digest}",
        ),
        "another fragment": (f"{address}#sha256={wrong}", f"{address}#sha256={wheel.digest}"),
        "another name": (address.replace(name, "renamed"), address),
    }[attack]
    renamed = f"/files/{wheel.name.replace(name, 'renamed')}"
    world.outside.pages[renamed] = ("application/zip", wheel.content)
    for content, status in ((text, 1), (right, 0)):
        world.surface.call("file_write", path="/project/requirements.txt", content=f"{content}\n")
        done = world.allowed(f"{index} pip install --no-deps -r /project/requirements.txt")
        assert done["exit_code"] == status, done
        assert world.run(f"python -c 'import {name}'")["exit_code"] == status
    assert world.run(f"pip uninstall -y {name}")["exit_code"] == 0
