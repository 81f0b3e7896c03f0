"""The network door: lets a page's kernel reach other origins, with the user's consent."""

from gemini_companion.network.addresses import Reach
from gemini_companion.network.credentials import Credentials
from gemini_companion.network.door import PATH, Door
from gemini_companion.network.fetching import Fetcher, Limits
from gemini_companion.network.framing import Framing
from gemini_companion.network.private_origins import PrivateOrigins
from gemini_companion.network.secret_origins import secret_origin

__all__ = [
    "PATH",
    "Credentials",
    "Door",
    "Fetcher",
    "Framing",
    "Limits",
    "PrivateOrigins",
    "Reach",
    "secret_origin",
]
