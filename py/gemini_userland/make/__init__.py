"""`make`: the language and behaviour of GNU make, with recipes run by the embedded shell.

Source: the GNU make manual (edition 0.75, for version 4.3), and comparison with that program. Existing versions in
Python call `subprocess` and support only a fraction of the language. Not supported: built-in rules (there are no
compilers here), `vpath`, archive members, `load`, parallel jobs, `-p`, `-d` and `--trace`.

    scan            the text of a makefile: lines, references, separators
    words           functions on words and patterns
    variables       variables, and the scopes that hold them
    evaluate        expansion of references
    functions       functions that need more than text
    conditionals    ifeq … endif
    reader          reading makefiles into a database
    rule_reader     reading one rule
    database        targets, rules and patterns
    implicit        the search for a pattern rule
    builder         updating targets in order
    recipes         running a recipe
    flags           the command line and MAKEFLAGS
    host            the shell, the directory and the output
    command         the command itself

Expansion is asynchronous, because `$(shell …)` waits for the embedded shell.
"""

from gemini_userland.make.command import make

__all__ = ["make"]
