"""The tools for the user's browser, calendar and photos."""

from functools import cache
from typing import TYPE_CHECKING

from gemini.core import ffi
from gemini.personal.calendar_tools import CalendarTools
from gemini.personal.panel_tools import PanelCalendarTools
from gemini.personal.photo_tools import PanelPhotoTools, PhotoTools
from gemini.personal.tools import PersonalTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel
    from gemini.personal.photos import PhotoLibrary


def setup(kernel: "Kernel") -> None:
    """Register the tools. What they use is loaded on first use."""

    @cache
    def photos() -> "PhotoLibrary":
        from gemini.personal.photos import PhotoLibrary

        return PhotoLibrary()

    ask_companion = kernel.host.ask_companion
    kernel.registry.add_room(PersonalTools(kernel.browser.ask_owner, ask_companion))
    kernel.registry.add_room(CalendarTools(ffi.time_zone, ask_companion))
    kernel.registry.add_room(PanelCalendarTools(ffi.time_zone, ask_companion))
    kernel.registry.add_room(PhotoTools(photos))
    kernel.registry.add_room(PanelPhotoTools(photos))
