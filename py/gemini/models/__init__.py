"""Language models of providers, behind the one interface that agents and chats know (`gemini.agents.Model`)."""

from gemini.models.endpoint import Api, Endpoint
from gemini.models.forms import Form, Forms
from gemini.models.remote import RemoteModel

__all__ = ["Api", "Endpoint", "Form", "Forms", "RemoteModel"]
