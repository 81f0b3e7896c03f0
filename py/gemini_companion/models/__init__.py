"""Passes the page's requests on to language models, with keys that the page never sees."""

from gemini_companion.models.access import ModelAccess
from gemini_companion.models.configuration import configuration_file, load_providers
from gemini_companion.models.keys import Keys
from gemini_companion.models.limits import Limits
from gemini_companion.models.providers import Provider
from gemini_companion.models.proxy import Gateway

__all__ = ["Gateway", "Keys", "Limits", "ModelAccess", "Provider", "configuration_file", "load_providers"]
