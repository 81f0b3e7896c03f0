"""Parts of Markdown documents, and names of files for them."""

import re

UNSAFE = re.compile(r'[\x00-\x1f/\\:*?"<>|]+')


def fenced(text: str) -> str:
    """Return a code block, fenced longer than any fence in it (https://spec.commonmark.org/0.31.2/#fenced-code-blocks)."""
    longest = max((len(found) for found in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def file_name(title: str, most: int, default: str) -> str:
    """Return a title as a file's name without its ending, of at most `most` characters."""
    return UNSAFE.sub("-", title)[:most].strip(" .") or default
