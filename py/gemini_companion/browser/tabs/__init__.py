"""Tabs in the companion's own Chromium, which pages of the surface open, read and act in."""

from gemini_companion.browser.tabs.browser import TabBrowser
from gemini_companion.browser.tabs.tabs import BrowserTabs

__all__ = ["BrowserTabs", "TabBrowser"]
