"""Contacts are vCard files of any version."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.personal.contacts import add_contact, contacts, remove_contact

FOREIGN = """BEGIN:VCARD
VERSION:4.0
FN:Béla Kovács
N:Kovács;Béla;;;
EMAIL;TYPE=work:bela@example.org
ADR;TYPE=home:;;Main Street 1;Budapest;;1011;Hungary
X-SHOE:43
END:VCARD
BEGIN:VCARD
VERSION:2.1
FN:Cleo
TEL;CELL:+49 30 1234
END:VCARD
""".replace("\n", "\r\n")


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "contacts.vcf"
    file.write_bytes(FOREIGN.encode())
    return str(file)


async def test_contacts_of_all_versions_are_found(path: str) -> None:
    found = await contacts(path=path)
    assert [row["name"] for row in found] == ["Béla Kovács", "Cleo"]
    [bela] = await contacts("kovács budapest", path)
    assert bela["emails"] == ["bela@example.org"]
    assert bela["addresses"] == ["Main Street 1, Budapest, 1011, Hungary"]
    assert await contacts("nobody", path) == []


async def test_a_contact_is_added_and_removed_beside_the_others(path: str) -> None:
    uid = await add_contact(
        "Ann Mary Lee",
        emails=["ann@example.org", "a.lee@example.org"],
        phones=["+44 20 1"],
        organization="Tea, Ltd.",
        birthday="1990-02-03",
        notes="Likes; tea,\nand cake",
        path=path,
    )
    [ann] = await contacts("a.lee", path)
    assert ann == {
        "uid": uid,
        "name": "Ann Mary Lee",
        "emails": ["ann@example.org", "a.lee@example.org"],
        "phones": ["+44 20 1"],
        "addresses": [],
        "organization": "Tea, Ltd.",
        "birthday": "1990-02-03",
        "notes": "Likes; tea,, and cake",
    }
    assert "X-SHOE:43" in Path(path).read_text() and "N:Lee;Ann Mary;;;" in Path(path).read_text()
    await remove_contact(uid, path)
    assert [row["name"] for row in await contacts(path=path)] == ["Béla Kovács", "Cleo"]


async def test_bad_input_changes_nothing(path: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="needs a name"):
        await add_contact("  ", path=path)
    with pytest.raises(InvalidArguments, match="no contact"):
        await remove_contact("nobody", path)
    broken = tmp_path / "broken.vcf"
    broken.write_text("BEGIN:VCARD\nFOO")
    with pytest.raises(PersonalFileProblem, match="isn't a vCard file"):
        await add_contact("Ann", path=str(broken))
    assert broken.read_text() == "BEGIN:VCARD\nFOO"
