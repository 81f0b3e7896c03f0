"""The language models that the user has set up, for runs and chats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gemini.core import ffi
from gemini.models.providers import packages
from gemini.models.providers.events import ModelsChanged
from gemini.models.providers.gateway import Gateway
from gemini.models.providers.models import Models
from gemini.models.providers.panel_tools import ModelTools

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel
    from gemini.models.providers.embeddings import Embeddings

SETTING = "models"
"""The name of the setting that stores the user's models."""


def setup(kernel: Kernel) -> None:
    """Create the models, which are refreshed when the companion connects or disconnects."""
    kernel.models = models = Models(
        Gateway(kernel.host.ask_companion, ffi.own_origin),
        kernel.browser.ask_model,
        partial(kernel.save, SETTING),
        lambda row: kernel.events.publish(ModelsChanged(row)),
    )
    kernel.registry.add_room(ModelTools(models))
    kernel.host.on_attach(models.refresh_soon)
    packages.on_progress(models.set_loading)
    kernel.on_runs(partial(serve, models))
    kernel.on_restore(lambda saved: models.restore(saved.settings.get(SETTING)))


def serve(models: Models, runs: Runs) -> Runs:
    """Let runs and chats use these models; return `runs`."""
    runs.selection.find = models.find
    runs.selection.instructions = lambda: models.prompt
    runs.selection.on_set(lambda model: models.set_by_script(None if model is None else model.name))
    return runs


def create_embeddings(kernel: Kernel) -> Embeddings:
    """Create the comparing of passages by meaning. It is off until the user chooses a model for it."""
    from gemini.models.providers.embeddings import Embeddings

    return Embeddings(kernel.models.embedder, lambda: kernel.store.embeddings, kernel.pay)
