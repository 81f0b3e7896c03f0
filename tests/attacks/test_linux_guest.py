"""Root of a booted Linux attacks what is around its machine: files, the network, the console, the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.listener import Listener
from tests.attacks.page_port import is_asked
from tests.http_server import TEXT, Handler, Server, http_server
from tests.web.linux_page import NAME, page_reaching, require_machine
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended(together="linux")
LIMIT_S = 60

# `/outer` is beside `/project`, and both are Python's. The Linux sees `/project` alone.
PREPARE = """
import os, shutil
for folder in ("/outer", "/project/own", "/project/race"):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
open("/outer/secret.txt", "w").write("SECRET")
open("/project/own/own.txt", "w").write("OWN")
for link, target in (("l", "/outer"), ("up", "../../outer")):
    os.symlink(target, f"/project/own/{link}")
"""
OUTSIDE = "import os\n[sorted(os.listdir('/outer')), open('/outer/secret.txt').read()]"


@dataclass
class Guest:
    """A terminal of root in a booted machine.

    Args:
        surface: The page.
        terminal: The terminal's id.
    """

    surface: Surface
    terminal: str

    def run(self, command: str, *decisions: str) -> tuple[str, list[str]]:
        """Run a command, and answer its questions; return all that it printed, and the questions."""
        given = {"command": command, "terminal_id": self.terminal, "streams": True, "timeout_s": LIMIT_S}
        call = Background(self.surface, "terminal_execute", given)
        questions = Person(self.surface).answer_questions(call, *decisions or ("refuse",))
        done: dict[str, Any] = call.result()
        return done["stdout"] + done["stderr"], questions


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    def away(handler: Any, rest: str, body: bytes) -> None:
        handler.send(302, b"", Location=f"http://{rest}")

    with pytest.MonkeyPatch.context() as patch, http_server() as server:
        patch.setattr(Handler, "path_away", away, raising=False)
        yield server


@pytest.fixture(scope="module")
def private() -> Iterator[Listener]:
    """Run a server of this computer that no page may reach."""
    listener = Listener()
    with listener.listening():
        yield listener


def arrived(private: Listener) -> list[str]:
    """Return what has reached the server, after a request of the test's own."""
    with urlopen(f"{private.url}/fence"):
        pass
    seen, private.seen = private.seen, []
    seen.remove("/fence")
    seen.remove("connection")
    return seen


@pytest.fixture(scope="module")
def surface_of_module(surface_dist: Path, browsers: BrowserPool, server: Server) -> Iterator[Surface]:
    require_machine(surface_dist)
    with page_reaching(server.server_port, surface_dist, browsers) as surface:
        yield surface


@pytest.fixture(scope="module")
def opened(surface_of_module: Surface) -> Guest:
    surface_of_module.python(PREPARE)
    terminal = surface_of_module.call("terminal_create", backend="linux")["terminal_id"]
    return Guest(surface_of_module, terminal)


@pytest.fixture
def guest(surface: Surface, opened: Guest) -> Guest:
    return opened


# Each attack, and the same within the folder.
FILES = {
    "parents": ("cat /project/../outer/secret.txt", "cat /project/own/../own/own.txt"),
    "a link of Python's": ("cat /project/own/l/secret.txt", "cat /project/own/own.txt"),
    "a relative link of Python's": ("cat /project/own/up/secret.txt", "cat /project/own/own.txt"),
    "a link of its own": (
        "cd /project/own; ln -sfn ../../outer m; cat m/secret.txt; rm m",
        "cd /project/own; ln -sfn ../own m; cat m/own.txt; rm m",
    ),
    "writing by a link": (
        "echo EVIL >/project/own/l/secret.txt; echo EVIL >/project/own/l/new",
        "echo OWN >/project/own/new; cat /project/own/new",
    ),
    "moving a file out": (
        "cp /project/own/own.txt /project/own/gone; mv /project/own/gone /project/own/l/gone",
        "cp /project/own/own.txt /project/own/a; mv /project/own/a /project/own/b; cat /project/own/b",
    ),
    "a hard link": (
        "busybox ln /project/own/l/secret.txt /project/own/h; cat /project/own/h",
        "cat /project/own/own.txt",
    ),
    "a device": (
        "busybox mknod /project/own/d b 8 0; busybox mknod /project/own/c c 1 1; head -c 9 /project/own/d",
        "busybox mknod /tmp/zero c 1 5 && head -c 3 /tmp/zero | tr '\\0' O | sed s/OOO/OWN/",
    ),
    "long names": (
        'n=$(printf "%0300d" 0); cat "/project/$n"; cat /project/own/../../../../../../outer/secret.txt',
        'n=$(printf "%0200d" 0); cp /project/own/own.txt "/project/own/$n"; cat "/project/own/$n"',
    ),
    "the folder mounted elsewhere": (
        "mkdir -p /mnt; busybox mount -t 9p -o trans=virtio,version=9p2000.L,aname=/outer host9p /mnt;"
        " cat /mnt/secret.txt /mnt/outer/secret.txt; busybox umount /mnt",
        "busybox mount | grep -q ' /project ' && cat /project/own/own.txt",
    ),
    "a race of a folder and a link": (
        "cd /project/race; for n in 1 2 3 4 5 6 7 8 9 10; do rm -rf d; mkdir d; echo x >d/secret.txt; rm -r d;"
        " ln -s ../../outer d; done & for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do"
        " cat /project/race/d/secret.txt; echo EVIL >>/project/race/d/secret.txt; done 2>&1; wait",
        "cat /project/own/own.txt",
    ),
    "an open folder that Python moves": (
        "cd /project/own && mkdir -p in && cd in && cat ../../../outer/secret.txt ../../outer/secret.txt",
        "cd /project/own && mkdir -p in && cd in && cat ../own.txt",
    ),
}


@pytest.mark.parametrize("attack", FILES)
def test_root_gets_no_file_beside_the_folder(guest: Guest, attack: str) -> None:
    command, control = FILES[attack]
    printed, questions = guest.run(command)
    assert "SECRET" not in printed and questions == []
    assert guest.surface.python(OUTSIDE) == [["secret.txt"], "SECRET"]
    assert "OWN" in guest.run(control)[0]


def get(url: str, *headers: str) -> str:
    """Return a command that sends a request to the proxy, and prints the answer or the error."""
    given = "".join(f" --header '{header}'" for header in headers)
    return f"env -u no_proxy busybox wget -T 20 -O -{given} '{url}'"


# Names of this computer. `{port}`: of a server that no page may reach.
PRIVATE = (
    *("127.0.0.1", "localhost", "0", "0.0.0.0", "127.1", "0x7f000001", "2130706433", "[::1]", "[::]"),
    *("[::ffff:127.0.0.1]", "localhost.", "x.localhost", NAME, f"{NAME}.", "169.254.169.254", "10.0.0.1"),
)


PATHS = ("page", "entrance/challenge", "models/", "mcp", "tools.json")


@pytest.mark.parametrize("host", PRIVATE)
def test_no_name_of_this_computer_is_reached(guest: Guest, private: Listener, host: str) -> None:
    """Also the name of an allowed server that resolves to this computer, for another port."""
    printed, _ = guest.run(get(f"http://{host}:{private.server_port}/x"), "once")
    assert re.search("403|502|400|bad address", printed), printed
    assert arrived(private) == []


def test_the_control_of_all_requests(guest: Guest, server: Server) -> None:
    printed, questions = guest.run(get(f"http://{NAME}:{server.server_port}/text"), "once")
    assert TEXT.decode() in printed and len(questions) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_companion_is_not_reached(guest: Guest, host: str) -> None:
    port = int(guest.surface.url.rpartition(":")[2].partition("/")[0])
    addresses = [f"http://{host}:{each}/{path}" for each in (port, port + 1, port + 100) for path in PATHS]
    printed, questions = guest.run("; ".join(get(each, "Upgrade: websocket") for each in addresses))
    assert printed.count(" 403 ") == len(addresses) and questions == [], printed


FORGED = {
    "a grant": "X-Gemini-Consent: always",
    "an origin": "Origin: null",
    "a site": "Sec-Fetch-Site: same-origin",
    "a call": "Proxy-Authorization: Basic Y29tbWFuZHMtMTpsaW51eA==",
    "a token": "Authorization: Bearer x",
}


@pytest.mark.parametrize("forged", FORGED)
def test_no_header_allows_a_request(guest: Guest, server: Server, forged: str) -> None:
    url = f"http://{NAME}:{server.server_port}/echo/{abs(hash(forged))}"
    printed, questions = guest.run(get(url, FORGED[forged]), "refuse")
    assert "403" in printed and len(questions) == 1, printed
    assert not any("/echo/" in path for path in server.seen)


def test_a_redirect_to_this_computer_is_refused(guest: Guest, server: Server, private: Listener) -> None:
    url = f"http://{NAME}:{server.server_port}/away/127.0.0.1:{private.server_port}/x"
    printed, questions = guest.run(get(url), "once")
    assert "403" in printed and any("/away/" in path for path in server.seen), (printed, questions)
    assert arrived(private) == []


def test_connect_is_no_tunnel(guest: Guest, private: Listener) -> None:
    for target in (f"127.0.0.1:{private.server_port}", f"{NAME}:{private.server_port}"):
        inside = "GET /x HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
        head = f"CONNECT {target} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"
        send = f"printf '{head}{inside}' >&3; timeout 5 cat <&3"
        guest.run(f"exec 3<>/dev/tcp/127.0.0.1/3128; {send}; exec 3>&-")
    assert arrived(private) == [] and not is_asked(guest.surface)


AROUND = {
    "TCP": "timeout 5 bash -c 'echo x >/dev/tcp/127.0.0.1/{port}'",
    "TCP to the gateway": 'for h in 10.0.2.2 192.168.86.1; do timeout 3 bash -c "echo x >/dev/tcp/$h/{port}"; done',
    "UDP": "timeout 5 bash -c 'echo x >/dev/udp/127.0.0.1/{udp}; echo x >/dev/udp/192.0.2.1/{udp}'",
    "names": "busybox nslookup attacked.test 127.0.0.1; busybox ping -c 1 -W 1 192.0.2.1",
    "a device of its own": "busybox ip link add x0 type dummy; busybox udhcpc -n -q -t 1; ls /sys/class/net",
}


@pytest.mark.parametrize("way", AROUND)
def test_no_packet_leaves_beside_the_proxy(guest: Guest, private: Listener, way: str) -> None:
    printed, questions = guest.run(AROUND[way].format(port=private.server_port, udp=private.udp))
    assert arrived(private) == [] and questions == []
    assert "eth0" not in printed


CLIPBOARD = "return navigator.clipboard.readText().catch((error) => error.name)"
ESCAPES = {
    "the clipboard": r"\033]52;c;U0VDUkVU\a\033]52;c;?\a",
    "a device report": r"\033[c\033[6n\033[5n\033[18t\033[21t\005",
    "a title": r"\033]2;; echo typed\a\033[21t",
    "a link": r"\033]8;;javascript:alert(1)\a link \033]8;;\a",
    "a state": r"\033P$q; echo typed\n\033\\\\\033P+q544e\033\\\\",
    "no end": r"\033]52;c;",
}


@pytest.mark.parametrize("escape", ESCAPES)
def test_output_types_and_copies_nothing(guest: Guest, escape: str) -> None:
    """In the terminal that the user sees: what comes next is what the user typed."""
    surface, person = guest.surface, Person(guest.surface)
    before = surface.javascript(CLIPBOARD)
    person.click(f"[data-tab-panel-id={guest.terminal}]")
    person.enter_terminal()
    person.type(f"printf '{ESCAPES[escape]}'; printf '\\033\\\\\\n'; echo sh''own\n")
    person.reads_line("shown")
    person.type("echo [line]\n")
    person.reads_line("[line]")
    assert "typed" not in person.screen.rpartition("shown")[2]
    assert surface.javascript(CLIPBOARD) == before and not is_asked(surface)


def test_a_flood_leaves_the_page_in_use(guest: Guest) -> None:
    surface = guest.surface
    surface.call("terminal_input", terminal_id=guest.terminal, text="yes FLOOD\n")
    surface.wait_for("gemini.python('1 + 1').then(() => true)", timeout_s=20)
    assert surface.call("terminal_execute", command="echo own")["output"] == "own\n"
    surface.call("terminal_input", terminal_id=guest.terminal, text="\x03")
    assert "OWN" in guest.run("cat /project/own/own.txt")[0]


def test_forged_frames_end_the_machine_and_nothing_else(guest: Guest) -> None:
    """Root writes to the console's device itself. It is the last attack: the next terminal starts a new machine."""
    surface = guest.surface
    forged = r"printf '\377\377\377\177\001\000\021\000' >$(ls /dev/vport*p0 /dev/hvc0 2>/dev/null | head -1)"
    surface.call("terminal_input", terminal_id=guest.terminal, text=f"{forged}\n")
    assert surface.call("terminal_execute", command="echo own")["output"] == "own\n"
    assert surface.python(OUTSIDE) == [["secret.txt"], "SECRET"]
