"""Errors of reading and searching the web, besides the network door's."""

from gemini_companion.network.errors import NetworkProblem


class PageUnreadable(NetworkProblem):
    """The server answers with an error, or with something that has no text."""


class SearchFailed(NetworkProblem):
    """The search engine refuses the search, or its answer can't be read."""


class SearchUnready(NetworkProblem):
    """The search engine that is chosen needs a key or an address."""


class EngineUnknown(NetworkProblem):
    """There is no search engine of that name."""


class PlacesFailed(NetworkProblem):
    """The server of places refuses the request, or its answer can't be read."""
