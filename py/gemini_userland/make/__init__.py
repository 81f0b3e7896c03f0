"""`make`: the language and the behaviour of GNU make, run by the embedded shell.

Written from the GNU make manual (edition 0.75, for version 4.3) and by comparison with that program, because
no make was found that works without processes: those in Python call `subprocess` and know a fraction of the
language. Left out: built-in rules (there are no compilers here), `vpath`, archive members, `load`, and
parallel jobs; `-p`, `-d` and `--trace`.

    scan            the text of a makefile: lines, references, separators
    words           functions on words and patterns
    variables       variables, and the scopes that hold them
    evaluate        expansion of references
    functions       functions that do more than change text
    conditionals    ifeq … endif
    reader          from makefiles to a database
    database        targets, rules and patterns
    implicit        which pattern rule makes a file
    builder         what has to be made, in which order
    recipes         running a recipe
    flags           the command line and MAKEFLAGS
    host            the shell, the directory and the output
    command         the command itself

Expansion is asynchronous throughout, since `$(shell …)` waits for the embedded shell.
"""

from gemini_userland.make.command import make

__all__ = ["make"]
