"""The lines typed into the bash of a Linux that runs commands, and the script that restores its state.

Bash takes some 700 instructions for each character that it parses, so all that doesn't change between commands is in
functions, which it parses once.
"""

import re
import shlex

from gemini.computer.shell.embedded import SECRET
from gemini.computer.shell.linux_network import LEADING, PORT, address

ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "USER": "root",
    "LOGNAME": "root",
    "SHELL": "/bin/bash",
    "TERM": "xterm-256color",
    # C.UTF-8 differs from C in this alone. With LANG, each program would look for twelve more files.
    "LC_CTYPE": "C.UTF-8",
}
# An interactive bash sets the modes of its terminal after a program that a signal ended, and complains if it has none.
# It takes its standard error for the terminal when it starts, so this is one that nothing else uses.
COMMAND = ["bash", "-c", "PS1= PS2= exec bash --noprofile --norc --noediting +H -i 202>&2 2<>/dev/ptmx"]
REPORT, BELL = 200, 201  # as in builder/linux/guest/terminals.c
NOTHING = 203
# Each command's end is reported by END, its number, and NULs after that, the exit code and the directory. The state
# takes bash longer than most commands, and follows by STATE, the number, and NULs after that and the state.
END, STATE = 1, 2
# Each command's programs name a user of their own to the proxy, unless the shell has another proxy.
LEAD = "; ".join(f'[[ ${{{name}-}} != "$__lead" ]] || {name}=$__next' for name in LEADING)
# An interrupt may make bash ask for a command's end twice. The state is printed by builtins only, because each program
# costs 10 ms, and without `shopt -p` and `set +o`, whose ninety lines are two variables of `declare -p`.
FUNCTIONS = f"""\
exec {NOTHING}<>/dev/null
__begin() {{ __next={address("$1")}; {LEAD}; __lead=$__next; return "$2"; }}
__end() {{
[[ ${{__number-}} != $1 ]] || return 0
__number=$1; printf '\\{END:03}%s\\0%s\\0%s\\0' "$@" "$PWD" >&{REPORT}; echo >&{BELL}
}}
__state() {{
printf '\\{STATE:03}%s\\0' "$1"; declare -p; declare -f; alias -p
shift; printf 'set --'; [[ $# = 0 ]] || printf ' %q' "$@"; echo
}}
__stated() {{ printf '\\0' >&{REPORT}; echo >&{BELL}; }}
"""
START = f"exec 2>&202 202>&-\n__lead=$http_proxy\n{FUNCTIONS}"
# Traces and traps print nothing into a report. After some syntax errors bash takes no brace as the first word, except
# after an empty line.
QUIETLY = f"\n{{ %s; }} >&{NOTHING} 2>&{NOTHING}"
# Switches off the options of a new shell.
NO_OPTIONS = (
    "IFS=: eval 'shopt -u $BASHOPTS; for __option in $SHELLOPTS; do set +o $__option; done' 2>/dev/null"
)
# `declare -p` prints line breaks in values as $'\\n', so a variable is a line.
VARIABLE = re.compile(r"^declare -\S+ (\w+)(=.*)?\n", re.MULTILINE)
# The variables and functions of this module, and the variables that can't be set.
OWN = re.compile(r"__\w+|BASHOPTS|BASHPID|BASH_VERSINFO|EUID|PPID|SHELLOPTS|UID|_")
OWN_FUNCTION = re.compile(r"^__(?:begin|end|stated?) \(\) \n\{ \n(?: .*\n)*\}\n", re.MULTILINE)
# The address of a command's user, which no later one uses.
LEADS = re.compile(rf'="http://[\w-]+:linux@127\.0\.0\.1:{PORT}"')
OPTIONS = re.compile(r'^declare -\S+ (BASHOPTS|SHELLOPTS)="(.*)"\n', re.MULTILINE)


def command(text: str, user: str, last_code: int) -> str:
    """Return the lines that run a command, whose programs name the user to the proxy.

    `$?` is the last command's exit code in it. That neither ends a shell with `set -e` nor runs a trap of ERR.
    """
    begin = QUIETLY % f"__begin {user} {last_code}"
    # Standard input is where bash reads its commands.
    return f"{begin} {'||' if last_code else '&&'} eval {shlex.quote(text)} <&{NOTHING}"


def ending(number: int, code: str) -> str:
    """Return the lines that report a command's end, and then the shell's state."""
    # A function has other positional parameters, and not the traps that it doesn't inherit.
    state = f'__state {number} "$@" >&{REPORT}; trap -p >&{REPORT}; __stated'
    return f"{QUIETLY % f'__end {number} {code}'}\n{QUIETLY % state}\n"


def restoring(printed: bytes) -> str:
    """Return the script that restores a printed state."""
    text = printed.decode(errors="surrogateescape")
    options = {name: names.split(":") for name, names in OPTIONS.findall(text)}
    shopt = f"shopt -s {' '.join(options.get('BASHOPTS', []))} 2>/dev/null"
    # The last lines, because `set -e` would end the shell with what follows. `extglob` comes before the functions.
    lasting = [f"set -o {name}" for name in options.get("SHELLOPTS", [])]
    variables = VARIABLE.sub(_unless_left_out, OWN_FUNCTION.sub("", text))
    return "\n".join([NO_OPTIONS, shopt, variables, *lasting])


def _unless_left_out(declared: re.Match[str]) -> str:
    name, value = declared[1], declared[2] or ""
    is_left_out = OWN.fullmatch(name) or SECRET.search(name) or (name in LEADING and LEADS.fullmatch(value))
    return "" if is_left_out else declared[0]
