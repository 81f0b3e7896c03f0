"""`unzip`: list, test and extract archives."""

from __future__ import annotations

import os
import zipfile
import zlib

from gemini_userland.invocation import Invocation
from gemini_userland.zip.extract import Extractor
from gemini_userland.zip.listing import list_entries, list_verbosely
from gemini_userland.zip.words import ArchiveError, Grammar, Refused, Words, matches

WRONG_USAGE, NO_ARCHIVE, NO_MATCH, DAMAGED = 10, 9, 11, 2
HELP = """\
Usage: unzip [OPTION]... ARCHIVE[.zip] [PATTERN]... [-x PATTERN...] [-d FOLDER]
Extract the files of ARCHIVE that match a PATTERN, by default all.

  -l, -v     list the files, -v with sizes and checksums
  -t         test the files
  -p, -c     extract to standard output, -c with names
  -Z1        list only names
  -d FOLDER  extract into FOLDER
  -x         exclude names that match a pattern
  -j         don't create folders
  -n, -o     never overwrite files, always overwrite them
  -f, -u     extract only newer files; -u also new ones
  -C, -L     ignore the case of names, make names lower case
  -P WORD    the password of encrypted files
  -q, -qq    print less
"""
_REFUSED = {
    "T": "use `touch -r FILE ARCHIVE`",
    "z": "it prints no comments",
    "B": "it keeps no copies: use -n, or extract into an empty folder with -d",
    "F": "there are no files of Acorn: leave it out",
    **dict.fromkeys(("a", "aa"), "line ends stay: use `sed -i 's/\\r$//'`"),
    "W": "use -x for what is in deeper folders",
    **dict.fromkeys(("I", "O"), "names are read as UTF-8 or code page 437, as the archive says"),
    **dict.fromkeys(
        (*(f"Z{letter}" for letter in "smlvhtTzM"), "Z"),
        "use unzip -v for sizes, or unzip -Z1 for names only",
    ),
}
GRAMMAR = Grammar(
    flags={*"CLUXbcfjlnopqtuvDKhVM:^", "Z1", "Z2", "help", "version"},
    valued={"d", "P"},
    lists={"x"},
    long={"help": "h", "version": "version"},
    refused=_REFUSED,
)
NOT_AN_ARCHIVE = """\
  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.
"""


async def unzip(invocation: Invocation) -> int:
    """List, test or extract an archive; return 9 if there is none, 11 if nothing matches."""
    try:
        words = GRAMMAR.parse(invocation.argv[1:])
    except Refused as refusal:
        invocation.error(str(refusal))
        return WRONG_USAGE
    except KeyError as error:
        invocation.error(f" unknown option: {error.args[0]}; unzip -h lists the options")
        return WRONG_USAGE
    if "h" in words or "help" in words or not words.operands:
        invocation.print(HELP, end="")
        return 0 if words.letters or not invocation.argv[1:] else WRONG_USAGE
    try:
        return await _open(invocation, words)
    except ArchiveError as error:
        invocation.stderr.write(f"{error}\n".encode("utf-8", "surrogateescape"))
        return error.exit_code


def _locate(invocation: Invocation, name: str) -> str:
    for shown in (name, f"{name}.zip", f"{name}.ZIP"):
        if os.path.isfile(invocation.path(shown)):
            return shown
    message = f"unzip:  cannot find or open {name}, {name}.zip or {name}.ZIP."
    raise ArchiveError(message, NO_ARCHIVE)


async def _open(invocation: Invocation, words: Words) -> int:
    name, *patterns = words.operands
    shown = _locate(invocation, name)
    silent = "Z1" in words or "Z2" in words or "p" in words
    if not silent and "q" not in words:
        invocation.print(f"Archive:  {shown}")
    try:
        with zipfile.ZipFile(invocation.path(shown)) as archive:
            return await _work(invocation, words, archive, shown, patterns)
    except zipfile.BadZipFile as error:
        if "not a zip" not in str(error):
            raise ArchiveError(f"unzip:  {shown}: {error}", DAMAGED) from error
        text = f"{NOT_AN_ARCHIVE}unzip:  cannot find zipfile directory in one of {name} or\n"
        text += f"        {name}.zip, and cannot find {name}.ZIP, period."
        raise ArchiveError(text, NO_ARCHIVE) from error
    except (zlib.error, NotImplementedError) as error:
        raise ArchiveError(f"unzip:  {shown}: {error}", DAMAGED) from error


async def _work(
    invocation: Invocation, words: Words, archive: zipfile.ZipFile, shown: str, patterns: list[str]
) -> int:
    excluded, ignores = words.values.get("x", []), "C" in words
    entries = [
        one
        for one in archive.infolist()
        if (not patterns or matches(one.filename, patterns, ignores_case=ignores))
        and not matches(one.filename, excluded, ignores_case=ignores)
    ]
    status = 0
    if "Z1" in words or "Z2" in words:
        for entry in entries:
            invocation.print(entry.filename)
    elif "v" in words:
        list_verbosely(invocation, entries, words.count("q"))
    elif "l" in words:
        list_entries(invocation, entries, words.count("q"))
    else:
        status = await Extractor(invocation, words, archive, shown).run(entries)
    every = [one.filename for one in archive.infolist()]
    lists = bool({"l", "v"} & words.letters.keys())
    for pattern in patterns:
        if not any(matches(one, [pattern], ignores_case=ignores) for one in every):
            status = NO_MATCH
            if not lists:
                text = f"caution: filename not matched:  {pattern}\n"
                invocation.stderr.write(text.encode("utf-8", "surrogateescape"))
    return status
