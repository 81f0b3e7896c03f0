"""`python -P extraction.py`: turns a document on standard input into Markdown.

A separate program, which imports nothing of the companion, since parsers of hostile documents may take all memory,
never end, or crash; the companion has the user's keys, and serves pages meanwhile. The first line of its input is
JSON, `{url, type, charset}`; the rest is the document. It prints `{title, date, site, kind, markdown}`, `{problem}`, or
`{missing}` with the module that isn't installed, as JSON.
"""

from __future__ import annotations

import io
import json
import re
import sys
from typing import Any

# Hidden text is what injections in pages like best, and no reader misses it.
HIDDEN = (
    "//*[@hidden or @aria-hidden='true' or self::template or self::noscript"
    " or contains(translate(@style, ' ', ''), 'display:none')"
    " or contains(translate(@style, ' ', ''), 'visibility:hidden')]"
)
PAGES = ("text/html", "application/xhtml+xml")
TEXTS = ("application/json", "application/xml", "application/javascript", "application/x-yaml")
PDF = "application/pdf"
# Of a PDF file; more is rarely read, and each takes some ten milliseconds.
MAX_PAGES = 500
# trafilatura drops shorter text. Short pages have answers, too.
SHORTEST = 1
MEMORY_BYTES = 2 * 1024**3

Row = dict[str, Any]


def extract(document: bytes, url: str, media_type: str, charset: str | None) -> Row:
    """Return `{title, date, site, kind, markdown}` of a document, or `{problem}`.

    Args:
        document: Its bytes, without a content coding.
        url: Its address, which relative links start from.
        media_type: Its media type, in lowercase and without parameters.
        charset: The charset that its server names.
    """
    if document.startswith(b"%PDF-") or media_type == PDF:
        return _pdf(document)
    if media_type in PAGES or (not media_type and document.lstrip()[:1] == b"<"):
        return _page(_whole(document, charset), url)
    if media_type.startswith("text/") or media_type in TEXTS or media_type.endswith(("+json", "+xml")):
        text = _decode(document, charset or "utf-8") or document.decode("latin-1")
        return {"title": None, "date": None, "site": None, "kind": "text", "markdown": text}
    return {"problem": f"it is {media_type or 'of an unknown type'}, which has no text"}


def _decode(document: bytes, charset: str | None) -> str | None:
    try:
        return None if charset is None else document.decode(charset)
    except (LookupError, ValueError):
        return None


def _whole(document: bytes, charset: str | None) -> bytes | str:
    # trafilatura takes a document without these elements for broken.
    has_body = re.search(rb"<(html|body)\b", document, re.IGNORECASE) is not None
    whole = document if has_body else b"<html><body>%b</body></html>" % document
    return _decode(whole, charset) or whole


def _page(document: bytes | str, url: str) -> Row:
    import trafilatura  # noqa: PLC0415 - a PDF file needs only pypdf
    from trafilatura.settings import use_config  # noqa: PLC0415

    # lxml has no types.
    tree: Any = trafilatura.load_html(document)
    if tree is None:
        return {"problem": "it is no HTML that can be read"}
    for element in tree.xpath(HIDDEN):
        if element.getparent() is not None:
            element.drop_tree()
    config = use_config()
    for name in ("MIN_EXTRACTED_SIZE", "MIN_OUTPUT_SIZE", "MIN_OUTPUT_COMM_SIZE"):
        config.set("DEFAULT", name, str(SHORTEST))
    facts = trafilatura.extract_metadata(tree, default_url=url)
    title = tree.findtext(".//title")
    text = trafilatura.extract(
        tree,
        url=url,
        output_format="markdown",
        include_links=True,
        include_formatting=True,
        include_tables=True,
        include_comments=False,
        favor_recall=True,
        config=config,
    )
    if not text:
        return {"problem": "it has no text without JavaScript"}
    return {
        "title": (facts and facts.title) or (title and " ".join(title.split())) or None,
        "date": facts and facts.date,
        "site": facts and facts.sitename,
        "kind": "page",
        "markdown": text,
    }


def _pdf(document: bytes) -> Row:
    from pypdf import PdfReader  # noqa: PLC0415
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    try:
        reader = PdfReader(io.BytesIO(document))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"problem": "it is a PDF file with a password"}
        pages = [page.extract_text().strip() for page in reader.pages[:MAX_PAGES]]
        about = reader.metadata
        title, date = (about.title, about.creation_date) if about else (None, None)
    except (
        PyPdfError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        return {"problem": f"it is a PDF file that can't be read ({type(error).__name__})"}
    text = "\n\n".join(f"## Page {number}\n\n{page}" for number, page in enumerate(pages, 1) if page)
    if not text:
        return {"problem": "it is a PDF file without text, such as a scan"}
    return {
        "title": title or None,
        "date": date.date().isoformat() if date else None,
        "site": None,
        "kind": "pdf",
        "markdown": text,
    }


def _limit_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def main() -> None:
    """Read the document, and print the result."""
    _limit_memory()
    asked = json.loads(sys.stdin.buffer.readline())
    # The parsers print warnings about documents.
    with open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False) as output:
        try:
            found = extract(sys.stdin.buffer.read(), asked["url"], asked["type"], asked["charset"])
        except ModuleNotFoundError as missing:
            found = {"missing": missing.name}
        json.dump(found, output)


if __name__ == "__main__":
    main()
