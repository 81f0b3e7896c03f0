"""Options of commands: those in Python declare them; the others are listed here."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache

from gemini_userland import COMMANDS
from gemini_userland.options import Syntax

# Of the commands in JavaScript, as the versions in this build accept them, and of `python`, `pip` and builtins.
OTHERS = {
    **dict.fromkeys(("awk", "gawk"), "-F -f -v --assign= --field-separator= --file= --help --version"),
    "base64": "-d -w --decode --wrap=",
    "basename": "-a -s --multiple --suffix=",
    "cat": "-A -b -E -e -n -s -T -t -v --number --show-all",
    "cd": "-L -P",
    "chmod": "-R -v",
    "comm": "-1 -2 -3",
    "declare": "-A -a -f -F -g -i -l -n -p -r -t -u -x",
    "echo": "-e -E -n",
    "env": "-i -u --ignore-environment --unset=",
    "export": "-f -n -p",
    "file": "-b -i -L --brief --dereference --mime",
    "find": "-and -delete -depth -empty -exec -iname -ipath -iregex -maxdepth -mindepth -mmin -mtime -name -newer "
    "-not -o -path -perm -print -print0 -printf -prune -regex -size -type",
    "fold": "-b -s -w",
    "head": "-c -n -q -v --bytes= --lines= --quiet --verbose",
    "join": "-1 -2 -a -e -i -o -t -v",
    "jq": "-c -C -e -j -M -n -r -R -s -S --arg --argjson --args --compact-output --exit-status --join-output "
    "--jsonargs --null-input --raw-input --raw-output --rawfile --slurp --slurpfile --sort-keys --tab",
    "kill": "-l -s",
    "ln": "-f -n -s -v",
    "nl": "-b -i -n -s -v -w",
    "paste": "-d -s --delimiters= --serial",
    "pip": "--help --version",
    "python": "-B -c -E -h -I -i -m -P -q -s -S -u -V -W --help --version",
    "read": "-a -d -e -n -N -p -r -s -t -u",
    "rg": "-A -B -C -c -F -g -i -l -n -o -q -r -S -t -u -v -w -x --count --files --files-with-matches "
    "--fixed-strings --follow --glob --hidden --ignore-case --invert-match --json --line-number --max-count "
    "--max-depth --multiline --no-ignore --only-matching --quiet --regexp --replace --smart-case --sort --text --type "
    "--type-list --type-not --unrestricted --vimgrep --word-regexp",
    "rmdir": "-p -v --parents --verbose",
    "set": "-a -e -E -f -n -o -T -u -v -x",
    "split": "-a -b -d -l -n --additional-suffix=",
    "stat": "-c",
    "tail": "-c -n -q -v --bytes= --lines= --quiet --verbose",
    "tee": "-a --append",
    "timeout": "-k -s --foreground --kill-after= --preserve-status --signal=",
    "tr": "-c -C -d -s --complement --delete --squeeze-repeats",
    "tree": "-a -d -f -L",
    "which": "-a -s",
    "yq": "-c -e -f -I -i -j -n -o -P -p -r -s --exit-status --indent= --inplace --input-format= --null-input "
    "--output-format= --prettyPrint --raw-output --slurp",
}
SAME = {"python3": "python", "pip3": "pip"}
OF_PIP = {
    "install": "-c -i -q -r -U --constraint= --extra-index-url= --index-url= --no-deps --pre --quiet --requirement= "
    "--upgrade",
    "uninstall": "-r -y --requirement= --yes",
    "list": "--format=",
    "freeze": "--all",
    "show": "-f --files",
}
OF_GIT = {
    "add": "-A -f -n -p -u -v --all --force --patch --update",
    "branch": "-a -d -D -m -r -v --all --delete --list --move --remotes --show-current",
    "checkout": "-b -B -f --detach --force --ours --theirs",
    "clone": "-b --bare --branch --depth",
    "commit": "-a -m -q -v --all --allow-empty --amend --message= --no-edit --quiet",
    "diff": "--cached --name-only --name-status --stat --staged",
    "log": "-n -p --all --graph --oneline --patch --stat",
    "merge": "--abort --continue --ff-only --no-ff --squash",
    "pull": "--ff-only --rebase",
    "push": "-f -u --all --force --set-upstream --tags",
    "rebase": "--abort --continue --onto --skip",
    "reset": "--hard --mixed --soft",
    "stash": "-u --include-untracked",
    "status": "-b -s --branch --porcelain --short",
    "switch": "-c -C --create --detach",
}


def options_of(name: str, words: list[str]) -> list[str]:
    """Return the options of a command, each with a "=" if a value follows it.

    Args:
        name: The command.
        words: The words of the command before the cursor, for subcommands.
    """
    name = SAME.get(name, name)
    for command, tables in (("git", OF_GIT), ("pip", OF_PIP)):
        subcommand = next((word for word in words[1:] if not word.startswith("-")), "")
        if name == command and subcommand:
            return tables.get(subcommand, "").split()
    if name in OTHERS:
        return OTHERS[name].split()
    return _declared(name) if name in COMMANDS else []


@cache
def _declared(name: str) -> list[str]:
    """Return the options of a command in Python, from the syntaxes that its module uses."""
    module = vars(sys.modules[COMMANDS[name].__module__])
    syntaxes = {id(value): value for value in module.values() if isinstance(value, Syntax)}.values()
    own = [syntax for syntax in syntaxes if re.search(rf"^Usage: {name}\b", syntax.help, re.MULTILINE)]
    return sorted({option for syntax in own or syntaxes for option in _options(syntax)})


def _options(syntax: Syntax) -> Iterator[str]:
    yield from (f"-{letter}" for letter in syntax.short if letter != ":")
    # A value that is optional needs the "=", but the option may stand alone.
    yield from (f"--{name.removesuffix('=?')}" for name in syntax.long)
