"""Sixty pages whose text is known, in fonts that the tests bring, for measuring how well their pictures are read."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from html import escape
from importlib.metadata import distribution
from itertools import product
from pathlib import Path

KINDS = ("prose", "code", "table", "buttons", "dialog")
SIZES = (12, 16, 22)
THEMES = {"light": ("#1b1b1f", "#ffffff", "#1a56db"), "dark": ("#e4e4e7", "#18181b", "#7c3aed")}
FONTS = {"sans": "DejaVuSans.ttf", "serif": "DejaVuSerif.ttf"}
MONO = "DejaVuSansMono.ttf"
# Importing matplotlib would choose its backend for other tests of the process.
FOLDER = Path(str(distribution("matplotlib").locate_file("matplotlib/mpl-data/fonts/ttf")))

PROSE = [
    "The ferry to the northern islands leaves every morning at 7:45 and arrives shortly after noon.",
    "Passengers who carry bicycles should be at the pier twenty minutes earlier, because loading takes time.",
    "Tickets cost 18.50 for adults, 9.25 for children under twelve, and nothing for dogs.",
    "In winter (November to March) the timetable changes; ask at the harbour office or call 555-0142.",
]
GERMAN = [
    "Die Fähre zu den nördlichen Inseln fährt täglich um 7:45 Uhr und kommt kurz nach Mittag an.",
    "Wer Fahrräder mitnimmt, sollte zwanzig Minuten früher am Anleger sein.",
    "Karten kosten 18,50 Euro für Erwachsene und 9,25 Euro für Kinder; größere Gruppen zahlen weniger.",
]
CODE = [
    "def read_lines(path: str) -> list[str]:",
    "    with open(path, encoding='utf-8') as file:",
    "        return [line.rstrip() for line in file]",
    "total = sum(len(line) for line in lines) + 1",
    "if total >= 4096 and not force:",
    "    raise ValueError(f'{path} is too large: {total}')",
]
ROWS = [
    ("Product", "Price", "Stock"),
    ("Green tea", "4.20", "118"),
    ("Black coffee", "7.95", "64"),
    ("Orange juice", "3.10", "205"),
    ("Mineral water", "1.05", "940"),
    ("Apple cider", "5.60", "37"),
]
BUTTONS = ["Save changes", "Discard", "Add to cart", "Sign in", "Download report", "Next page"]
DIALOG = [
    ("h2", "Delete this project?"),
    ("p", "All 24 files and their history will be removed. This cannot be undone."),
    ("label", "Type the name to confirm"),
    ("small", "Last changed on 14 March by Hannah Olsen"),
]


@dataclass(frozen=True)
class PicturedPage:
    """A page: its name, such as `table-16-dark-serif`, its lines, and its document."""

    name: str
    kind: str
    size: int
    theme: str
    lines: tuple[str, ...]
    html: str


def pages() -> list[PicturedPage]:
    """Return the pages: each kind in each size, theme and font."""
    return [_page(*each) for each in product(KINDS, SIZES, THEMES, FONTS)]


def _page(kind: str, size: int, theme: str, font: str) -> PicturedPage:
    ink, paper, accent = THEMES[theme]
    lines, body = _content(kind, font)
    style = (
        f"@font-face{{font-family:page;src:url({font_of(FONTS[font])})}}"
        f"@font-face{{font-family:mono;src:url({font_of(MONO)})}}"
        f"body{{margin:24px;width:900px;font:{size}px/1.5 page;color:{ink};background:{paper}}}"
        f"pre{{font:{size}px/1.5 mono;padding:12px;border:1px solid #8888}}"
        f"td,th{{padding:4px 32px 4px 8px;text-align:left;border-bottom:1px solid #8888}}"
        f"button{{font:inherit;margin:8px;padding:8px 16px;border:0;border-radius:6px;color:#fff;background:{accent}}}"
        f"button.plain{{color:{ink};background:{paper};border:1px solid #888}}"
        f"section{{padding:24px;border:1px solid #8888;border-radius:8px;width:560px}}label{{display:block}}"
    )
    html = f"<!doctype html><meta charset=utf-8><title>{kind}</title><style>{style}</style>{body}"
    return PicturedPage(f"{kind}-{size}-{theme}-{font}", kind, size, theme, tuple(lines), html)


def _content(kind: str, font: str) -> tuple[list[str], str]:
    if kind == "prose":
        # Two languages, one in each font.
        lines = PROSE if font == "sans" else GERMAN
        return lines, "".join(f"<p>{escape(line)}</p>" for line in lines)
    if kind == "code":
        return [line.strip() for line in CODE], f"<pre>{escape(chr(10).join(CODE))}</pre>"
    if kind == "table":
        rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in ROWS)
        return [cell for row in ROWS for cell in row], f"<table>{rows}</table>"
    if kind == "buttons":
        plain = ("", " class=plain")
        return BUTTONS, "".join(f"<button{plain[n % 2]}>{text}</button>" for n, text in enumerate(BUTTONS))
    inner = "".join(f"<{tag}>{text}</{tag}>" for tag, text in DIALOG)
    buttons = "<div><button>Delete project</button><button class=plain>Cancel</button></div>"
    return [text for _, text in DIALOG] + ["Delete project", "Cancel"], f"<section>{inner}{buttons}</section>"


def font_of(name: str) -> str:
    """Return a font of matplotlib as a data URL."""
    return f"data:font/ttf;base64,{base64.b64encode((FOLDER / name).read_bytes()).decode()}"


def wrong_characters(line: str, text: str) -> int:
    """Return the least edit distance of a line, without spaces, to any part of a text.

    Myers, A fast bit-vector algorithm for approximate string matching (1999).
    """
    pattern, searched = re.sub(r"\s", "", line), re.sub(r"\s", "", text)
    mask = (1 << len(pattern)) - 1
    top = 1 << (len(pattern) - 1)
    places: dict[str, int] = {}
    for index, letter in enumerate(pattern):
        places[letter] = places.get(letter, 0) | 1 << index
    plus, minus, distance = mask, 0, len(pattern)
    best = distance
    for letter in searched:
        equal = places.get(letter, 0)
        cross = (((equal & plus) + plus) ^ plus) | equal | minus
        up, down = (minus | ~(cross | plus)) & mask, plus & cross
        distance += bool(up & top) - bool(down & top)
        up, down = (up << 1) & mask, (down << 1) & mask
        plus, minus = (down | ~(equal | minus | up)) & mask, up & (equal | minus)
        best = min(best, distance)
    return best
