"""Interpreters of agents' own, each in a worker, which runs `gemini.computer.python.own_worker`."""

from typing import TYPE_CHECKING

from gemini.core.loading import Provided

if TYPE_CHECKING:
    from gemini.computer.python.own.interpreters import Interpreters

_interpreters: "Provided[Interpreters]" = Provided()
provide = _interpreters.provide
current = _interpreters.current
