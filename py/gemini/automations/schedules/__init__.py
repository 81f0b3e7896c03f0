"""Schedules: runs of agents that begin by themselves, at times in words or as cron expressions.

`gemini.schedule` is the function for scripts. Everything is loaded on first use.
"""

from typing import TYPE_CHECKING

from gemini.core.loading import Provided

if TYPE_CHECKING:
    from gemini.automations.schedules.schedules import Schedules

_schedules: "Provided[Schedules]" = Provided()
provide, current = _schedules.provide, _schedules.current
