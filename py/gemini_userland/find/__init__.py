"""`find`: look for files below folders, and act on them.

Source: the GNU findutils manual, and POSIX.1-2017, find.
"""

from __future__ import annotations

from collections.abc import Sequence

from gemini_userland.find.expression import Node, Parser, looks_like_expression
from gemini_userland.find.query import FindError, Query, Quit
from gemini_userland.find.walk import Walk
from gemini_userland.invocation import Invocation

HELP = """\
Usage: find [-H] [-L] [-P] [PATH]... [EXPRESSION]
Look for files below each PATH, by default the working directory, and print those for which EXPRESSION is true.

  operators  ( EXPR )   ! EXPR   EXPR [-a] EXPR   EXPR -o EXPR   EXPR , EXPR
  options    -depth -maxdepth N -mindepth N -xdev -daystart -follow -regextype TYPE
  names      -name -iname -path -ipath -lname -ilname PATTERN   -regex -iregex EXPRESSION
  types      -type -xtype [fdlpscb],...   -empty -size [+-]N[cwbkMG] -links N -inum N -samefile FILE
  times      -mtime -atime -ctime [+-]DAYS   -mmin -amin -cmin [+-]MINUTES   -newer FILE -newerXY FILE -used N
  rights     -perm [-/]MODE -user NAME -group NAME -uid N -gid N -nouser -nogroup
             -readable -writable -executable
  actions    -print -print0 -printf FORMAT -ls -fprint FILE -fprint0 FILE -fprintf FILE FORMAT -fls FILE
             -delete -prune -quit -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ;

-ok and -okdir are refused: nobody can answer their questions.
"""
VERSION = "find: part of the shell of control-surface, modelled on find (GNU findutils) 4.9.0"
PRUNES_IN_VAIN = (
    "The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  "
    "If you want to carry on anyway, just explicitly use the -depth option."
)


async def find(invocation: Invocation) -> int:
    """Return 0 if every file could be looked at, 1 after an error."""
    query = Query(invocation)
    words = invocation.argv[1:]
    if "--help" in words or "-help" in words:
        invocation.print(HELP, end="")
        return 0
    if "--version" in words or "-version" in words:
        invocation.print(VERSION)
        return 0
    try:
        paths, expression = _split(query, words)
        parser = Parser(query, expression)
        node = parser.parse()
        primaries = parser.primaries
        if primaries.deletes:
            if primaries.prunes and not query.bottom_up:
                raise FindError(PRUNES_IN_VAIN)
            query.bottom_up = True
        await _walk(query, paths, node)
        for batch in primaries.batches:
            await batch.finish()
    except FindError as error:
        query.complain(str(error))
    query.flush()
    return query.status


async def _walk(query: Query, paths: Sequence[str], node: Node) -> None:
    walk = Walk(query, node)
    try:
        for path in paths:
            await walk.visit(path)
    except Quit:
        return


def _split(query: Query, words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Take the options in front, and separate the starting points from the expression."""
    at = 0
    while at < len(words) and (words[at] in ("-H", "-L", "-P", "-D") or words[at].startswith("-O")):
        if words[at] == "-D":
            raise FindError(
                "-D isn't supported: leave it out; -print after each test shows what it lets through"
            )
        if not words[at].startswith("-O"):
            query.follow = words[at][1]
        at += 1
    if words[at : at + 1] == ["--"]:
        at += 1
    end = at
    while end < len(words) and not looks_like_expression(words[end], first=True):
        end += 1
    return words[at:end] or ["."], words[end:]
