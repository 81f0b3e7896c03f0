"""The XML of WebDAV (RFC 4918): requests, and the properties of a multistatus answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

from gemini_companion.dav.errors import DavFailed

DAV, CALDAV, CARDDAV = "DAV:", "urn:ietf:params:xml:ns:caldav", "urn:ietf:params:xml:ns:carddav"
_SPACES = f'xmlns:d="{DAV}" xmlns:cal="{CALDAV}" xmlns:card="{CARDDAV}"'


@dataclass
class Entry:
    """A resource in an answer: its path, and the elements of its properties by `{namespace}name`."""

    path: str
    properties: dict[str, ET.Element] = field(default_factory=dict[str, ET.Element])
    is_missing: bool = False

    def text(self, name: str) -> str:
        """Return a property's text; empty if it is missing."""
        found = self.properties.get(name)
        return "" if found is None or found.text is None else found.text

    def path_in(self, name: str) -> str:
        """Return the path that a property's `href` names; empty if it is missing."""
        found = self.properties.get(name)
        inner = None if found is None else found.find(f"{{{DAV}}}href")
        return "" if inner is None or inner.text is None else _path(self.path, inner.text)


def propfind(*names: str) -> bytes:
    """Return the body of a PROPFIND for properties, such as `d:getetag`."""
    wanted = "".join(f"<{name}/>" for name in names)
    return f'<?xml version="1.0"?><d:propfind {_SPACES}><d:prop>{wanted}</d:prop></d:propfind>'.encode()


def multiget(kind: str, paths: list[str]) -> bytes:
    """Return the body of a REPORT for the content of items, `calendar` or `contacts`."""
    space, report, data = (
        ("cal", "calendar", "calendar-data")
        if kind == "calendar"
        else ("card", "addressbook", "address-data")
    )
    hrefs = "".join(f"<d:href>{escape(path)}</d:href>" for path in paths)
    name = f"{space}:{report}-multiget"
    return (
        f'<?xml version="1.0"?><{name} {_SPACES}><d:prop><d:getetag/><{space}:{data}/></d:prop>{hrefs}</{name}>'
    ).encode()


def entries(body: bytes, base: str) -> list[Entry]:
    """Return the resources of a multistatus answer.

    Args:
        body: The answer.
        base: The path of the request, which relative ones count from.

    Raises:
        DavFailed: It is no such answer.
    """
    # No server needs a document type, whose entities could expand without a limit.
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise DavFailed("the server's answer defines entities")
    try:
        root = ET.fromstring(body)
    except ET.ParseError:
        raise DavFailed("the server's answer isn't XML", hint="Check the address of the server.") from None
    if root.tag != f"{{{DAV}}}multistatus":
        raise DavFailed("the server's answer isn't WebDAV's", hint="Check the address of the server.")
    return [_entry(each, base) for each in root.findall(f"{{{DAV}}}response")]


def _entry(response: ET.Element, base: str) -> Entry:
    entry = Entry(_path(base, response.findtext(f"{{{DAV}}}href") or ""))
    entry.is_missing = " 404" in (response.findtext(f"{{{DAV}}}status") or "")
    for found in response.findall(f"{{{DAV}}}propstat"):
        if " 200" in (found.findtext(f"{{{DAV}}}status") or ""):
            for prop in found.findall(f"{{{DAV}}}prop"):
                entry.properties |= {each.tag: each for each in prop}
    return entry


def _path(base: str, href: str) -> str:
    return urlsplit(urljoin(base, href.strip())).path


def same_path(one: str, other: str) -> bool:
    """Return whether two paths name the same resource, however they are spelled."""
    return unquote(one).rstrip("/") == unquote(other).rstrip("/")
