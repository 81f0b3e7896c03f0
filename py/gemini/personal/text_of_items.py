"""Items of servers: one event with its changes and zones, one to-do or one card (RFC 4791, 4.1; RFC 6352, 5.1)."""

from gemini.errors import PersonalFileProblem
from gemini.personal.calendar_rows import EMPTY
from gemini.personal.documents import Document, Part, parse


def item_text(document: Document, parts: list[Part], kind: str) -> str:
    """Return the text of an item, with the zones of the file that it uses.

    Args:
        document: The file.
        parts: The item's components.
        kind: `calendar` or `contacts`.
    """
    body = "".join(part.text if part.text.endswith("\n") else part.text + document.end for part in parts)
    if kind == "calendar":
        zones = "".join(
            part.text
            for part in document.parts
            if part.kind == "VTIMEZONE" and f"TZID={part.value('TZID')}" in body.replace('"', "")
        )
        body = f"{EMPTY}{zones}{body}END:VCALENDAR\r\n"
    return body.replace("\r\n", "\n").replace("\n", "\r\n")


def parts_of_item(text: str, kind: str) -> list[Part]:
    """Return the components of an item.

    Raises:
        PersonalFileProblem: The server's text isn't one.
    """
    document = parse(text, "VCALENDAR" if kind == "calendar" else "", "an item of the server can't be read")
    parts = [
        part if part.text.endswith("\n") else Part(part.kind, part.text + "\r\n") for part in document.parts
    ]
    if not parts:
        raise PersonalFileProblem("an item of the server is empty")
    return parts
