"""The tabs, the sites of files that they show, and the preview."""

from typing import TYPE_CHECKING, Any

from gemini.computer import servers
from gemini.computer.files.pdf import read_pages
from gemini.kernel.switches import FIRST_LIST_S, FOLLOW_AGENTS, Switches
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.extra_tools import ExtraBrowserTools
from gemini.pages.tabs.live_pages import LivePages
from gemini.pages.tabs.page_tools import PageTools
from gemini.pages.tabs.panel_tools import PanelBrowserTools
from gemini.pages.tabs.resources import offer_pages
from gemini.pages.tabs.sites import Sites
from gemini.pages.tabs.tools import BrowserTools
from gemini.tools.calls import current_call

if TYPE_CHECKING:
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs
    from gemini.kernel.kernel import Kernel, Saved
    from gemini.pages.tabs.site_functions import SiteFunctions


def setup(kernel: "Kernel") -> None:
    """Create the tabs. Each run of an agent has its own tabs."""
    kernel.sites = sites = Sites(home=kernel.home)
    kernel.browser = browser = Browser(kernel.events, kernel.absolute, sites, servers.listens)
    kernel.live = live = LivePages(browser, sites)
    sites.on_served = live.on_served
    kernel.switches = Switches(kernel.registry, browser, kernel.save)
    kernel.after_start(FIRST_LIST_S, kernel.switches.list_tools)
    _add_tools(kernel)
    _offer_functions(kernel)
    offer_pages(kernel.registry.resources, browser, kernel.events)
    kernel.on_refresh(live.refresh)
    kernel.on_runs(lambda runs: _give_tabs(runs, browser))

    def restore(saved: "Saved") -> None:
        browser.follows = saved.settings.get(FOLLOW_AGENTS) is True

    kernel.on_restore(restore)


def _add_tools(kernel: "Kernel") -> None:
    browser, registry = kernel.browser, kernel.registry
    registry.add_room(BrowserTools(browser, kernel.file, read_pages))
    registry.add_room(PageTools(browser))
    registry.add_room(ExtraBrowserTools(browser, kernel.file))
    registry.add_room(PanelBrowserTools(browser, kernel.live, kernel.switches.follow_agents))


def _offer_functions(kernel: "Kernel") -> None:
    """Let code in code mode call the tools of pages."""

    def make() -> "SiteFunctions":
        from gemini.pages.tabs.site_functions import SiteFunctions

        return SiteFunctions(kernel.browser.rows, page_tool)

    async def page_tool(arguments: dict[str, Any]) -> Any:
        return await kernel.registry.call_within("page_tool", arguments, current_call())

    kernel.code.providers["site"] = make


def _give_tabs(runs: "Runs", browser: Browser) -> None:
    """Give each run its own tabs, and mark them when it ends."""

    def begin(run: "Run") -> None:
        browser.owners.begin_run(run.id, run.agent, run.continues)
        run.on_event(lambda _: browser.owners.end_run(run.id) if run.outcome is not None else None)

    runs.on_start(begin)
