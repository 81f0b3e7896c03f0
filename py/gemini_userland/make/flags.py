"""The options of make: the command line and MAKEFLAGS."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gemini_userland.options import Arguments, Syntax

HELP = """
Usage: make [OPTION]... [NAME=VALUE]... [TARGET]...
Update the TARGETs, or the first target of the makefile, by running recipes.

  -f FILE, --file=FILE, --makefile=FILE    read FILE instead of GNUmakefile, makefile or Makefile; -: standard input
  -C DIR, --directory=DIR                  change to DIR first
  -I DIR, --include-dir=DIR                search DIR for included makefiles
  -n, --just-print, --dry-run, --recon     print the commands without running them
  -q, --question                           run nothing; exit with 1 if a target is out of date
  -t, --touch                              touch the targets instead of making them
  -B, --always-make                        make all targets, even if they are up to date
  -W FILE, --what-if=FILE, --new-file=FILE, --assume-new=FILE    treat FILE as new
  -o FILE, --old-file=FILE, --assume-old=FILE                    treat FILE as old
  -k, --keep-going                         continue with other targets after a failure; -S, --stop turns it off
  -i, --ignore-errors                      ignore failed commands
  -s, --silent, --quiet                    don't print the commands; --no-silent turns it off
  -w, --print-directory                    print the working directory; --no-print-directory turns it off
  -e, --environment-overrides              let environment variables override the makefile
  -R, --no-builtin-variables               don't define CC, RM and other variables
  -r, --no-builtin-rules                   clear the list of suffixes; there are no other built-in rules
      --warn-undefined-variables           report undefined variables
  -j [N], -l [N], -O [KIND], -b, -m, -L    ignored; one job runs at a time
  -h, --help  -v, --version

This make is modelled on GNU make 4.3, for a shell without processes. It has no built-in rules, no vpath or VPATH,
and no archive members.
"""

SYNTAX = Syntax(
    short="bmBC:deE:f:hiI:j:kl:LnNo:O:pqrRsStvwW:",
    refused={
        **dict.fromkeys(("d", "debug", "trace"), "`make -n` prints the commands, and $(info …) values"),
        "p": "`make -n` prints the commands, and $(info …) values",
        "E": "write it into a makefile: `make -f FILE`",
    },
    long={
        "always-make": "B",
        "directory=": "C",
        "debug=?": "debug",
        "trace": "trace",
        "eval=": "E",
        "print-data-base": "p",
        "check-symlink-times": "L",
        "max-load=?": "l",
        "environment-overrides": "e",
        "file=": "f",
        "makefile=": "f",
        "ignore-errors": "i",
        "include-dir=": "I",
        "jobs=?": "j",
        "keep-going": "k",
        "load-average=?": "l",
        "just-print": "n",
        "dry-run": "n",
        "recon": "n",
        "old-file=": "o",
        "assume-old=": "o",
        "output-sync=?": "O",
        "question": "q",
        "no-builtin-rules": "r",
        "no-builtin-variables": "R",
        "silent": "s",
        "quiet": "s",
        "no-silent": "no-silent",
        "no-keep-going": "S",
        "stop": "S",
        "touch": "t",
        "print-directory": "w",
        "no-print-directory": "no-print-directory",
        "what-if=": "W",
        "new-file=": "W",
        "assume-new=": "W",
        "warn-undefined-variables": "warn-undefined-variables",
    },
    wrong_usage=2,
    advice=HELP.strip(),
    help=HELP,
    answer={"h": "help", "v": "version"},
    version="make (control-surface), modelled on GNU Make 4.3",
)

INHERITED = "BeiknqrRstw"
"""The options that recursive calls of make get through MAKEFLAGS."""


@dataclass
class Flags:
    """The values of the options. `prints_directory` is None by default."""

    level: int = 0
    always_make: bool = False
    environment_overrides: bool = False
    ignore_errors: bool = False
    keep_going: bool = False
    dry_run: bool = False
    question: bool = False
    silent: bool = False
    touch: bool = False
    builtin_variables: bool = True
    builtin_suffixes: bool = True
    prints_directory: bool | None = None
    warns_undefined: bool = False
    old_files: Sequence[str] = ()
    new_files: Sequence[str] = ()
    include_directories: Sequence[str] = ()
    letters: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, given: Arguments, level: int) -> Flags:
        """Create flags from parsed options."""
        flags = cls(level)
        flags.apply(given)
        return flags

    def apply(self, given: Arguments) -> None:
        """Add parsed options to the current ones."""
        self.letters |= {name for name, _ in given.items if name and name in INHERITED}
        self.letters |= {"r"} if "R" in self.letters else set()
        if given.last_of("k", "S") == "S":
            self.letters.discard("k")
        if given.last_of("s", "no-silent") == "no-silent":
            self.letters.discard("s")
        self.always_make = "B" in self.letters
        self.environment_overrides = "e" in self.letters
        self.ignore_errors = "i" in self.letters
        self.keep_going = "k" in self.letters
        self.dry_run = "n" in self.letters
        self.question = "q" in self.letters
        self.silent = "s" in self.letters
        self.touch = "t" in self.letters
        self.builtin_variables = "R" not in self.letters
        self.builtin_suffixes = "r" not in self.letters
        self.warns_undefined = self.warns_undefined or "warn-undefined-variables" in given
        option = given.last_of("w", "no-print-directory")
        self.prints_directory = option == "w" if option else self.prints_directory
        self.old_files = [*self.old_files, *given.all("o")]
        self.new_files = [*self.new_files, *given.all("W")]
        self.include_directories = [*self.include_directories, *given.all("I")]

    def makeflags(self, assignments: Sequence[str]) -> str:
        """Return the value of MAKEFLAGS: letters, long options, and the command line's variables."""
        letters = "".join(sorted(self.letters, key=lambda letter: (letter.lower(), letter)))
        words = [f"-I{directory}" for directory in self.include_directories]
        if self.prints_directory is False:
            words.append("--no-print-directory")
        if self.warns_undefined:
            words.append("--warn-undefined-variables")
        text = " ".join([letters, *words]) if words else letters
        # GNU make lists the last one first. The value will be expanded, so $ is escaped.
        variables = " ".join(re.sub(r"([\\ \t\n])", r"\\\1", one) for one in reversed(assignments))
        return f"{text} -- {variables}".replace("$", "$$") if variables else text


def from_makeflags(value: str) -> list[str]:
    """Convert a value of MAKEFLAGS to arguments."""
    value = value.replace("$$", "$")
    words = [
        re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in re.findall(r"(?:\\.|[^ \t\n\\])+", value)
    ]
    if words and not words[0].startswith("-") and "=" not in words[0]:
        words[0] = "-" + words[0]
    return words


def with_job_counts(arguments: Sequence[str]) -> list[str]:
    """Add the optional values of -j, -l and -O, which getopt can't parse."""
    ready: list[str] = []
    left = list(arguments)
    while left:
        one = left.pop(0)
        if one == "--":
            return [*ready, one, *left]
        if re.fullmatch(r"-[A-Za-z]*[jlO]", one) and not re.match(r"-[CfIoW]", one):
            counted = one[-1] != "O" and left and re.fullmatch(r"[0-9.]+", left[0])
            one += left.pop(0) if counted else "1"
        ready.append(one)
    return ready
