"""The contract of terminal backends as data: scripts with their output and their end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

# Long enough for a slow machine to print the earlier output.
SOON_S = 0.5
LOOP = "while :; do sleep 0.02; done"


@dataclass(frozen=True)
class Step:
    """One command. `stderr` None accepts any; `working_dir` is relative to the session's first directory."""

    script: str
    stdout: str | bytes = ""
    stderr: str | None = ""
    exit_code: int = 0
    ended: Literal["done", "exited", "interrupted", "timed_out"] = "done"
    working_dir: str = ""
    session: str = "first"
    timeout_s: float | None = None
    interrupt_at: str | None = None
    renewed: bool = False


@dataclass(frozen=True)
class Case:
    """Steps in order, in a directory of their own; the steps of an inner tuple run concurrently.

    `shell_lacks` says why the embedded shell doesn't pass yet.
    """

    name: str
    steps: tuple[Step | tuple[Step, ...], ...]
    shell_lacks: str = ""

    def __str__(self) -> str:
        return self.name


def case(name: str, *steps: Step | tuple[Step, ...], shell_lacks: str = "") -> Case:
    return Case(name.replace(" ", "_"), steps, shell_lacks)


OUTPUT = [
    case("both streams are separate", Step("echo out; echo err >&2", "out\n", "err\n")),
    case("a missing line end stays missing", Step("printf abc", "abc")),
    case("characters are UTF-8", Step("echo 'žluť 🐍'", "žluť 🐍\n")),
    case("bytes that are not UTF-8 are unchanged", Step("echo AP/+YQ== | base64 -d", b"\x00\xff\xfea")),
    case(
        "bytes survive files and pipes",
        Step("echo /wCACg== | base64 -d > data; cat data; cat data | cat", b"\xff\x00\x80\n" * 2),
    ),
    case("large output is complete", Step("seq 50000", "".join(f"{n}\n" for n in range(1, 50_001)))),
    case("stdin is empty", Step("cat; echo done", "done\n")),
    case("an empty command", Step("")),
    case("a comment", Step("# nothing")),
    case("several lines are one command", Step("for n in 1 2\ndo\n  echo $n\ndone\necho end", "1\n2\nend\n")),
    case("a here-document", Step("cat <<END\na b\nEND\necho c", "a b\nc\n")),
]

EXIT_CODES = [
    case("a command that fails", Step("false", exit_code=1), Step("true")),
    case("the last command counts", Step("false; true"), Step("true; (exit 42)", exit_code=42)),
    case("an unknown command", Step("no-such-command-here", stderr=None, exit_code=127)),
    case("the next command has the exit code", Step("(exit 5)", exit_code=5), Step("echo $?", "5\n")),
    case(
        "an open quote is a syntax error",
        Step("x=1"),
        Step("echo 'oops", stderr=None, exit_code=2),
        Step("echo $x", "1\n"),
    ),
    case(
        "an open block is a syntax error",
        Step("if true; then echo", stderr=None, exit_code=2),
        Step("echo on", "on\n"),
    ),
]

STATE = [
    case(
        "the working directory persists",
        Step("mkdir -p a/b; cd a", working_dir="a"),
        Step("cd b", working_dir="a/b"),
        Step('basename "$PWD"; cd ../..', "b\n"),
    ),
    case("the previous directory persists", Step("mkdir a; cd a", working_dir="a"), Step("cd - > /dev/null")),
    case(
        "variables persist",
        Step("x='a  b'"),
        Step('echo "$x"', "a  b\n"),
        Step("unset x"),
        Step("echo $x", "\n"),
    ),
    case("exported variables persist", Step("export SHOWN=yes"), Step("env | grep ^SHOWN=", "SHOWN=yes\n")),
    case("arrays persist", Step("a=(1 'two 2' 3)"), Step('echo "${a[1]} ${#a[@]}"', "two 2 3\n")),
    case(
        "declared lists preserve blanks in values",
        Step("declare -A m=([k]=\"x  y\" ['a b']=c); x='1  2'; declare -a a=(\"$x\" '3 4' 5 $x)"),
        Step('printf \'<%s>\' "${m[k]}" "${m[a b]}" "${a[@]}"', "<x  y><c><1  2><3 4><5><1><2>"),
        Step(
            'f() { local -a l=(\'6 7\' "$1"); l+=("9 9"); echo "${#l[@]}${l[1]}"; }; f \'8 8\'; echo ${#l[@]}',
            "38 8\n0\n",
        ),
        Step(
            "readonly -a r=('1 2'); echo \"${#r[@]}\"; declare -ra s=([2]='3 4'); echo \"${s[2]}\"",
            "1\n3 4\n",
        ),
        Step('echo "${r[0]}"; (r=5; echo no) 2>/dev/null; a+=(x); echo "${#a[@]}"', "1 2\n6\n"),
    ),
    case(
        "functions persist",
        Step('greet() { echo "hello $1"; }'),
        Step("greet you", "hello you\n"),
        Step('greet() { echo "bye $1"; }'),
        Step("greet you", "bye you\n"),
    ),
    case("aliases persist", Step("alias hi='echo hello'"), Step("hi you", "hello you\n")),
    case(
        "options persist",
        Step("set -o pipefail"),
        Step("false | true", exit_code=1),
        Step("set +o pipefail"),
        Step("false | true"),
    ),
    case("positional parameters persist", Step("set -- a 'b c'"), Step('echo "$2 $#"', "b c 2\n")),
    case(
        "sessions have separate state",
        Step("x=1; f() { echo f; }; mkdir d; cd d", working_dir="d"),
        Step("echo ${x-unset}; f", "unset\n", None, 127, session="second"),
        Step("echo $x; f", "1\nf\n", working_dir="d"),
    ),
    case(
        "sessions share the files",
        Step("echo here > note"),
        Step("cat note; rm note", "here\n", session="second"),
        Step("cat note", stderr=None, exit_code=1),
    ),
    case(
        "sessions run at the same time",
        (
            Step("until [ -e flag ]; do sleep 0.02; done; echo seen", "seen\n", timeout_s=30),
            Step("touch flag", session="second"),
        ),
    ),
    case(
        "exit ends the shell and the next command gets a new one",
        Step("x=1; mkdir d; cd d", working_dir="d"),
        Step("echo bye; exit 7", "bye\n", None, 7, "exited", "d"),
        Step('echo "${x-unset}"; basename "$PWD"', "unset\nd\n", working_dir="d"),
    ),
]

RENEWAL = [
    case(
        "a session restores the state of another",
        Step("mkdir a; cd a; x='1 2'; export SHOWN=yes; set -- one two; f() { echo f$x; }", working_dir="a"),
        Step(
            "basename $PWD; f; env | grep ^SHOWN; echo $2",
            "a\nf1 2\nSHOWN=yes\ntwo\n",
            working_dir="a",
            renewed=True,
        ),
    ),
    case(
        "a session restores arrays, aliases and options",
        Step(
            "a=(1 'two 2'); declare -A m=([k]=v); declare -i n=1; alias hi='echo hello'; "
            "set -o noglob; shopt -s nullglob"
        ),
        Step("n=n+1; hi ${a[1]} ${m[k]} $n *", "hello two 2 v 2 *\n", renewed=True),
        Step("set +o noglob; echo *.none", "\n", renewed=True),
    ),
    case(
        "a session restores traps",
        Step("trap 'echo bye' EXIT; trap 'echo interrupted' USR1"),
        Step("kill -USR1 $$", "interrupted\n", renewed=True),
        Step("exit 3", "bye\n", stderr=None, exit_code=3, ended="exited", renewed=True),
    ),
    case(
        "a session restores the exit code",
        Step("(exit 5)", exit_code=5),
        Step("echo $?", "5\n", renewed=True),
    ),
    case(
        "restored functions can call each other",
        Step('one() { two; }; two() { echo "$(three)"; }; three() { echo 3; }'),
        Step("one", "3\n", renewed=True),
        Step("one | cat; three() { echo 4; }; one", "3\n4\n", renewed=True),
    ),
]

REFUSED = [
    case(
        "a redirection into a missing directory fails and the script continues",
        Step("x=1"),
        Step(
            "echo hi > none/x; echo $? $x; echo hi >> none/x || echo no; ls 2> none/x; echo on",
            "1 1\nno\non\n",
            "bash: none/x: No such file or directory\n" * 3,
        ),
        Step("echo $x; echo hi &> none/x", "1\n", "bash: none/x: No such file or directory\n", 1),
    ),
    case(
        "a redirection to a directory or below a file fails",
        Step("mkdir d; echo a > d; echo b >> d", "", "bash: d: Is a directory\n" * 2, 1),
        Step("echo a > f; echo b > f/x; cat f", "a\n", "bash: f/x: Not a directory\n"),
    ),
    case(
        "a command with a failed redirection does not run",
        Step(
            "rm_it() { rm f; }; touch f; rm f > none/x; rm_it > none/x; { rm f; } > none/x; ls f", "f\n", None
        ),
        Step(
            "for i in 1 2; do rm f; done > none/x; (rm f) > none/x; f() { rm f; } > none/x; f; ls f",
            "f\n",
            None,
        ),
        Step("for i in 1 2; do echo $i > none/x; echo after $i; done 2> errors", "after 1\nafter 2\n"),
        Step("wc -l < errors", "2\n"),
    ),
    case(
        "a failed exec redirection changes nothing",
        Step("exec > none/x; echo on", "on\n", "bash: none/x: No such file or directory\n"),
        Step("exec 3> none/x; echo $?", "1\n", "bash: none/x: No such file or directory\n"),
    ),
    case(
        "a failed target can be created later",
        Step("echo a > d/x", "", "bash: d/x: No such file or directory\n", 1),
        Step(
            "mkdir d; [ -e d/x ] || echo none; echo a > d/x; cat d/x; set -C; echo b > d/y; cat d/y; set +C",
            "none\na\nb\n",
        ),
    ),
]

ENDINGS = [
    case(
        "a time limit ends a loop but not its output and state",
        Step("x=1; mkdir d; cd d", working_dir="d"),
        Step(f"echo before; {LOOP}; echo after", "before\n", None, 130, "timed_out", "d", timeout_s=SOON_S),
        Step("echo $x", "1\n", working_dir="d"),
    ),
    case(
        "a time limit ends a loop that never pauses",
        Step("while :; do :; done", "", None, 130, "timed_out", timeout_s=SOON_S),
        Step("echo on", "on\n"),
    ),
    case(
        "a time limit ends an awk that calculates",
        Step("awk 'BEGIN { while (1) n++ }'; echo after", "", None, 130, "timed_out", timeout_s=SOON_S),
        Step("echo on", "on\n"),
    ),
    case(
        "a time limit ends a sed that never reads on",
        Step("echo a | sed ':a; ba'; echo after", "", None, 130, "timed_out", timeout_s=SOON_S),
        Step("echo on", "on\n"),
    ),
    case(
        "commands are executed while an awk calculates in the background",
        Step(
            "awk 'BEGIN { while (1) n++ }' & sleep 0.02; echo on; kill %1; wait; echo over",
            "on\nover\n",
            None,
        ),
    ),
    case("a time limit ends a sleep", Step("sleep 1000", "", None, 130, "timed_out", timeout_s=SOON_S)),
    case(
        "a time limit ends a pipeline",
        Step("sleep 1000 | cat", "", None, 130, "timed_out", timeout_s=SOON_S),
        Step("echo on", "on\n"),
    ),
    case("a command within its time limit completes", Step("echo a", "a\n", timeout_s=600)),
    case(
        "output appears while the command runs and an interrupt ends it",
        Step("f() { echo same; }"),
        Step(f"echo ready; {LOOP}; echo after", "ready\n", None, 130, "interrupted", interrupt_at="ready"),
        Step("f", "same\n"),
    ),
    case(
        "an interrupt ends a sleep and the rest of the command",
        Step("echo ready; sleep 1000; echo after", "ready\n", None, 130, "interrupted", interrupt_at="ready"),
    ),
    case(
        "an interrupt ends a loop in a function",
        Step(f"f() {{ {LOOP}; }}"),
        Step("echo ready; f; echo after", "ready\n", None, 130, "interrupted", interrupt_at="ready"),
        Step("echo on", "on\n"),
    ),
]

NAMES = [
    case("names with blanks and quotes", Step("touch 'a b' \"c'd\"; printf '%s|' *; rm *", "a b|c'd|")),
    case("names with line breaks", Step("echo in > $'a\\nb'; cat $'a\\nb'; rm $'a\\nb'", "in\n")),
    case("names in any script", Step("mkdir '🐍 ž'; cd '🐍 ž'", working_dir="🐍 ž"), Step("cd ..")),
]

CONCURRENT = [
    case(
        "commands that other commands run have their caller's variables",
        Step(
            "for n in 1 2 3 4; do (export n; find . -maxdepth 0 -exec sh -c 'sleep 0.0$n; echo $n' \\; "
            "-exec sh -c 'echo $n' \\; > out$n) & done; wait; cat out1 out2 out3 out4",
            "1\n1\n2\n2\n3\n3\n4\n4\n",
            None,
        ),
    ),
    case(
        "concurrent pipelines of the same command have their own input",
        Step(
            "for n in 1 2 3 4; do (seq $n | tac | tac | cat | tac | cat > out$n) & done; wait; "
            "cat out1 out2 out3 out4",
            "1\n2\n1\n3\n2\n1\n4\n3\n2\n1\n",
            None,
        ),
    ),
    case(
        "concurrent commands have their own umask",
        Step(
            "for n in 22 27 77; do (umask 0$n; mkdir d$n; echo x | split -l 1 - d$n/; stat -c %a d$n/*) > m$n & done; "
            "wait; cat m22 m27 m77",
            "644\n640\n600\n",
            None,
        ),
    ),
    case(
        "find by names and types",
        Step(
            "mkdir -p q/a/.h; touch q/a/1.txt q/b 'q/a/ž ž'; ln -s a q/l; find q/ -type l; find q/l/ -type f | sort; "
            "find q -maxdepth 2 -mindepth 1 ! -name '*.txt' | sort; find q -iname '*.TXT' -print; "
            "find none; echo $?",
            "q/l\nq/l/1.txt\nq/l/ž ž\nq/a\nq/a/.h\nq/a/ž ž\nq/b\nq/l\nq/a/1.txt\n1\n",
            None,
        ),
    ),
    case(
        "what find runs may print any bytes", Step("echo žluť > f; find . -name f -exec cat {} \\;", "žluť\n")
    ),
]

DESCRIPTORS = [
    case(
        "a descriptor lasts from one command to the next",
        Step("exec 3>&1; echo a >&3", "a\n"),
        Step("{ echo b >&2; } 2>&3 | cat; exec 3>&-", "b\n"),
        Step("{ echo c >&3; } 2>/dev/null || echo closed", "closed\n"),
    ),
    case(
        "redirections apply in the order they are written",
        Step("{ echo out; echo err >&2; } 2>&1 >/dev/null", "err\n"),
        Step("{ echo out; echo err >&2; } >/dev/null 2>&1"),
    ),
    case(
        "exec sends output to a file and a substitution keeps its own",
        Step("exec 4>&1 >log; x=$(echo two); echo $x; exec >&4 4>&-; cat log; echo on", "two\non\n"),
    ),
    case(
        "two readers share a position",
        Step("seq 3 > f; exec 5<f; read a <&5; read b <&5; echo $a $b", "1 2\n"),
    ),
]

STREAMS = [
    case(
        "an endless producer ends with its reader",
        Step("yes | head -2; while :; do echo x; done | head -1", "y\ny\nx\n", None, timeout_s=30),
        Step("yes | tr y n | head -1; yes | sed s/y/m/ | head -1", "n\nm\n", None, timeout_s=30),
    ),
    case(
        "the commands of a pipeline run at the same time",
        Step(
            "{ echo a; until [ -e flag ]; do sleep 0.02; done; echo b; } | while read l; do touch flag; echo $l; done",
            "a\nb\n",
            timeout_s=30,
        ),
    ),
    case(
        "jobs end in the order of their work", Step("(sleep 0.4; echo 2) & (echo 1) & wait", "1\n2\n", None)
    ),
]

# Remove a reason when the embedded shell passes its case.
GAPS = [
    case(
        "printf writes any byte",
        Step(r"printf '\000\377\376a'", b"\x00\xff\xfea"),
    ),
    case(
        "patterns match line breaks",
        Step("touch 'a b' $'c\\nd'; printf '%s|' *", "a b|c\nd|"),
    ),
    case(
        "output appears while a function runs",
        Step(f"f() {{ echo ready; {LOOP}; }}"),
        Step("f", "ready\n", None, 130, "interrupted", interrupt_at="ready", timeout_s=10 * SOON_S),
    ),
]

CASES: Sequence[Case] = [
    *OUTPUT,
    *EXIT_CODES,
    *STATE,
    *RENEWAL,
    *REFUSED,
    *CONCURRENT,
    *DESCRIPTORS,
    *STREAMS,
    *ENDINGS,
    *NAMES,
    *GAPS,
]

# A host terminal runs each command in a new bash; only the directory and exported variables persist.
HOST_CASES: Sequence[Case] = [
    *OUTPUT,
    *NAMES,
    *(
        one
        for one in [*EXIT_CODES, *STATE, *ENDINGS]
        if str(one)
        in {
            "a_command_that_fails",
            "the_last_command_counts",
            "an_unknown_command",
            "the_working_directory_persists",
            "the_previous_directory_persists",
            "exported_variables_persist",
            "sessions_share_the_files",
            "sessions_run_at_the_same_time",
            "a_time_limit_ends_a_loop_that_never_pauses",
            "a_time_limit_ends_a_sleep",
            "a_time_limit_ends_a_pipeline",
            "a_command_within_its_time_limit_completes",
            "an_interrupt_ends_a_sleep_and_the_rest_of_the_command",
        }
    ),
]
