"""Language models of providers, which implement the interface of agents and chats (`gemini.agents.Model`).

    model = RemoteModel(Endpoint("openai", "http://127.0.0.1:11434/v1"), "llama3.2")

Each name is loaded on first use.
"""

from typing import TYPE_CHECKING

from gemini.core.loading import lazy_attributes

if TYPE_CHECKING:
    from gemini.models.providers.builtin import BuiltinModel
    from gemini.models.providers.endpoint import Endpoint
    from gemini.models.providers.forms import Forms
    from gemini.models.providers.models import Models
    from gemini.models.providers.prompted import Prompted
    from gemini.models.providers.remote import RemoteModel

__all__ = ["BuiltinModel", "Endpoint", "Forms", "Models", "Prompted", "RemoteModel"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "BuiltinModel": "gemini.models.providers.builtin",
        "Endpoint": "gemini.models.providers.endpoint",
        "Forms": "gemini.models.providers.forms",
        "Models": "gemini.models.providers.models",
        "Prompted": "gemini.models.providers.prompted",
        "RemoteModel": "gemini.models.providers.remote",
    },
)


def __dir__() -> list[str]:
    return __all__
