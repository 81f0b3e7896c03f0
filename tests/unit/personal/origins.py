"""Files in the documented forms of Google, Apple and Outlook, and a round trip of each through the package.

Forms: Google Calendar's and Contacts' exports, Calendar and Contacts of macOS, [MS-OXCICAL] and [MS-OXVCARD].
"""

from __future__ import annotations

from typing import Any

GOOGLE = """BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
CALSCALE:GREGORIAN
METHOD:PUBLISH
X-WR-CALNAME:Ann Lee
X-WR-TIMEZONE:Europe/Berlin
X-WR-CALDESC:Work\\, mostly
BEGIN:VTIMEZONE
TZID:Europe/Berlin
X-LIC-LOCATION:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:GMT+2
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:GMT+1
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20261012T090000
DTEND;TZID=Europe/Berlin:20261012T093000
RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20261130T225959Z;BYDAY=MO
EXDATE;TZID=Europe/Berlin:20261019T090000
DTSTAMP:20261128T120000Z
ORGANIZER;CN=Ann Lee:mailto:ann@example.org
UID:standup@google.com
ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Bob Lee
 ;X-NUM-GUESTS=0:mailto:bob@example.org
X-GOOGLE-CONFERENCE:https://meet.example/abc
CREATED:20261001T080000Z
DESCRIPTION:<b>Agenda</b>\\n\\n- Who\\; what\\, when\\n-::~:~::~:~:~:~:~:~:~:~:~:~:~:
 ~:~:~:~:~\\nJoin: https://meet.example/abc
LAST-MODIFIED:20261101T080000Z
SEQUENCE:2
STATUS:CONFIRMED
SUMMARY:Stand-up
TRANSP:OPAQUE
ATTACH;FILENAME=Plan;FMTTYPE=application/pdf:https://drive.example/open?id=1
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:This is an event reminder
TRIGGER:-P0DT0H10M0S
END:VALARM
BEGIN:VALARM
ACTION:EMAIL
SUMMARY:Alarm notification
ATTENDEE:mailto:ann@example.org
TRIGGER:-P1D
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20261026T110000
DTEND;TZID=Europe/Berlin:20261026T113000
DTSTAMP:20261128T120000Z
UID:standup@google.com
RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000
SUMMARY:Stand-up\\, later
SEQUENCE:3
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261224
DTEND;VALUE=DATE:20261227
DTSTAMP:20261128T120000Z
UID:days@google.com
CLASS:PRIVATE
LOCATION:Zürich\\, Bahnhofstraße 1
STATUS:TENTATIVE
SUMMARY:🎄 Ferien
TRANSP:TRANSPARENT
END:VEVENT
BEGIN:VEVENT
DTSTART:20261130T150000Z
DTEND:20261130T160000Z
DTSTAMP:20261128T120000Z
UID:utc@google.com
SUMMARY:Call
END:VEVENT
END:VCALENDAR
"""
APPLE = """BEGIN:VCALENDAR
CALSCALE:GREGORIAN
PRODID:-//Apple Inc.//macOS 26.0//EN
VERSION:2.0
X-APPLE-CALENDAR-COLOR:#FF2968
X-WR-CALNAME:Home
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
TZNAME:EDT
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
TZNAME:EST
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
CREATED:20261101T080000Z
DTEND;TZID=America/New_York:20261031T110000
DTSTAMP:20261101T080000Z
DTSTART;TZID=America/New_York:20261031T100000
EXDATE;TZID=America/New_York:20261102T100000
LAST-MODIFIED:20261101T080000Z
LOCATION:Café\\nMain Street 1
RRULE:FREQ=DAILY;COUNT=4
SEQUENCE:1
SUMMARY:Breakfast
UID:5A3F0A9E-0001
URL;VALUE=URI:message:%3Cabc@example.org%3E
X-APPLE-CREATOR-IDENTITY:com.apple.mobilecal
X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Main Street 1\\nNew York";X-
 APPLE-ABUID="ab://Home%20";X-APPLE-MAPKIT-HANDLE=CAES;X-APPLE-RADIUS=70;X-TI
 TLE="Café: sweet":geo:40.7,-74.0
X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT30M
X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
BEGIN:VALARM
ACKNOWLEDGED:20261031T130000Z
ACTION:AUDIO
ATTACH;VALUE=URI:Chord
TRIGGER:-PT1H
UID:alarm-1
X-APPLE-DEFAULT-ALARM:TRUE
X-WR-ALARMUID:alarm-1
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTEND;VALUE=DATE:20261227
DTSTAMP:20261101T080000Z
DTSTART;VALUE=DATE:20261224
SUMMARY;LANGUAGE=de:Weihnachten
UID:5A3F0A9E-0002
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Reminder
TRIGGER:-PT15H
UID:alarm-2
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART:20261130T080000
DURATION:PT45M
DTSTAMP:20261101T080000Z
SUMMARY:Wherever I am
UID:5A3F0A9E-0003
END:VEVENT
BEGIN:VTODO
DTSTAMP:20261101T080000Z
DUE;TZID=America/New_York:20261105T090000
PRIORITY:1
STATUS:NEEDS-ACTION
SUMMARY:Call Ann
UID:5A3F0A9E-0004
X-APPLE-SORT-ORDER:5
END:VTODO
END:VCALENDAR
"""
OUTLOOK = """BEGIN:VCALENDAR
PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN
VERSION:2.0
METHOD:PUBLISH
X-CALSTART:20261130T090000Z
X-WR-RELCALID:{0000002E-1234}
X-MS-OLK-FORCEINSPECTOROPEN:TRUE
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16011028T030000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010325T020000
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
ATTENDEE;CN="Lee, Bob";RSVP=TRUE:mailto:bob@example.org
CLASS:PUBLIC
CREATED:20261101T080000Z
DESCRIPTION:Agenda\\n\\n\\n
DTEND;TZID="W. Europe Standard Time":20261130T110000
DTSTAMP:20261101T080000Z
DTSTART;TZID="W. Europe Standard Time":20261130T100000
LAST-MODIFIED:20261101T080000Z
LOCATION:Raum 3
ORGANIZER;CN="Lee, Ann":mailto:ann@example.org
PRIORITY:5
RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO
SEQUENCE:0
SUMMARY;LANGUAGE=en-us:Review
TRANSP:OPAQUE
UID:040000008200E00074C5B7101A82E00800000000
X-ALT-DESC;FMTTYPE=text/html:<html xmlns:v="urn:schemas-microsoft-com:vml" \\n
	xmlns:o="urn:schemas-microsoft-com:office:office"><body lang=EN-US>Agenda</b
	ody></html>
X-MICROSOFT-CDO-BUSYSTATUS:BUSY
X-MICROSOFT-CDO-IMPORTANCE:1
X-MICROSOFT-DISALLOW-COUNTER:FALSE
X-MS-OLK-AUTOFILLLOCATION:FALSE
X-MS-OLK-CONFTYPE:0
BEGIN:VALARM
TRIGGER:-PT15M
ACTION:DISPLAY
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
CLASS:PUBLIC
DTEND;TZID="W. Europe Standard Time":20261207T150000
DTSTAMP:20261101T080000Z
DTSTART;TZID="W. Europe Standard Time":20261207T140000
RECURRENCE-ID;TZID="W. Europe Standard Time":20261207T100000
SUMMARY;LANGUAGE=en-us:Review, moved
UID:040000008200E00074C5B7101A82E00800000000
X-MICROSOFT-CDO-INSTTYPE:3
END:VEVENT
BEGIN:VEVENT
CATEGORIES:Holiday,Red Category
DTEND;VALUE=DATE:20261226
DTSTAMP:20261101T080000Z
DTSTART;VALUE=DATE:20261225
SUMMARY:Christmas
UID:040000008200E00074C5B7101A82E00800000001
X-MICROSOFT-CDO-ALLDAYEVENT:TRUE
END:VEVENT
END:VCALENDAR
"""
CALENDARS = {"Google": GOOGLE, "Apple": APPLE, "Outlook": OUTLOOK}

CARDS = {
    "Google": """BEGIN:VCARD
VERSION:3.0
FN:Ann Mary Lee
N:Lee;Ann;Mary;Dr.;
NICKNAME:Annie
EMAIL;TYPE=INTERNET;TYPE=HOME:ann@example.org
item1.EMAIL;TYPE=INTERNET:lee@example.org
item1.X-ABLabel:School
TEL;TYPE=CELL:+49 30 1234
ADR;TYPE=HOME:;;Main Street 1;Berlin;;10117;Germany;Main Street 1\\nBerlin
item2.ORG:Tea\\, Ltd.
item2.X-ABLabel:
BDAY:19900203
item3.URL:https\\://example.org/ann
item3.X-ABLabel:_$!<HomePage>!$_
CATEGORIES:myContacts,starred
NOTE:Likes tea\\nand cake
PHOTO:https://photos.example/ann
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:김민수
N:김;민수;;;
CATEGORIES:myContacts
END:VCARD
""",
    "Apple": """BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//macOS 26.0//EN
N:Lee;Ann;;;
FN:Ann Lee
ORG:Tea;Green
EMAIL;type=INTERNET;type=HOME;type=pref:ann@example.org
item1.TEL;type=pref:+49 30 1234
item1.X-ABLabel:Boat
item2.ADR;type=HOME:;;Main Street 1;Berlin;;10117;Germany
item2.X-ABADR:de
item3.X-ABDATE;type=pref:2015-06-07
item3.X-ABLabel:_$!<Anniversary>!$_
BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-03
X-SOCIALPROFILE;type=twitter:http://social.example/ann
IMPP;X-SERVICE-TYPE=Jabber;type=HOME:xmpp:ann@example.org
PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYI
 ChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
X-ABShowAs:COMPANY
X-ABUID:1:ABPerson
END:VCARD
BEGIN:VCARD
VERSION:4.0
KIND:group
FN:Family
UID:urn:uuid:1
MEMBER:urn:uuid:2
END:VCARD
""",
    "Outlook": """BEGIN:VCARD
VERSION:2.1
X-MS-OL-DESIGN;CHARSET=utf-8:<card xmlns="http://schemas.example/electronicbusinesscards" ver="1.0"/>
N;LANGUAGE=de;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:Gr=FCn;J=F6rg
FN;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:J=F6rg Gr=FCn
ORG:Tea Ltd.;Green
TITLE:Buyer
NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=utf-8:Erste Zeile=0D=0A=
Zweite Zeile
TEL;WORK;VOICE:+49 30 1234
TEL;CELL;VOICE:+49 170 1
ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;Main Street 1=0D=0AHof;Berlin;;10117;Germany
LABEL;WORK;PREF;ENCODING=QUOTED-PRINTABLE:Main Street 1=0D=0AHof=0D=0A=
10117 Berlin
X-MS-OL-DEFAULT-POSTAL-ADDRESS:2
EMAIL;PREF;INTERNET:joerg@example.org
X-MS-IMADDRESS:joerg@chat.example
BDAY;VALUE=date:1990-02-03
PHOTO;TYPE=JPEG;ENCODING=BASE64:
 /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcU
 FhYaHSUfGhsjHBYWICwgIyYn

REV:20261101T080000Z
END:VCARD
""",
}


async def round_trip(path: str, content: str) -> dict[str, Any]:
    """Add and remove an event, and change the notes of each of a file and change them back, on CPython or in the page.

    Returns:
        `same`: whether the file had the same bytes after an event was added and removed; `events`: its events;
        `properties`: its lines; `changed`: the names of lines that differ at the end; `times`: whether all stayed.
    """
    from collections import Counter
    from pathlib import Path

    from gemini.personal import calendars

    def lines() -> list[str]:
        return file.read_bytes().decode().replace("\r\n ", "").replace("\r\n\t", "").split("\r\n")

    async def times() -> list[tuple[str, str, str]]:
        rows = await calendars.events("2026-01-01", "2027-12-31", path, zone="UTC")
        return [(row["uid"], row["start"], row["end"]) for row in rows]

    file = Path(path)
    file.write_bytes(content.replace("\n", "\r\n").encode())
    before, first, when = file.read_bytes(), lines(), await times()
    await calendars.remove(await calendars.add_event("Tea", "2026-11-30T16:00+01:00", path=path), path)
    same = file.read_bytes() == before
    for uid in dict.fromkeys(row[0] for row in when):
        notes = (await calendars.event(uid, path))["notes"]
        await calendars.change_event(uid, notes="changed", path=path)
        await calendars.change_event(uid, notes=notes, path=path)
    gone = Counter(first) - Counter(lines())
    return {
        "same": same,
        "events": first.count("BEGIN:VEVENT"),
        "properties": len([line for line in first if line and not line.startswith(("BEGIN:", "END:"))]),
        "changed": sorted({line.partition(":")[0].partition(";")[0] for line in gone}),
        "times": await times() == when,
    }


async def round_trip_of_cards(path: str, content: str) -> dict[str, Any]:
    """Add and remove a contact, change the notes of each and change them back; return the same as `round_trip`."""
    from collections import Counter
    from pathlib import Path

    from gemini.personal import contacts

    file = Path(path)
    before = content.replace("\n", "\r\n").encode()
    file.write_bytes(before)
    rows = await contacts.contacts(path=path)
    await contacts.remove_contact(await contacts.add_contact("Bob", path=path), path)
    same = file.read_bytes() == before
    for row in rows:
        uid = await contacts.change_contact(row["uid"], notes="changed", path=path)
        await contacts.change_contact(uid, notes=row["notes"], path=path)

    def lines_of(text: str) -> list[str]:
        return text.replace("\r\n ", "").replace("=0D=0A=\r\n", "=0D=0A").split("\r\n")

    lines = lines_of(before.decode())
    gone = Counter(lines) - Counter(lines_of(file.read_bytes().decode()))
    after = await contacts.contacts(path=path)
    return {
        "same": same,
        "contacts": len(rows),
        "properties": len([line for line in lines if line and not line.startswith(("BEGIN:", "END:"))]),
        "changed": sorted({line.partition(":")[0].partition(";")[0] for line in gone}),
        "texts": [{**row, "uid": ""} for row in rows] == [{**row, "uid": ""} for row in after],
    }
