"""Contacts in vCard files: versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350) are read, and each card stays in its own.

New cards are of version 3.0, which every program reads. Lines that aren't changed are written as they were, which no
library does: vobject and its successors rewrite the entire card in their own form.
"""

import secrets
from collections.abc import Iterable, Sequence

from gemini.errors import InvalidArguments
from gemini.personal import documents
from gemini.personal.calendar_rows import plain
from gemini.personal.content_lines import Line, escaped, fields_of, line, lines_of, replaced, unescaped
from gemini.personal.documents import Document, Part
from gemini.personal.rows import ContactRow

CONTACTS = "/home/user/contacts.vcf"
FORMAT = "a vCard file"


async def contacts(query: str = "", path: str = CONTACTS) -> list[ContactRow]:
    """Return the contacts that have all words of a query in any field, by name; all without one.

    Case and accents don't count: `kovacs` finds Kovács.

    Raises:
        PersonalFileProblem: The file can't be read.
    """
    words = plain(query).split()
    rows = [_row(card) for card in _cards(_read(path))]
    found = [row for row in rows if all(word in _search(row) for word in words)] if words else rows
    return sorted(found, key=lambda row: plain(row["name"]))


async def contact(uid: str, path: str = CONTACTS) -> ContactRow:
    """Return a contact by its UID.

    Raises:
        InvalidArguments: There is none.
        PersonalFileProblem: The file can't be read.
    """
    return _row(_card(_read(path), uid, path))


async def add_contact(
    name: str,
    *,
    emails: Sequence[str] = (),
    phones: Sequence[str] = (),
    organization: str = "",
    birthday: str = "",
    notes: str = "",
    path: str = CONTACTS,
) -> str:
    """Add a contact and return its UID. The file is created if it doesn't exist.

    Args:
        name: The full name, with the family name last.
        emails: Addresses of mail.
        phones: Telephone numbers.
        organization: Where the user works.
        birthday: In ISO 8601.
        notes: Further text.
        path: The file.

    Raises:
        InvalidArguments: The name is empty.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    document = _read(path)
    eol = document.end
    uid = f"{secrets.token_hex(8)}@gemini"
    lines = lines_of(eol.join(["BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", "END:VCARD", ""]))
    lines = _named(lines, name, eol)
    lines = _with(lines, emails, phones, organization, birthday, notes, eol)
    documents.write(path, document.changed([], [_part(lines)]))
    return uid


async def change_contact(
    uid: str,
    *,
    name: str | None = None,
    emails: Sequence[str] | None = None,
    phones: Sequence[str] | None = None,
    organization: str | None = None,
    birthday: str | None = None,
    notes: str | None = None,
    path: str = CONTACTS,
) -> str:
    """Change a contact and return its UID. What isn't passed stays; an empty text or list removes a field.

    Of addresses and numbers, those in the list stay with their types and labels, others go, new ones are added.

    Raises:
        InvalidArguments: There is none with this UID, or the name is empty.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    document = _read(path)
    card = _card(document, uid, path)
    eol = document.end
    row = _row(card)
    lines = card.lines if name is None or name.strip() == row["name"] else _named(card.lines, name, eol)
    # A text that is as it was stays as it is written, such as an organization with its departments.
    organization = None if organization == row["organization"] else organization
    birthday = None if birthday == row["birthday"] else birthday
    notes = None if notes == row["notes"] else notes
    lines = _with(lines, emails, phones, organization, birthday, notes, eol)
    changed = _part(lines)
    documents.write(path, document.changed([card], [changed]))
    return changed.uid


async def remove_contact(uid: str, path: str = CONTACTS) -> None:
    """Remove a contact.

    Raises:
        InvalidArguments: There is none with this UID.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    document = _read(path)
    documents.write(path, document.changed([_card(document, uid, path)], []))


def _read(path: str) -> Document:
    return documents.read(path, "", FORMAT) or Document("", [], "")


def _cards(document: Document) -> list[Part]:
    return [part for part in document.parts if part.kind == "VCARD"]


def _card(document: Document, uid: str, path: str) -> Part:
    found = [card for card in _cards(document) if card.uid == uid]
    if not found:
        raise InvalidArguments(f"{path} has no contact with the UID {uid[:80]!r}", hint="List the contacts.")
    return found[0]


def _part(lines: list[Line]) -> Part:
    return Part("VCARD", "".join(each.raw for each in lines))


def _row(card: Part) -> ContactRow:
    names = _texts(card, "FN") or [_full_name(each.decoded) for each in card.every("N")]
    return {
        "uid": card.uid,
        "name": next(iter(names), "") or next(iter(_texts(card, "ORG")), ""),
        "emails": _texts(card, "EMAIL"),
        "phones": [phone.removeprefix("tel:") for phone in _texts(card, "TEL")],
        "addresses": [_structure(each.decoded) for each in card.every("ADR")],
        "organization": next((_structure(each.decoded) for each in card.every("ORG")), ""),
        "birthday": next(iter(_texts(card, "BDAY")), ""),
        "notes": "\n".join(_texts(card, "NOTE")),
    }


def _texts(card: Part, name: str) -> list[str]:
    is_old = card.value("VERSION").strip() == "2.1"
    found = (_unescaped_old(each.decoded) if is_old else unescaped(each.decoded) for each in card.every(name))
    return [text.strip() for text in found if text.strip()]


def _unescaped_old(value: str) -> str:
    # Version 2.1 escapes semicolons alone, and has line ends in Quoted-Printable.
    return value.replace("\\;", ";").replace("\r\n", "\n")


def _full_name(value: str) -> str:
    family, given, further, prefix, suffix = [*fields_of(value), "", "", "", "", ""][:5]
    return " ".join(part for part in (prefix, given, further, family, suffix) if part)


def _structure(value: str) -> str:
    return ", ".join(" ".join(part.split()) for part in fields_of(value) if part.strip())


def _search(row: ContactRow) -> str:
    lists: Iterable[str] = (*row["emails"], *row["phones"], *row["addresses"])
    digits = (phone.translate({ord(sign): "" for sign in " -/().\u00a0"}) for phone in row["phones"])
    single = (row["name"], row["organization"], row["birthday"], row["notes"])
    return plain("\n".join((*single, *lists, *digits)))


def _named(lines: list[Line], name: str, eol: str) -> list[Line]:
    if not name.strip():
        raise InvalidArguments("a contact needs a name")
    given, _, family = name.strip().rpartition(" ")
    lines = replaced(lines, "FN", [_line(lines, "FN", (name.strip(),), eol)])
    return replaced(lines, "N", [_line(lines, "N", (family, given, "", "", ""), eol)])


def _line(lines: list[Line], name: str, fields: Sequence[str], eol: str) -> Line:
    """Return a new line in the form of the card's version."""
    if not any(each.name == "VERSION" and each.value.strip() == "2.1" for each in lines):
        return line(name, ";".join(map(escaped, fields)), end=eol)
    value = ";".join(field.replace(";", "\\;") for field in fields)
    if value.isascii() and value.isprintable():
        return Line(f"{name}:{value}{eol}")
    # A soft break ends each 70 characters; line ends are CRLF.
    octets = value.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    signs = [chr(octet) if 32 <= octet < 127 and octet != ord("=") else f"={octet:02X}" for octet in octets]
    rows = ["".join(signs[at : at + 24]) for at in range(0, len(signs), 24)]
    return Line(f"{name};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:{f'={eol}'.join(rows)}{eol}")


def _with(
    lines: list[Line],
    emails: Sequence[str] | None,
    phones: Sequence[str] | None,
    organization: str | None,
    birthday: str | None,
    notes: str | None,
    eol: str,
) -> list[Line]:
    for name, values in (("EMAIL", emails), ("TEL", phones)):
        if values is not None:
            lines = _with_several(lines, name, values, eol)
    for name, text in (("ORG", organization), ("BDAY", birthday), ("NOTE", notes)):
        if text is not None:
            lines = _with_one(lines, name, text, eol)
    return lines


def _with_one(lines: list[Line], name: str, text: str, eol: str) -> list[Line]:
    group = next((each.group for each in lines if each.name == name), "")
    if text:
        new = _line(lines, name, (text,), eol)
        # The label in its group, such as Apple's item1.X-ABLabel, stays with it.
        return replaced(lines, name, [Line(f"{group}.{new.raw}") if group else new])
    return replaced([each for each in lines if not group or each.group.lower() != group.lower()], name, [])


def _with_several(lines: list[Line], name: str, values: Sequence[str], eol: str) -> list[Line]:
    wanted = [value.strip() for value in values if value.strip()]
    retained: list[Line] = []
    groups: set[str] = set()
    for each in (found for found in lines if found.name == name):
        value = unescaped(each.decoded).strip().removeprefix("tel:")
        if value in wanted:
            wanted.remove(value)
            retained.append(each)
        elif each.group:
            groups.add(each.group.lower())
    # The label of a line that goes, such as Apple's item1.X-ABLabel, goes, too.
    lines = [
        each for each in lines if each.group.lower() not in groups or each.name == name or each in retained
    ]
    return replaced(lines, name, [*retained, *(_line(lines, name, (value,), eol) for value in wanted)])
