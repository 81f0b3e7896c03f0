"""The place of a benchmark's table in a document: between two comments."""

from __future__ import annotations


def written(text: str, made: str, marks: tuple[str, str]) -> str:
    """Return a document with the table between the marks.

    Args:
        text: The document, as Markdown.
        made: The table, and what belongs to it.
        marks: The comments before and after it.

    Raises:
        ValueError: It lacks them.
    """
    start, end = (text.index(mark) for mark in marks)
    return f"{text[: start + len(marks[0])]}\n\n{made}\n\n{text[end:]}"
