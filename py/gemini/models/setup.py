"""Setting up the models of a surface."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gemini.core import ffi
from gemini.core.events import EventLog
from gemini.dom.browser import Browser
from gemini.models import packages
from gemini.models.events import ModelsChanged
from gemini.models.gateway import Gateway
from gemini.models.models import Models
from gemini.models.panel_tools import ModelTools
from gemini.shell.host import HostBackend
from gemini.tools import Registry

if TYPE_CHECKING:
    from gemini.agents.runs.runs import Runs

SETTING = "models"
"""The name of the setting that stores the user's models."""


def set_up(
    registry: Registry,
    events: EventLog,
    companion: HostBackend,
    browser: Browser,
    save: Callable[[str, Any], None],
) -> Models:
    """Create the models of a surface, which are refreshed when the companion connects or disconnects."""
    models = Models(
        Gateway(companion.ask_companion, ffi.own_origin),
        browser.ask_model,
        lambda row: save(SETTING, row),
        lambda row: events.publish(ModelsChanged(row)),
    )
    registry.add_room(ModelTools(models))
    companion.on_attach(models.refresh_soon)
    packages.on_progress(models.set_loading)
    return models


def serve(models: Models, runs: Runs) -> Runs:
    """Let runs and chats use these models; return `runs`."""
    runs.selection.find = models.find
    runs.selection.instructions = lambda: models.prompt
    runs.selection.on_set(lambda model: models.set_by_script(None if model is None else model.name))
    return runs
