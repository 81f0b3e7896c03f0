"""The system disk of Linux in the page: Debian's programs, and changes that stay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from gemini_testing import Surface
from gemini_userland.suggestions import OF_LINUX
from tests.web.linux_page import require_disk
from tests.web.person import Person

pytestmark = pytest.mark.extended(together="linux")
# Programs load from the site, and start in an emulator.
PATIENCE_S = 400
# The longest call of a test.
CALL_S = 50
SEES = f"""
import asyncio, os
async def sees(terminal_id, text):
    terminal = gemini.terminal_manager.terminals[terminal_id]
    try:
        async with asyncio.timeout({CALL_S}):
            while text not in "\\n".join(terminal.lines):
                await asyncio.sleep(0.05)
    except TimeoutError:
        return "\\n".join(terminal.lines)
"""
MAKEFILE = "greet: main.o greet.o\n\t$(CC) -o $@ $^\nmain.o greet.o: greet.h\n"
SOURCES = {
    "Makefile": MAKEFILE,
    "greet.h": "const char *greeting(void);\n",
    "greet.c": '#include "greet.h"\nconst char *greeting(void) { return "hello from C"; }\n',
    "main.c": '#include <stdio.h>\n#include "greet.h"\nint main(void) { puts(greeting()); return 0; }\n',
}
REPOSITORY = """
set -e
mkdir -p /tmp/hello/DEBIAN /tmp/hello/usr/bin /project/archive
printf 'Package: %s\\nVersion: 1.0\\nArchitecture: all\\nMaintainer: T <t@example.org>\\nDescription: a demo\\n' \\
    hello-demo >/tmp/hello/DEBIAN/control
printf '#!/bin/sh\\necho hello from a package\\n' >/tmp/hello/usr/bin/hello-demo
chmod 755 /tmp/hello/usr/bin/hello-demo
cd /project/archive
dpkg-deb -Zgzip --build --root-owner-group /tmp/hello hello.deb
{
    dpkg-deb --field hello.deb
    echo "Filename: ./hello.deb"
    echo "Size: $(stat -c %s hello.deb)"
    echo "SHA256: $(sha256sum hello.deb | cut -d' ' -f1)"
} >Packages
echo 'deb [trusted=yes] file:/project/archive ./' >/etc/apt/sources.list
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y hello-demo
"""


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_disk(surface_dist)


@pytest.fixture
def linux(surface: Surface) -> Iterator[str]:
    """Open a Linux terminal and return its id."""
    surface.python(SEES)
    opened = open_terminal(surface)
    yield opened
    surface.call("terminal_close", terminal_id=opened)


def open_terminal(surface: Surface) -> str:
    opened: str = surface.call("terminal_create", backend="linux")["terminal_id"]
    return opened


def run(surface: Surface, command: str, terminal: str) -> str:
    done = surface.call("terminal_execute", command=command, terminal_id=terminal, timeout_s=CALL_S)
    assert done["exit_code"] == 0, done["output"]
    return str(done["output"])


def type_and_see(surface: Surface, terminal: str, keys: str, text: str) -> None:
    surface.call("terminal_input", terminal_id=terminal, text=keys)
    lines = None
    for _ in range(PATIENCE_S // CALL_S):
        lines = surface.python(f"await sees({terminal!r}, {text!r})")
        if lines is None:
            return
    raise AssertionError(lines)


def test_the_programs_of_debian_are_on_the_path(surface: Surface, linux: str) -> None:
    script = """
    git --version; vim --version | head -1; tmux -V; jq --version; curl --version | head -1; less --version | head -1
    python3 -c 'print(sum(range(10)))'; perl -e 'print 6 * 7, "\\n"'; strace -c true 2>&1 | tail -1; file /bin/bash
    ssh-keygen -q -t ed25519 -N '' -f /tmp/key && cut -d' ' -f1 /tmp/key.pub; dpkg --audit; rm /tmp/key*
    """
    lines = run(surface, script, linux).splitlines()
    starts = [
        "git version 2.",
        "VIM - Vi IMproved 9.0",
        "tmux 3.",
        "jq-1.6",
        "curl 7.",
        "less 590",
        "45",
        "42",
    ]
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=False)] == starts
    assert lines[8].endswith("total")
    assert "ELF 32-bit" in lines[9]
    assert lines[10:] == ["ssh-ed25519"]


def test_the_shell_offers_only_programs_that_are_here(surface: Surface, linux: str) -> None:
    run(surface, f"for name in {' '.join(OF_LINUX)}; do type $name >/dev/null || exit; done", linux)


def test_a_project_in_c_is_made_and_committed(surface: Surface, linux: str) -> None:
    for name, text in SOURCES.items():
        surface.call("file_write", path=f"/project/greet/{name}", content=text)
    made = run(surface, "cd /project/greet && make -s CFLAGS=-Wall && ./greet", linux)
    assert made == "hello from C\n"
    # A change on the page's side is seen by make at once.
    surface.call("file_write", path="/project/greet/greet.c", content=SOURCES["greet.c"].replace("C", "make"))
    assert run(surface, "make -s && ./greet", linux) == "hello from make\n"
    committed = run(
        surface,
        "git init -q . && echo '*.o' >.gitignore && git add . && "
        "git -c user.name=A -c user.email=a@example.org commit -q -m 'The first' && "
        "git fsck --strict && git log --format=%s && git status --short",
        linux,
    )
    assert committed == "The first\n"
    assert surface.python("os.path.exists('/project/greet/.git/HEAD')") is True
    run(surface, "cd /project && rm -r greet", linux)


def test_a_file_is_edited_in_vim(surface: Surface, linux: str) -> None:
    type_and_see(surface, linux, "vim /project/note.txt\r", "[New]")
    type_and_see(surface, linux, "ione two\x1b", "one two")
    type_and_see(surface, linux, "0cwthree\x1b", "three two")
    type_and_see(surface, linux, ":wq\r", "written")
    assert surface.python("open('/project/note.txt').read()") == "three two\n"
    run(surface, "rm /project/note.txt", linux)


def test_tmux_has_two_panes(surface: Surface, linux: str) -> None:
    type_and_see(surface, linux, "tmux new -s work\r", "[work]")
    type_and_see(surface, linux, "\x02%", "│")
    type_and_see(surface, linux, "tmux list-panes -F 'pane #P'; tty\r", "pane 1")
    type_and_see(surface, linux, "tmux kill-server\r", "[server exited]")


def test_apt_installs_from_a_local_archive(surface: Surface, linux: str) -> None:
    surface.call("file_write", path="/project/archive.sh", content=REPOSITORY)
    type_and_see(surface, linux, "bash /project/archive.sh; echo ended $?\r", "ended 0")
    installed = run(surface, "hello-demo; dpkg-query -W hello-demo; rm -r /project/archive*", linux)
    assert installed == "hello from a package\nhello-demo\t1.0\n"


def test_changes_stay_until_they_are_reset(
    surface: Surface, person: Person, linux: str, tmp_path: Path
) -> None:
    run(surface, "echo mine >/etc/mine; mkdir /own; rm /usr/bin/tree; sync", linux)
    surface.reload()
    again = open_terminal(surface)
    look = "cat /etc/mine; ls -d /own; [ -e /usr/bin/tree ] || echo gone"
    assert run(surface, look, again) == "mine\n/own\ngone\n"
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path)}
    surface.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    person.open_panel("machines")
    person.click("#machines [data-action=export_machine]")
    exported = tmp_path / "main.linux-disk.gz"
    while not exported.exists():
        # Each check takes a round trip to the page.
        surface.javascript("await new Promise(requestAnimationFrame)")
    surface.python("await gemini.linux.reset()")
    reset = open_terminal(surface)
    assert run(surface, "ls -d /etc/mine /own /usr/bin/tree 2>/dev/null || true", reset) == "/usr/bin/tree\n"
    person.click("#machines [data-import]")
    surface.driver.find_element(By.ID, "machines-file").send_keys(str(exported))
    assert "main.linux-disk.gz" in person.sees("#machines .machine-question")
    person.click("#machines [data-confirm]")
    surface.wait_for("document.querySelector('#machines-announcement').textContent.includes('is replaced')")
    assert run(surface, look, open_terminal(surface)) == "mine\n/own\ngone\n"
    surface.python("await gemini.linux.reset()")
