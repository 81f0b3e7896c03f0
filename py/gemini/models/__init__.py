"""Language models of providers, which implement the interface of agents and chats (`gemini.agents.Model`).

    model = RemoteModel(Endpoint("openai", "http://127.0.0.1:11434/v1"), "llama3.2")

Each name is loaded on first use.
"""

from typing import TYPE_CHECKING

from gemini.core.loading import lazy_attributes

if TYPE_CHECKING:
    from gemini.models.builtin import BuiltinModel
    from gemini.models.endpoint import Endpoint
    from gemini.models.forms import Forms
    from gemini.models.models import Models
    from gemini.models.prompted import Prompted
    from gemini.models.remote import RemoteModel

__all__ = ["BuiltinModel", "Endpoint", "Forms", "Models", "Prompted", "RemoteModel"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "BuiltinModel": "gemini.models.builtin",
        "Endpoint": "gemini.models.endpoint",
        "Forms": "gemini.models.forms",
        "Models": "gemini.models.models",
        "Prompted": "gemini.models.prompted",
        "RemoteModel": "gemini.models.remote",
    },
)


def __dir__() -> list[str]:
    return __all__
