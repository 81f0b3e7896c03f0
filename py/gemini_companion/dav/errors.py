"""Errors of servers of calendars and contacts, besides the network door's."""

from gemini_companion.network.errors import NetworkProblem


class DavFailed(NetworkProblem):
    """The server refuses a request, or its answer can't be read."""


class DavServerUnknown(NetworkProblem):
    """The user has added no such server, or it has no such collection."""
