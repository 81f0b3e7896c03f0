"""The text of a tab that has stored a PDF file instead of showing it, returned like a page's text."""

import os
import re

from gemini.pages.tabs.results import PageText


def snapshot(path: str, pages: list[str], max_chars: int) -> str:
    """Return what an agent gets instead of elements."""
    head = f"PDF file with {len(pages)} pages, stored as {path}. It has no elements; this is its text.\n\n"
    return head + page_text(path, pages, "", max(0, max_chars - len(head)))["text"]


def page_text(path: str, pages: list[str], instruction: str, max_chars: int) -> PageText:
    """Return the text of all pages, each below its number, or of as many as fit.

    Pages with words of the instruction come before others that don't fit. They stay in the file's order.
    """
    total = len(pages)
    texts = [f"--- Page {number} of {total} ---\n{text}" for number, text in enumerate(pages, 1)]
    whole = "\n\n".join(texts)
    result: PageText = {
        "text": whole,
        "truncated": False,
        "title": os.path.basename(path),
        "kind": "pdf",
        "total_chars": len(whole),
    }
    if len(whole) <= max_chars:
        return result
    note = f"\n\n(Cut. file_read {path} reads all.)"
    words = {word for word in re.findall(r"\w{3,}", instruction.lower())}
    order = sorted(range(total), key=lambda index: (-_matches(pages[index], words), index))
    room = max(0, max_chars - len(note))
    chosen: dict[int, str] = {}
    for index in order:
        part = texts[index][:room]
        chosen[index] = part
        room -= len(part) + 2
        if room <= 0:
            break
    text = "\n\n".join(chosen[index] for index in sorted(chosen)) + note
    return {**result, "text": text, "truncated": True}


def _matches(page: str, words: set[str]) -> int:
    lower = page.lower()
    return sum(word in lower for word in words)
