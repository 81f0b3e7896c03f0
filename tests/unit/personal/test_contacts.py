"""Contacts are vCard files of any version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemini.errors import InvalidArguments, PersonalFileProblem
from gemini.personal.contacts import add_contact, change_contact, contact, contacts, remove_contact

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
        "notes": "Likes; tea,\nand cake",
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


APPLE = """BEGIN:VCARD
VERSION:3.0
N:Lee;Ann;;;
FN:Ann Lee
item1.EMAIL;type=INTERNET;type=pref:ann@example.org
item1.X-ABLabel:_$!<HomePage>!$_
item2.TEL:+49 30 1234
item2.X-ABLabel:Boat
X-ABUID:1:ABPerson
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYI
 ChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
END:VCARD
"""
OLD = """BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=98=D0=B2=D0=B0=D0=BD=D0=BE=
=D0=B2;=D0=90=D0=BD=D0=BD=D0=B0
FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=90=D0=BD=D0=BD=D0=B0 =D0=98=D0=B2=
=D0=B0=D0=BD=D0=BE=D0=B2
TEL;HOME;VOICE:+7 495 1
NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Gr=FC=DFe=0D=0Aaus Berlin
ADR;WORK;ENCODING=QUOTED-PRINTABLE:;;Main=20Street 1;Berlin;;10117;DE
AGENT:
BEGIN:VCARD
VERSION:2.1
N:Secret;Agent
END:VCARD
END:VCARD
"""
SCRIPTS = (
    "山田 太郎",
    "محمد علي",
    "दीपा शर्मा",
    "Σοφία Νικολάου",
    "אורי כהן",
    "김민수",
    "Þór Jónsson",
    "ปรีชา ใจดี",
)


@pytest.mark.parametrize("text", [APPLE, OLD, FOREIGN.replace("\r\n", "\n")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_a_card_of_others_is_changed_in_one_line(tmp_path: Path, text: str, end: str) -> None:
    file = tmp_path / "contacts.vcf"
    before = text.replace("\n", end).encode()
    file.write_bytes(before)
    added = await add_contact("Bob", path=str(file))
    await remove_contact(added, str(file))
    assert file.read_bytes() == before
    first = (await contacts(path=str(file)))[0]
    uid = await change_contact(first["uid"], birthday="1990-02-03", path=str(file))
    assert (await contact(uid, str(file)))["birthday"] == "1990-02-03"
    await change_contact(uid, birthday="", path=str(file))
    assert file.read_bytes() == before


async def test_a_label_and_the_parts_of_a_text_stay(tmp_path: Path) -> None:
    file = tmp_path / "contacts.vcf"
    text = APPLE.replace("X-ABUID", "item3.ORG:Tea;Green\nitem3.X-ABLabel:Club\nX-ABUID").replace(
        "\n", "\r\n"
    )
    file.write_bytes(text.encode())
    [ann] = await contacts(path=str(file))
    assert (ann["name"], ann["organization"]) == ("Ann Lee", "Tea, Green")
    # A caller that passes all that it has read changes nothing.
    row: dict[str, Any] = {name: value for name, value in ann.items() if name not in ("uid", "addresses")}
    uid = await change_contact(ann["uid"], **row, path=str(file))
    assert file.read_bytes() == text.encode()
    uid = await change_contact(uid, organization="Milk", path=str(file))
    assert "item3.ORG:Milk\r\nitem3.X-ABLabel:Club" in file.read_bytes().decode()
    await change_contact(uid, organization="", path=str(file))
    assert "item3" not in file.read_text()


async def test_version_2_1_is_decoded_and_stays_version_2_1(tmp_path: Path) -> None:
    file = tmp_path / "old.vcf"
    file.write_bytes(OLD.replace("\n", "\r\n").encode())
    [row] = await contacts("анна иванов", str(file))
    assert (row["name"], row["phones"], row["notes"]) == ("Анна Иванов", ["+7 495 1"], "Grüße\naus Berlin")
    assert row["addresses"] == ["Main Street 1, Berlin, 10117, DE"]
    uid = await change_contact(row["uid"], notes="Zwölf; 12,\nзвонить", path=str(file))
    assert (await contact(uid, str(file)))["notes"] == "Zwölf; 12,\nзвонить"
    assert "NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zw=C3=B6lf" in file.read_text()
    assert file.read_text().count("BEGIN:VCARD") == 2


async def test_labels_stay_with_their_line_and_go_with_it(tmp_path: Path) -> None:
    file = tmp_path / "apple.vcf"
    file.write_text(APPLE)
    [row] = await contacts(path=str(file))
    uid = row["uid"]
    uid = await change_contact(uid, emails=["ann@example.org", "new@example.org"], phones=[], path=str(file))
    text = file.read_text()
    assert "item1.EMAIL;type=INTERNET;type=pref:ann@example.org" in text and "item1.X-ABLabel" in text
    assert "EMAIL:new@example.org" in text and "item2" not in text and "PHOTO;ENCODING=b;TYPE=JPEG:" in text


async def test_names_of_every_script_are_found(tmp_path: Path) -> None:
    path = str(tmp_path / "contacts.vcf")
    for name in SCRIPTS:
        await add_contact(name, phones=["+81 (3) 12-34"], path=path)
    for name in SCRIPTS:
        assert [row["name"] for row in await contacts(name, path)] == [name]
    assert [row["name"] for row in await contacts("jonsson", path)] == ["Þór Jónsson"]
    assert len(await contacts("+8131234", path)) == len(SCRIPTS)


async def test_a_file_of_utf_16_stays_one(tmp_path: Path) -> None:
    file = tmp_path / "wide.vcf"
    file.write_bytes(APPLE.replace("Ann", "Änn").encode("utf-16"))
    [row] = await contacts("änn", str(file))
    await change_contact(row["uid"], notes="Tea", path=str(file))
    assert "FN:Änn Lee" in file.read_bytes().decode("utf-16")
