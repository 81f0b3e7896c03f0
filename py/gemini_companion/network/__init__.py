"""The network door: a page's kernel reaches other origins through here, after its person has agreed."""

from gemini_companion.network.addresses import Reach
from gemini_companion.network.door import PATH, Door
from gemini_companion.network.fetching import Fetcher, Limits

__all__ = ["PATH", "Door", "Fetcher", "Limits", "Reach"]
