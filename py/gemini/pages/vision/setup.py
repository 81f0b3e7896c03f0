"""The tools for pictures of tabs, of files and of the shared screen."""

from functools import cache
from typing import TYPE_CHECKING

from gemini.pages.vision.tools import EyeTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel
    from gemini.pages.vision.pictures import Pictures
    from gemini.pages.vision.screen import Screen


def setup(kernel: "Kernel") -> None:
    """Register the tools. What they use is loaded on first use."""

    @cache
    def screen() -> "Screen":
        from gemini.pages.vision.screen import Screen

        return Screen(kernel.browser.ask_owner)

    @cache
    def pictures() -> "Pictures":
        from gemini.pages.vision.pictures import Pictures

        return Pictures(lambda: kernel.runs.selection, lambda: kernel.runs.clock, kernel.pay, kernel.file)

    kernel.registry.add_room(EyeTools(kernel.browser, screen, pictures))
