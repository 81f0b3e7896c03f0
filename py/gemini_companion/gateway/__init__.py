"""Passes the page's requests on to language models, with keys that the page never sees."""

from gemini_companion.gateway.access import ModelAccess
from gemini_companion.gateway.configuration import configuration_file, load_providers
from gemini_companion.gateway.keys import Keys
from gemini_companion.gateway.limits import Limits
from gemini_companion.gateway.providers import Provider
from gemini_companion.gateway.proxy import Gateway

__all__ = ["Gateway", "Keys", "Limits", "ModelAccess", "Provider", "configuration_file", "load_providers"]
