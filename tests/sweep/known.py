"""The lines of the sweep that end otherwise here than on Debian, with the reasons."""

from pathlib import Path

# What isn't here: the error names what to use instead (gemini_userland/suggestions.py).
ABSENT = set(["hostid", "mknod", "pinky", "ptx", "shred", "users", "who"])
# Options that are refused, with an error that says what to use instead.
REFUSED = frozenset((Path(__file__).parent / "refused.txt").read_text().splitlines())
_UNMEASURED = "the time and memory of a process aren't known, so there is a dash"
_MACHINE = "the page's machine is Emscripten's, for WebAssembly"
_HELP = "the explanations are ours"
_PRINTED = "a statement is printed when it runs, not when its line is read"
_ENDED = "a signal that ends a program isn't reported on standard error"
_JQ = "jq is 1.7 here, and 1.6 in Debian"
_UNKNOWN_LOAD = "the load of the machine isn't known"
_DASH = "sh is bash here, with bash's exit codes"
_EMPTY_ROUND = "a last round of a repeated group that matches nothing counts, as in Python"
_ANCHORED = "GNU's doesn't find an anchor in a group that is counted"
DIFFERENT = {
    "echo ab | sed -E 's/a?(a|ab)*/X/'": "what is optional is taken before alternatives are compared",
    "echo abc | sed -E 's/(|a)+/[\\1]/'": _EMPTY_ROUND,
    "echo aba | sed -E 's/((b|c)|(a)*\\.{0}){1,2}/[\\1]/g'": _EMPTY_ROUND,
    "echo ab | sed -E 's/(a*)*/[\\1]/g'": _EMPTY_ROUND,
    "echo aa | sed -E 's/(^a){1,2}//g'": _ANCHORED,
    "echo aab | sed -E 's/(^a){,2}/-/g'": _ANCHORED,
    "echo é | sed -E 's/\\S{0}/X/g'": "GNU's finds a place within a character",
    "bash -mc 'echo $-' 2> /dev/null": "jobs are controlled without a terminal",
    "bash -o | head -3": "line editing isn't readline's, so emacs is off",
    "HOME=/nowhere bash -ic 'echo $-' 2> /dev/null": "there is no history expansion",
    "bash --help | head -1 | cut -c 1-9": _HELP,
    "bash -c 'kill -9 $$' 2> /dev/null; echo $?": _ENDED,
    "(bash -c 'kill -TERM $$') 2> /dev/null; echo $?": _ENDED,
    "sh -uc 'echo $nope' 2> /dev/null; echo $?": _DASH,
    "sh nowhere; echo $?": _DASH,
    "set -m; (exit 3) & fg; echo $?": "a job is shown as it was typed",
    "declare -i; echo $?": "the user's number differs, and computed variables aren't listed",
    "typeset -aAfFgiIlnrtux a; echo $?": "the options contradict each other",
    "set -o history; fc -l": "a terminal's commands are in its history",
    "set -v; echo a": _PRINTED,
    "set -o verbose; echo a": _PRINTED,
    "less --nope abc; echo $?": "an unknown option is an error",
    "xxd -h > /dev/null; echo $?": "help is no error",
    "iconv --usage | head -1 | cut -c 1-5": "there is only --help",
    "watch -b -c -d -e -g -p -q 1 -t -w -x -h -v | head -c 5": _HELP,
    "openssl rand; echo $?": "the number of bytes is needed",
    "openssl version | cut -d ' ' -f 1": "the version says that it is the shell's",
    "sqlite3 :memory: .help | head -1": _HELP,
    "TERM=xterm watch --help | head -2 | tail -1 | cut -c 1-6": _HELP,
    "TERM=xterm watch --beep --color --differences --errexit --chgexit --precise --no-title --no-wrap --exec "
    "--interval 1 --help | head -2 | tail -1 | cut -c 1-6": _HELP,
    "echo '2^0.5' | bc": "a warning about a fraction in an exponent is left out",
    "cal -M 2 2024": "ours has -M, as ncal has",
    "cal -h 2 2024": "ours has -h, as ncal has",
    "patch -d src -p1 old.c ../p1.diff": "GNU's also leaves an empty copy of the missing file",
    "xargs -n1 sh -c 'kill -9 $$' < abc": "a signal is seen as an exit code here",
    "rg --type-list | wc -l": "it has a few types of later versions",
    "sleep 5 & ps -p $! -o time=; kill $!": _UNMEASURED,
    "sleep 5 & ps -p $! -o %cpu=,pcpu=,%mem= | tr -s ' '; kill $!": _UNMEASURED,
    **dict.fromkeys(
        (
            "exit --help; echo no",
            "help true",
            "help | head -1",
            "help cd | head -3",
            "help -- true",
            "printf --help; echo $?",
            "f() { return --help; }; f; echo $?",
        ),
        _HELP,
    ),
    **dict.fromkeys(
        (
            "uname",
            "uname -s",
            "uname --kernel-name",
            "uname -m",
            "uname --machine",
            "uname -o",
            "uname --operating-system",
            "uname -sm",
            "uname -a | cut -d ' ' -f 1",
            "uname --all | cut -d ' ' -f 1",
            "arch",
        ),
        _MACHINE,
    ),
    "ls -l --time=birth --time-style=+T abc": "files here have no time of birth, so there is a question mark",
    "ls -l --time=creation --time-style=+T abc": "files here have no time of birth, so there is a question mark",
    "env printf '%q\\n' \"a'b\"": "the program is the builtin, whose quotes mean the same",
    "test -N abc": "reading a file doesn't change its time of access here",
    "uptime | grep -o 'load average: .*' | tr -d '0-9.'": _UNKNOWN_LOAD,
    **dict.fromkeys(
        (
            "jq -C -c . data.json",
            "jq --color-output . lines.json",
            "jq -n --jsonargs '$ARGS' '{'; echo $?",
            "jq . <<< '{\"a\": }'; echo $?",
            "jq . <<< '[1, 2'; echo $?",
            'jq -c \'.["a"], ."s", .b.[0]?\' data.json; echo $?',
            "jq -n -c '[1, 1.5, 1e3, 1e17, 1.0, -0, 0.1, 100000000000000000000, 1e-5, 3.14159265358979]'",
            "jq -c . <<< '[1.0, 1e2, 1.10, 100000000000000000001, 1E5, 0.00001, -0]'",
            "jq -n '1 / 0'; echo $?",
            "jq -n -c '[limit(0; 1)]'",
            'jq -n -c \'{"if": 1, "and": 2} | .if, .and, {if, and}\'; echo $?',
            "jq -n -c '[.] | implode'; echo $?",
            'jq -n -c \'[.[]?] | length, ("x" * 0), ("x" * -1), ([1] * 2)?\' ; echo $?',
            "jq -n -c '\"m\" | stderr' 2>&1",
            "jq -n -c get_search_list",
            "jq -n -c '[3.0, 3.10, 1e1000, -1e1000, 5e-324, 0.1 + 0.2, 1 / 3]'",
            "jq -c . <<< \"{'a': 1}\"; echo $?",
            "jq -c . <<< 'nan'; jq -c . <<< '[NaN]'; echo $?",
            "jq -c . <<< 'tru'; echo $?",
        ),
        _JQ,
    ),
}
