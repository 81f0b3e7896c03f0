"""Calendars and contacts on servers of the user's own (CalDAV, RFC 4791; CardDAV, RFC 6352)."""

from gemini_companion.dav.access import DavAccess
from gemini_companion.dav.servers import DavServers

__all__ = ["DavAccess", "DavServers"]
