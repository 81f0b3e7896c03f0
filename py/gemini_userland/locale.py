"""`locale`: print the locale (POSIX, `locale`; GNU libc manual, 7)."""

from __future__ import annotations

from gemini_userland.characters import is_plain, is_unicode
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="ack",
    long={"all-locales": "a", "category-name": "c", "keyword-name": "k"},
    help="""
Usage: locale [-a]
   or: locale [-ck] charmap
Print the variables of the locale, or the name of its encoding.

  -a, --all-locales    print the names of all locales
  -c, --category-name  print the category, too
  -k, --keyword-name   print the keyword, too
""",
)
CATEGORIES = (
    *("CTYPE", "NUMERIC", "TIME", "COLLATE", "MONETARY", "MESSAGES", "PAPER", "NAME", "ADDRESS", "TELEPHONE"),
    *("MEASUREMENT", "IDENTIFICATION"),
)
LOCALES = ("C", "C.utf8", "POSIX")


async def locale(invocation: Invocation) -> int:
    """Print the variables, the known locales or the encoding; return 1 for an unknown name."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    env = invocation.env
    everything = env.get("LC_ALL", "")
    chosen = {everything or env.get("LC_CTYPE") or env.get("LANG") or "C"}
    if not all(is_unicode(name) or name in LOCALES for name in chosen):
        for category in ("LC_CTYPE", "LC_MESSAGES", "LC_ALL"):
            invocation.error(f"Cannot set {category} to default locale: No such file or directory")
    if "a" in given:
        invocation.print("\n".join(LOCALES))
    elif given.operands:
        return _print_words(invocation, given.operands, category="c" in given, keyword="k" in given)
    else:
        _print_variables(invocation, everything)
    return 0


def _print_variables(invocation: Invocation, everything: str) -> None:
    env = invocation.env
    language = env.get("LANG", "")
    invocation.print(f"LANG={language}\nLANGUAGE={env.get('LANGUAGE', '')}")
    for category in CATEGORIES:
        name = f"LC_{category}"
        own = "" if everything else env.get(name, "")
        # A value that another variable implies is quoted.
        invocation.print(f"{name}={own}" if own else f'{name}="{everything or language or "C"}"')
    invocation.print(f"LC_ALL={everything}")


def _print_words(invocation: Invocation, words: list[str], *, category: bool, keyword: bool) -> int:
    status = 0
    for word in words:
        if word != "charmap":
            invocation.error(
                f'"{word}" isn\'t supported: only charmap is; date, awk and printf format as in C'
            )
            status = 1
            continue
        text = "ANSI_X3.4-1968" if is_plain(invocation.env) else "UTF-8"
        if category:
            invocation.print("LC_CTYPE")
        invocation.print(f'charmap="{text}"' if keyword else text)
    return status
