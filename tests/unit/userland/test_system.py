"""ps, uptime, nproc, df, free, man, watch and the message for a missing command."""

import asyncio
import os
import re
import shlex
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from gemini_userland import COMMANDS, run
from gemini_userland.invocation import Invocation, Machine, OpenFile, Process
from gemini_userland.suggestions import suggest

from .conftest import Call


def processes() -> tuple[Process, ...]:
    now = time.time()
    return (
        Process(1001, 1, 1, "bash", now - 3670),
        Process(5001, 1001, 1, "sleep 100", now - 62),
        Process(1002, 1, 2, "bash: python3 job.py", now - 5),
    )


FILES = (
    OpenFile("bash", 1001, "cwd", "/"),
    OpenFile("bash", 1001, "3w", "/missing/log"),
    OpenFile("python3", None, "7r", "/missing/data"),
    OpenFile("python3", 1002, "-", "localhost", 8000),
    OpenFile("serve", None, "-", "*", 8080),
)
MEMORY = (100 << 20, 4 << 30)


sent: list[tuple[int, int]] = []


def signalled(pid: int, number: int) -> bool:
    sent.append((pid, number))
    return True


async def report(*argv: str) -> tuple[int, str]:
    machine = Machine(1, processes, lambda: FILES, lambda: MEMORY, signal=signalled)
    invocation = Invocation(list(argv), env={"USER": "user"}, machine=machine)
    exit_code = await run(invocation)
    return exit_code, invocation.stdout.text() + invocation.stderr.text()


async def test_ps_lists_the_processes_of_the_terminal() -> None:
    assert await report("ps") == (
        0,
        "    PID TTY          TIME CMD\n   1001 pts/1           - bash\n   5001 pts/1           - sleep\n",
    )


@pytest.mark.parametrize("arguments", [["-e"], ["-A"], ["aux"], ["ax"], ["-ef"]], ids=repr)
async def test_ps_lists_the_processes_of_all_terminals(arguments: list[str]) -> None:
    _, text = await report("ps", *arguments)
    assert re.findall(r"\b(1001|1002|5001)\b.*pts", text) == ["1001", "1002", "5001"]


async def test_ps_prints_the_columns_that_are_asked_for() -> None:
    exit_code, text = await report("ps", "-e", "-o", "pid=,ppid=,etime=,args=")
    assert exit_code == 0
    # The times advance while the test runs.
    assert re.sub(r"\d\d:\d\d(?= [a-z])", "MM:SS", text) == (
        "   1001       1    01:MM:SS bash\n   1002       1       MM:SS bash: python3 job.py\n"
        "   5001    1001       MM:SS sleep 100\n"
    )
    assert (await report("ps", "-p", "5001", "-o", "comm"))[1] == "COMMAND\nsleep\n"
    assert (await report("ps", "-C", "nothing", "--no-headers")) == (1, "")
    assert (await report("ps", "-o", "colour"))[0] == 1


async def test_free_prints_the_memory_of_the_machine(call: Call) -> None:
    assert (await report("free", "-m"))[1].splitlines()[1].split() == [
        "Mem:",
        "4096",
        "100",
        "3996",
        "0",
        "0",
        "3996",
    ]
    assert (await report("free", "-h"))[1].splitlines()[1].split() == [
        "Mem:",
        "4.0Gi",
        "100Mi",
        "3.9Gi",
        "0B",
        "0B",
        "3.9Gi",
    ]
    assert (await call("free")).exit_code == 1


async def test_df_prints_the_space_of_the_file_system(call: Call, tmp_path: Path) -> None:
    shown = await call("df", "-k", ".")
    about = os.statvfs(tmp_path)
    heading, row = shown.text.splitlines()
    assert heading.split() == ["Filesystem", "1K-blocks", "Used", "Available", "Use%", "Mounted", "on"]
    assert int(row.split()[1]) == about.f_blocks * about.f_frsize // 1024
    assert (await call("df", "missing")).error == "df: missing: No such file or directory\n"


async def test_uptime_and_nproc_are_those_of_the_system(call: Call, system: Call) -> None:
    assert (await call("uptime", "-p")).text.startswith("up ")
    assert re.match(r" \d\d:\d\d:\d\d up ", (await call("uptime")).text)
    assert (await call("nproc")).text == (await system("nproc")).text
    assert (await call("nproc", "--ignore=9999")).text == "1\n"


async def test_man_prints_the_help_of_a_command(call: Call) -> None:
    assert (await call("man", "1", "sed")).text == (await call("sed", "--help")).text
    assert (await call("man", "nothing-at-all")).exit_code == 16
    assert "zip (1) - " in (await call("man", "-k", "archive")).text


@pytest.mark.parametrize("name", sorted(COMMANDS))
async def test_every_command_has_a_manual(call: Call, name: str) -> None:
    assert "usage" in (await call("man", name)).text.lower()


async def test_watch_repeats_a_command_until_its_output_changes() -> None:
    runs: list[str] = []
    invocation = Invocation(["watch", "-g", "-n", "0.1", "date +%s", "| wc"], env={})

    async def shell(script: str, cwd: str, env: Mapping[str, str]) -> int:
        runs.append(script)
        invocation.print("same" if len(runs) < 3 else "other")
        return 0

    invocation.shell = shell
    assert await asyncio.wait_for(run(invocation), 10) == 0
    assert runs == ["date +%s | wc"] * 3
    assert invocation.stdout.text().count("Every 0.1s: date +%s | wc") == 3


async def test_openssl_decrypts_what_it_encrypted(call: Call) -> None:
    pytest.importorskip("cryptography")
    word = ("-aes-256-cbc", "-pbkdf2", "-a", "-k", "word")
    hidden = await call("openssl", "enc", *word, stdin=b"a text")
    assert (await call("openssl", "enc", "-d", *word, stdin=hidden.output)).output == b"a text"
    wrong = await call("openssl", "enc", "-d", *word[:-1], "other", stdin=hidden.output)
    assert (wrong.exit_code, wrong.output) == (1, b"")
    assert len((await call("openssl", "rand", "-hex", "8")).text) == 17


async def test_a_patch_of_git_changes_files_whose_names_have_blanks(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a b.txt").write_text("same\n")
    (tmp_path / "empty file").write_text("")
    change = (
        "diff --git a/a b.txt b/c d e.txt\nsimilarity index 100%\nrename from a b.txt\nrename to c d e.txt\n"
        "diff --git a/empty file b/empty file\ndeleted file mode 100644\nindex e69de29..0000000\n"
    )
    shown = await call("patch", "-p1", stdin=change.encode())
    assert (shown.exit_code, shown.text) == (
        0,
        "patching file 'c d e.txt' (renamed from 'a b.txt')\npatching file 'empty file'\n",
    )
    assert [path.name for path in tmp_path.iterdir()] == ["c d e.txt"]


def test_a_missing_command_suggests_the_nearest_or_says_where_it_is() -> None:
    assert suggest("grpe", ["grep", "sed"]) == "Did you mean grep?"
    assert suggest("gti", ["git", "sed"]) == "Did you mean git?"
    assert suggest("sl", ["ls", "sed"]) == "Did you mean ls?"
    assert suggest("frobnicate", ["grep", "sed"]) == ""
    assert "terminal_create(backend='host')" in suggest("perl", [])
    assert "pip install" in suggest("apt-get", [])


@pytest.mark.parametrize(
    ("names", "instead"),
    [
        ("fd bat exa ag zsh gawk open 7z dos2unix parallel netstat htop top pbcopy code", "use "),
        (
            "dust procs cloc shellcheck direnv lazygit duckdb tldr gron sd pyenv csvsort python3.12 pip3.11",
            "use ",
        ),
        ("pytest black isort mypy flake8 coverage ipython", "pip install {} brings it"),
        ("uv uvx poetry pipx conda", "pip install"),
        ("ruff pyright", "pip install flake8"),
        ("tsc npx yarn eslint mocha playwright bunx", "node"),
        ("mvn gradle bundle rake gofmt", "Python and JavaScript"),
        ("gh", "api.github.com"),
        ("cargo docker systemctl npm", "terminal_create(backend='host')"),
        ("apt brew snap", "pip install NAME"),
        ("sudo su", "run it without"),
        ("ssh telnet pdftoppm yt-dlp", "terminal_create(backend='host')"),
        ("emacs dash xsltproc tidy expect tmux screen k6 hf mise venv", "use "),
        ("modprobe llama-cli", "has no"),
    ],
)
def test_a_common_program_that_is_missing_names_what_to_use(names: str, instead: str) -> None:
    for name in names.split():
        line = suggest(name, ["ls", "cat", "find"])
        assert line.startswith(f"{name}: ") and instead.format(name) in line


async def test_an_archive_writes_nothing_outside_of_its_folder(call: Call, tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../outside.txt", "x")
        archive.writestr("/absolute.txt", "x")
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "..")
        archive.writestr("link/below.txt", "x")
    (tmp_path / "target" / "inner").mkdir(parents=True)
    (tmp_path / "target" / "inner" / "link").symlink_to("..")
    shown = await call("unzip", "-o", "../../evil.zip", cwd=tmp_path / "target" / "inner")
    assert shown.exit_code != 0
    assert sorted(path.name for path in (tmp_path / "target" / "inner").iterdir()) == [
        "absolute.txt",
        "link",
        "outside.txt",
    ]
    assert sorted(path.name for path in (tmp_path / "target").iterdir()) == ["inner"]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], "/ /missing/log /missing/data localhost:8000 *:8080"),
        (["-i"], "localhost:8000 *:8080"),
        (["-nP", "-iTCP", "-sTCP:LISTEN"], "localhost:8000 *:8080"),
        (["-i", ":8000"], "localhost:8000"),
        (["-i", "tcp:8001-9000"], "*:8080"),
        (["-i:9"], ""),
        (["-p", "1001"], "/ /missing/log"),
        (["-p", "1001", "/missing/data"], "/ /missing/log /missing/data"),
        (["-a", "-p", "1001", "/missing/log"], "/missing/log"),
        (["-c", "py", "-a", "-i"], "localhost:8000"),
        (["/missing/other"], ""),
    ],
    ids=repr,
)
async def test_lsof_lists_what_is_asked_for(arguments: list[str], names: str) -> None:
    exit_code, text = await report("lsof", *arguments)
    lines = [re.sub(r" \(LISTEN\)$", "", line) for line in text.splitlines()]
    assert [line.split()[-1] for line in lines[1:]] == names.split()
    assert exit_code == (0 if names else 1)


async def test_lsof_prints_columns_and_process_ids() -> None:
    assert await report("lsof", "-i") == (
        0,
        "COMMAND  PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\n"
        "python3 1002 user  - IPv4      -      0t0  TCP localhost:8000 (LISTEN)\n"
        "serve      - user  - IPv4      -      0t0  TCP *:8080 (LISTEN)\n",
    )
    assert await report("lsof", "-ti:8000") == (0, "1002\n")
    assert await report("lsof", "-t", "/missing/data") == (0, "")


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("pgrep sleep", (0, "5001\n")),
        ("pgrep -f job", (0, "1002\n")),
        ("pgrep -l python", (0, "1002 python3\n")),
        ("pgrep -a -x sleep", (0, "5001 sleep 100\n")),
        ("pgrep -x slee", (1, "")),
        ("pgrep -c .", (0, "3\n")),
        ("pgrep -n .", (0, "5001\n")),
        ("pgrep -d, -v sleep", (0, "1001,1002\n")),
        ("pgrep -P 1001", (0, "5001\n")),
        ("pgrep", (2, "pgrep: no matching criteria specified\n")),
        ("pgrep -u user", (0, "1001\n1002\n5001\n")),
        ("pgrep -u other sleep", (2, "pgrep: invalid user name: other\n")),
        ("pgrep -t pts/2", (0, "1002\n")),
        ("pgrep -O 60 .", (0, "1001\n5001\n")),
        ("pgrep --ns 1 x", (2, "pgrep: --ns isn't supported: there are no namespaces: leave it out\n")),
    ],
)
async def test_pgrep_prints_the_processes_that_match(command: str, printed: tuple[int, str]) -> None:
    assert await report(*command.split()) == printed


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pkill sleep", [(5001, 15)]),
        ("pkill -9 -f job.py", [(1002, 9)]),
        ("pkill -HUP -x sleep", [(5001, 1)]),
        ("pkill --signal INT sleep", [(5001, 2)]),
        ("pkill nothing", []),
        ("pkill -t pts/1 -x sleep", [(5001, 15)]),
        ("killall sleep", [(5001, 15)]),
        ("killall -9 sleep", [(5001, 9)]),
        ("killall -s HUP -I SLEEP", [(5001, 1)]),
        ("killall -r 'sl.*p'", [(5001, 15)]),
        ("killall -o 1h sleep", []),
        ("killall -y 1h sleep", [(5001, 15)]),
        ("killall -u user sleep", [(5001, 15)]),
        ("killall slee", []),
    ],
)
async def test_pkill_signals_the_processes_that_match(command: str, expected: list[tuple[int, int]]) -> None:
    sent.clear()
    exit_code, _ = await report(*shlex.split(command))
    assert (exit_code, sent) == (0 if expected else 1, expected)


@pytest.mark.parametrize(
    ("command", "pids"),
    [
        ("ps --ppid 1001 -o pid=", "5001"),
        ("ps -t pts/2 -o pid=", "1002"),
        ("ps -e --sort=-pid -o pid=", "5001 1002 1001"),
        ("ps -e -N -o pid=", ""),
        ("ps -C sleep -N -o pid=", "1001 1002"),
    ],
)
async def test_ps_chooses_and_sorts(command: str, pids: str) -> None:
    _, text = await report(*command.split())
    assert text.split() == pids.split()


@pytest.mark.parametrize("option", ["-H", "-L", "-T", "-O pid", "-M", "f", "axf"])
async def test_ps_says_what_to_use_instead(option: str) -> None:
    exit_code, text = await report("ps", *option.split())
    assert exit_code == 1
    assert "isn't supported: " in text
