"""`--sandbox`: a program that neither runs commands nor names files itself (gawk's manual, "Command-Line Options")."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram


def refuse_effects(program: tree.Program) -> None:
    """Look for statements that a sandbox refuses.

    Raises:
        BadProgram: There is one.
    """
    for node in tree.descendants([list(program.functions.values()), program.rules, program.special]):
        match node:
            case tree.Call(name="system", builtin=True):
                refused = "system()"
            case tree.IndirectCall():
                refused = "an indirect call"
            case tree.Getline(kind="file" | "command" | "coprocess"):
                refused = "getline from a file or command"
            case tree.Print() if node.redirection:
                refused = "output to a file or command"
            case _:
                continue
        raise BadProgram(f"{refused} isn't allowed with --sandbox", node.line)
