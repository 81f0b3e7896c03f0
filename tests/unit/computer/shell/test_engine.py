"""The shell's engine without a page: bytes, descriptors, processes, quoting, and failures of the filesystem."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.computer.shell.engine import Engine, Printed

SHELL = Path(__file__).parents[4] / "web/kernel/shell"
# What bash 5.2 prints on Debian, in the locale C.UTF-8.
BYTES = {
    r"cd /; x=a\`~+; y=\;~+; echo $x $y ~+ ~+/tmp": b"a`~+ ;~+ / //tmp\n",
    r"printf '\xef\xbb\xbfa'; echo -e '\xef\xbb\xbfq'; printf %b '\xef\xbb\xbf'": (
        b"\xef\xbb\xbfa\xef\xbb\xbfq\n\xef\xbb\xbf"
    ),
    r"x=$(printf '\xef\xbb\xbfid'); echo ${#x} $x": b"3 \xef\xbb\xbfid\n",
    r"read -r x <<< $'\xef\xbb\xbfa'; printf %s $x; mapfile -t m <<< $x; printf %s ${m[0]}": (
        b"\xef\xbb\xbfa\xef\xbb\xbfa"
    ),
    r"""printf 'x="\xef\xbb\xbf"; echo ${#x}\n' > s; . ./s; bash s""": b"1\n1\n",
    r"x=$(printf 'caf\xe9'); printf %s $x; echo ${#x} ${x:3} ${x/f/F} ${x^^}": b"caf\xe94 \xe9 caF\xe9 CAF\xe9\n",
    r"y=$'\xc3'; z=$'\xa9'; w=$y$z; echo ${#w} $w": b"1 \xc3\xa9\n",
    r"printf 'echo caf\xe9\n' > s; bash s; . ./s; eval $(<s); bash < s": (
        b"caf\xe9\ncaf\xe9\ncaf\xe9\ncaf\xe9\n"
    ),
    r"printf 'cat <<E\ncaf\xe9\nE\n' > s; bash s; cat <<< $'\xff'": b"caf\xe9\n\xff\n",
    r"x=$'\xed\xa0\x80'; echo ${#x} $x": b"3 \xed\xa0\x80\n",
    r"x=$'a\x00b'c; echo $x; printf 'a\0b' | { read -r y; echo ${#y}; }": b"ac\n2\n",
    r"printf 'a\0b\n' | { mapfile m; printf %s ${m[0]}; }": b"a",
    r"""x=$(printf '\xe9'); printf '%d %d' "'é" "'$x" """: b"233 233",
    r"x=$'caf\xe9'; [[ $x =~ ^caf.$ ]] || echo no; [[ $x =~ [^a-z] ]] || echo no; [[ $x =~ caf ]] && echo yes": (
        b"no\nno\nyes\n"
    ),
    "[[ 😀 =~ ^.$ ]] && echo one; [[ x😀 =~ [😀é] ]] && echo ${BASH_REMATCH[0]}": b"one\n\xf0\x9f\x98\x80\n",
    r"printf '%q\n' $'\x85' $'a\u2028' $'\ufeff' \' 'a=~' '~a'; x=\'; echo ${x@Q}": (
        b"$'\\205'\n$'a\\342\\200\\250'\n\xef\xbb\xbf\n\\'\na=\\~\n\\~a\n\\'\n"
    ),
    r"x=$'\xff'; cat <<< $x; declare -p x; set -- $x; printf '%s|' ${1@A} $*": b"\xff\ndeclare -- x=$'\\377'\n\xff|",
}
DESCRIPTORS = {
    "cat /dev/stdin <<< a; echo b | cat /dev/fd/0; cat /proc/self/fd/3 3<<< c; cat < /dev/fd/4 4<<< d": b"a\nb\nc\n",
    "bash /dev/stdin x y <<< 'echo $0 $2'": b"/dev/stdin y\n",
    "source /dev/stdin <<< q=1; . /proc/self/fd/0 <<< r=2; echo s=3 | { . /dev/fd/0; echo $q$r$s; }": b"123\n",
    "echo a > /dev/stdout; echo b > /dev/fd/1; echo c >> /proc/self/fd/1; echo d | tee /dev/fd/3 3>&1": (
        b"a\nb\nc\nd\nd\n"
    ),
    "echo x | { [ -p /dev/stdin ] && echo pipe; }; [ -f /dev/stdin ] < file && echo f; [ -e /dev/fd/7 ] || echo no": (
        b"pipe\nf\nno\n"
    ),
    "{ read a; cat /dev/stdin; } < file; { echo a; echo b > /dev/stdout; } > g; cat g": b"there\nb\n",
    "cat < /dev/fd/9; echo $?": b"1\n",
    "cat < folder; echo $?; while read l; do :; done < folder; echo $?; : > folder; echo $?": b"1\n0\n1\n",
    "read x < folder; echo $?; mapfile m < folder; echo $?; source ./folder; echo $?; bash folder; echo $?": (
        b"1\n0\n1\n126\n"
    ),
    "bash < folder; echo $?; head -1 < folder; echo $?; exec 3< folder; read -u 3 x; echo $?": b"2\n1\n1\n",
    "cd /links; cat input <<< a; cat < input <<< b; . ./input <<< 'echo d'": b"a\nb\nd\n",
    "cd /links; echo c | while read x; do echo $x; done < input; [ -p input ] < ~/file; echo $?": b"c\n1\n",
    "cd /links; echo a > output; echo b | tee output; echo x | { [ -p input ]; echo $?; }": b"a\nb\nb\n0\n",
    "{ cat; } < folder; (cat < folder; echo x); for i in 1; do cat; done < folder; echo $?": b"x\n1\n",
}
PROCESSES = {
    "(sleep 30 & echo $! > p); kill -0 $(<p) && kill $(<p) && echo ended": b"ended\n",
    "p=$(sleep 30 > /dev/null & echo $!); kill $p; echo $?": b"0\n",
    "echo $(sleep 30 > /dev/null & echo $! > p); kill $(<p); echo $?": b"\n0\n",
    "x=$( (sleep 30 > /dev/null 2>&1 & echo $!) ); kill -TERM $x && echo ended": b"ended\n",
    "echo 'sleep 30 > /dev/null & echo $! > p' > s; bash s; kill -9 $(<p) && echo ended": b"ended\n",
    r"""sh -c 'sh -c "sleep 30 > /dev/null & echo \$! > p"'; kill $(<p) && echo ended""": b"ended\n",
    "(sleep 30 & echo $! > p); wait $(<p); echo $?; kill $(<p)": b"127\n",
    "trap 'echo term' TERM; kill $$; echo after; (trap 'echo inner; exit 4' TERM; kill $BASHPID; :); echo $?": (
        b"term\nafter\ninner\n4\n"
    ),
    "trap 'echo end $?' CHLD; (exit 3); sleep 0 & wait $!; x=$(echo a); echo $x; /bin/true | cat; :; echo b": (
        b"end 3\nend 0\nend 0\na\nend 0\nend 0\nb\n"
    ),
    "trap 'n=$((n+1)); /bin/true' CHLD; for i in 1 2 3; do (:); done; kill -CHLD $$; trap - CHLD; (:); echo $n": b"3\n",
    "trap 'echo end' CHLD; sleep 0 & sleep 0.3; echo a; wait; echo $?": b"end\nend\na\n0\n",
    "sleep 30 & cat /proc/$!/comm; { read -rd '' a; read -rd '' b; } < /proc/$!/cmdline; echo $a $b; kill $!": (
        b"sleep\nsleep 30\n"
    ),
    "sleep 30 & while read k v; do [ $k = Pid: ] && [ $v = $! ] && echo $k; done < /proc/$!/status; kill $!": b"Pid:\n",
    "sleep 30 & p=$!; cd /proc/$p/cwd; [ $PWD -ef $OLDPWD ] && echo same; kill $p; wait $p; [ -e /proc/$p ]; echo $?": (
        b"same\n1\n"
    ),
    "[ -d /proc/$$ ] && echo there; cat /proc/$$/comm; [ -e /proc/99999999 ]; echo $?": b"there\nbash\n1\n",
    "exec 5< file; cd /proc/$$/fd; echo *; [ 5 -ef ~/file ] && echo same; [ -e 6 ]; echo $?": b"0 1 2 5\nsame\n1\n",
    "(read -r a < /proc/self/comm; echo $a); echo a > /proc/$$/comm; echo $?": b"bash\n1\n",
    "sleep 30 & p=$!; kill %1; wait $p; echo $?; kill 999999; echo $?": b"143\n1\n",
}
# Each with what bash 5.2 prints on Debian, a character for each byte.
LINES: dict[str, str] = json.loads(Path(__file__).with_name("lines.json").read_text(encoding="utf-8"))
# The numbers of Emscripten and the words of the C library.
ERRORS = {
    2: "Permission denied",
    28: "Invalid argument",
    29: "Input/output error",
    31: "Is a directory",
    44: "No such file or directory",
    51: "No space left on device",
}
# Each calls the filesystem.
COMMANDS = [
    "cat file",
    "cat < file",
    "read x < file",
    "mapfile m < file",
    "echo a > new",
    "echo a >> file",
    "echo a | tee new",
    "head -1 file",
    ". ./script",
    "bash script",
    "./script",
    "x=$(<file)",
    "x=$(cat file)",
    "cat <(echo a)",
    "echo a > >(cat)",
    "cd folder",
    "pwd -P",
    "echo *",
    "[ -f file ]",
    "[[ file -nt folder ]]",
    "find . -name file",
    "[ -s file ]",
    "exec 3<> file",
    "cat <<< a",
    "{ cat; } < file",
    "cat file | cat > new",
    "select x in a; do :; done < file",
    "type -a cat",
    "echo a > file &\nwait",
    "[ -L link ]",
    "find . -type l",
    "cat /proc/self/comm",
    "program /dev/stdin <<< a",
    "{ program /dev/fd/3; } 3>&1 | cat",
]
# What git and node call, which aren't there, and Python's own descriptors.
ELSEWHERE = {"mkdir", "symlink", "readlink", "dupStream", "getStreamChecked"}
# They look at a number that they get.
WITHOUT_FILES = {"isChrdev", "isFile", "isDir", "isFIFO", "isLink"}
# A message names what failed, and the reason in words.
MESSAGE = re.compile(r"\S.*: (?:.*: )?[A-Z][a-z].*|.*[a-z] error .*")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return the engine."""
    return Engine(tmp_path_factory.mktemp("engine"))


def run(engine: Engine, scripts: list[str]) -> list[Printed]:
    return engine.run([{"script": script} for script in scripts])[0]


def test_scripts_print_what_they_print_in_bash(engine: Engine) -> None:
    lines = {script: text.encode("latin-1") for script, text in LINES.items()}
    cases = {**BYTES, **DESCRIPTORS, **PROCESSES, **lines}
    printed = run(engine, list(cases))
    assert {script: one.stdout for script, one in zip(cases, printed, strict=True)} == cases


def _failures(engine: Engine) -> list[dict[str, Any]]:
    """Return requests in which each call of the filesystem fails in each command, the first time or the second time."""
    _, calls = engine.run([{"script": command} for command in COMMANDS])
    called = re.findall(r"\bFS\.([a-z]\w*)\(", "".join(path.read_text() for path in SHELL.rglob("*.ts")))
    assert set(called) - ELSEWHERE - WITHOUT_FILES <= set(calls), "each call has a command that makes it"
    errnos = list(ERRORS)
    return [
        {
            "script": f"{command}\necho after",
            "fail": {
                "call": call,
                "errno": errnos[(row + column) % len(errnos)],
                "after": (row + column) % 2,
            },
        }
        for row, command in enumerate(COMMANDS)
        for column, call in enumerate(calls)
    ]


@pytest.mark.fortnightly
def test_a_failure_of_the_filesystem_is_a_message_and_costs_its_command(engine: Engine) -> None:
    requests = _failures(engine)
    printed, _ = engine.run(requests)
    wrong = [
        (request, one.stdout, one.stderr)
        for request, one in zip(requests, printed, strict=True)
        if not one.stdout.endswith(b"after\n") or not _is_in_words(one.stderr)
    ]
    assert not wrong, wrong[:5]


def test_an_object_that_leaks_is_found(engine: Engine) -> None:
    calls = {"open": "cat < file", "readdir": "echo *", "write": "echo a > new"}
    leaks = [
        {"script": script, "fail": {"call": call, "errno": 0, "after": 0}} for call, script in calls.items()
    ]
    printed, _ = engine.run(leaks)
    assert not any(_is_in_words(one.stderr) and one.stderr for one in printed), printed


def _is_in_words(stderr: bytes) -> bool:
    lines = stderr.decode().splitlines()
    return not re.search(r"\[object|undefined|\bE[A-Z]{3,}\b", stderr.decode()) and all(
        line.startswith(("#?", "1)")) or MESSAGE.fullmatch(line) for line in lines
    )


@pytest.mark.fortnightly
def test_messages_about_processes_and_null_bytes(engine: Engine) -> None:
    gone, stopped, other, null = run(
        engine,
        [
            "(sleep 30 & echo $! > p); kill $(<p); sleep 0.01; kill -0 $(<p)",
            "sleep 30 & kill -STOP $!; echo $?; kill $!",
            "kill 1; echo $?",
            "x=$(printf 'a\\0b'); echo $x",
        ],
    )
    assert gone.stderr.endswith(b"No such process\n")
    assert b"STOP: a process can't be stopped and continued here" in stopped.stderr
    assert other.stderr == b"bash: kill: (1) - Operation not permitted\n"
    assert null == Printed(b"ab\n", b"bash: warning: command substitution: ignored null byte in input\n", 0)


# Each changes something that lasts, and what follows it changes nothing.
CHANGES = (
    "a=1", "a+=2", "export a", "list=(1 2)", "list[1]=3", "list+=(4)", "unset 'list[0]'", "declare -A map",
    "map[k]=v", "map[k]=w", "declare -i number", "readonly a", "unset list", "f() { echo 1; }", "f() { echo 2; }",
    "unset -f f", "alias l=ls", "alias l='ls -l'", "unalias l", "set -u", "set +u", "shopt -s nullglob",
    "shopt -u nullglob", "trap 'echo x' USR1", "trap - USR1", "set -- 1 2", "shift", "umask 077", "ulimit -n 100",
    "pushd /usr", "popd", "(exit 3)", ":",
)  # fmt: skip


def test_the_state_to_save_changes_with_each_part_of_it(engine: Engine) -> None:
    commands = [command for change in CHANGES for command in (change, "echo hi > /dev/null")]
    changed = engine.changes_of_state(commands)
    # `echo` resets `$?` after `(exit 3)`.
    expected = [(change, True, change == "(exit 3)") for change in CHANGES[:-1]]
    found = [(change, *changed[2 * n : 2 * n + 2]) for n, change in enumerate(CHANGES[:-1])]
    assert found == expected
    assert changed[-2:] == [False, False]


TEXTS = st.lists(
    st.one_of(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
        st.binary(max_size=20).map(lambda data: data.replace(b"\0", b"").decode("utf-8", "surrogateescape")),
    ),
    min_size=40,
    max_size=40,
)


@pytest.mark.fortnightly
@given(TEXTS)
@settings(max_examples=2, deadline=None)
def test_text_comes_back_through_here_documents_variables_and_quotes(
    engine: Engine, texts: list[str]
) -> None:
    quoting = 'printf -v q %q "$x"; eval "y=$q; z=${x@Q}"; [ "$x$x" = "$y$z" ] && printf %s "$x"'
    scripts = [f"cat <<'END'\n{text}\nEND" for text in texts]
    scripts += [f"x={shlex.quote(text)}; {quoting}" for text in texts]
    expected = [f"{text}\n".encode("utf-8", "surrogateescape") for text in texts]
    expected += [text.encode("utf-8", "surrogateescape") for text in texts]
    printed = [one.stdout for one in run(engine, scripts)]
    assert printed == expected


def test_a_person_has_the_aliases_of_debian_s_terminals(engine: Engine) -> None:
    requests = [
        {"script": ":", "typed": ["alias; type ls"]},
        {"script": "alias; type -t ls; ls() { echo mine; }; ls", "typed": ["alias ls"]},
        {"script": ":", "typed": ["unalias ls; alias grep='grep -n'", "alias"]},
        {"script": "alias", "typed": ["alias grep='grep -n'"]},
        {"script": ":", "typed": ["exit", "alias ls"]},
    ]
    printed = [one.stdout.decode() for one in engine.run(requests)[0]]
    defaults = "".join(
        f"alias {name}='{name} --color=auto'\n" for name in ("diff", "egrep", "fgrep", "grep", "ls")
    )
    assert printed[0] == f"{defaults}ls is aliased to `ls --color=auto'\n"
    assert printed[1].endswith("mine\n") and printed[1].count("alias") == 1
    left = defaults.replace("alias ls='ls --color=auto'\n", "")
    assert printed[2] == left.replace("alias grep='grep --color=auto'", "alias grep='grep -n'")
    assert printed[3] == "alias grep='grep -n'\n"
    assert printed[4] == "alias ls='ls --color=auto'\n"


def test_help_says_where_the_documents_are(engine: Engine) -> None:
    listed, one = run(engine, ["help", "help cd"])
    first, second, *topics = listed.stdout.decode().splitlines()
    assert "MANUAL.md" in first and "man NAME" in second
    assert any(line.startswith("cd: cd [-L") for line in topics)
    assert one.stdout.startswith(b"cd: cd [-L") and b"MANUAL" not in one.stdout
