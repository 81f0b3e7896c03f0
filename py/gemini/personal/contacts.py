"""Contacts in vCard files (RFC 6350; versions 2.1 and 3.0 are read, too, and 3.0 is written)."""

import secrets
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, cast

from typing_extensions import TypedDict

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.files.edit import write
from gemini.personal.files import read_text
from gemini.personal.packages import load_contacts

CONTACTS = "/home/user/contacts.vcf"


class ContactRow(TypedDict):
    """A contact. Addresses have their parts in one line."""

    uid: str
    name: str
    emails: list[str]
    phones: list[str]
    addresses: list[str]
    organization: str
    birthday: str
    notes: str


async def contacts(query: str = "", path: str = CONTACTS) -> list[ContactRow]:
    """Return the contacts that have all words of a query in any field, by name; all without one.

    Raises:
        PersonalFileProblem: The file can't be read.
    """
    await load_contacts()
    words = query.casefold().split()
    rows = [_row(card) for card in _read(path)]
    found = [row for row in rows if all(word in str([*row.values()]).casefold() for word in words)]
    return sorted(found, key=lambda row: row["name"].casefold())


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
        name: The whole name, the family's last.
        emails: Addresses of mail.
        phones: Telephone numbers.
        organization: Where the person works.
        birthday: In ISO 8601.
        notes: Further text.
        path: The file.

    Raises:
        InvalidArguments: The name is empty.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_contacts()
    vobject: Any = import_module("vobject")
    if not name.strip():
        raise InvalidArguments("a contact needs a name")
    given, _, family = name.strip().rpartition(" ")
    card: Any = vobject.vCard()
    card.add("fn").value = name.strip()
    card.add("n").value = vobject.vcard.Name(family=family, given=given)
    uid = f"{secrets.token_hex(8)}@gemini"
    single = {"org": [organization] if organization else "", "bday": birthday, "note": notes, "uid": uid}
    several = {"email": emails, "tel": phones}
    for field, value in single.items():
        if value:
            card.add(field).value = value
    for field, values in several.items():
        for value in values:
            card.add(field).value = value
    _write([*_read(path), card], path)
    return uid


async def remove_contact(uid: str, path: str = CONTACTS) -> None:
    """Remove a contact.

    Raises:
        InvalidArguments: There is none with this UID.
        PersonalFileProblem: The file can't be read.
        FileProblem: It can't be written; it is unchanged.
    """
    await load_contacts()
    cards = _read(path)
    left = [card for card in cards if _row(card)["uid"] != uid]
    if len(left) == len(cards):
        raise InvalidArguments(f"{path} has no contact with the UID {uid[:80]!r}", hint="List the contacts.")
    _write(left, path)


def _read(path: str) -> list[Any]:
    vobject: Any = import_module("vobject")
    try:
        return list(vobject.readComponents(read_text(path) or ""))
    except (vobject.base.VObjectError, ValueError) as error:
        raise PersonalFileProblem(
            f"{path} isn't a vCard file: {error}", hint="Correct it, or use another file."
        ) from error


def _write(cards: Sequence[Any], path: str) -> None:
    write(path, "".join(card.serialize() for card in cards))


def _row(card: Any) -> ContactRow:
    def values(name: str) -> list[str]:
        return [_line(field.value) for field in card.contents.get(name, [])]

    def first(name: str) -> str:
        return next(iter(values(name)), "")

    name = first("fn")
    return {
        # A card without a UID is named by its text.
        "uid": first("uid") or name,
        "name": name,
        "emails": values("email"),
        "phones": values("tel"),
        "addresses": values("adr"),
        "organization": first("org"),
        "birthday": first("bday"),
        "notes": first("note"),
    }


def _line(value: Any) -> str:
    """Return a value in one line. Structured ones, such as addresses, have parts in lines or lists."""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(part) for part in cast("Iterable[Any]", value) if part)
    return ", ".join(" ".join(part.split()) for part in str(value).splitlines() if part.strip(" ,"))
