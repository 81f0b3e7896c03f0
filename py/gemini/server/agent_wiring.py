"""Functions that create the rooms of agents and register their tools, for `Kernel`.

Heavy objects are passed as functions that return them, and are loaded on the first call.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gemini.agents.continuing.panel_tools import PanelFollowUpTools
from gemini.agents.feed import RunFeed
from gemini.agents.panel_tools import PanelRunTools
from gemini.agents.tools import AgentTools
from gemini.automations.panel_tools import PanelAutomationTools
from gemini.automations.tools import AutomationTools
from gemini.chats.messages import Voice
from gemini.chats.panel_tools import ChatTools
from gemini.core import ffi
from gemini.core.meaning import Meaning
from gemini.dom.browser import Browser
from gemini.errors import GeminiError
from gemini.eyes.tools import EyeTools
from gemini.files.downloads import Downloads
from gemini.inbox.panel_tools import InboxTools
from gemini.inbox.questions import Questions
from gemini.memory.memory import Memories
from gemini.memory.panel_tools import PanelMemoryTools
from gemini.memory.tools import MemoryTools
from gemini.mentions.mentions import Mentions
from gemini.mentions.panel_tools import MentionTools
from gemini.models.models import Models
from gemini.personal.calendar_tools import CalendarTools
from gemini.personal.panel_tools import PanelCalendarTools
from gemini.personal.photo_tools import PanelPhotoTools, PhotoTools
from gemini.personal.tools import PersonalTools
from gemini.schedules.panel_tools import PanelScheduleTools
from gemini.schedules.tools import ScheduleTools
from gemini.server.person_actions import PersonActions
from gemini.shell.embedded import ENVIRONMENT
from gemini.shell.host import HostBackend
from gemini.skills.panel_tools import PanelSkillTools
from gemini.skills.provided import ProvidedSkills
from gemini.skills.skills import FOLDERS, Skills
from gemini.team.events import TeamsChanged
from gemini.terminal.manager import TerminalManager
from gemini.tools import Registry

if TYPE_CHECKING:
    from gemini.agents.model.usage import Usage
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs
    from gemini.automations.automations import Automations
    from gemini.chats.chats import Chats
    from gemini.eyes.pictures import Pictures
    from gemini.eyes.screen import Screen
    from gemini.models.embeddings import Embeddings
    from gemini.personal.photos import PhotoLibrary
    from gemini.schedules.schedules import Schedules
    from gemini.search.search import Search
    from gemini.storage.store import Store
    from gemini.storage.team import TeamStore
    from gemini.team.teams import Teams

    Rooms = tuple[Callable[[], Runs], Callable[[], Teams], Callable[[], Schedules]]

# The folder of agents' files.
AGENTS = ".agents"


def give_tabs(runs: "Runs", browser: Browser) -> None:
    """Give each run tabs of its own, and mark them when it ends."""

    def begin(run: "Run") -> None:
        browser.owners.begin_run(run.id, run.agent, run.continues)
        run.on_event(lambda _: browser.owners.end_run(run.id) if run.outcome is not None else None)

    runs.on_start(begin)


def wire_agents(
    registry: Registry,
    terminals: TerminalManager,
    rooms: "Rooms",
    journal: "Callable[[], Journal]",
    downloads: Downloads,
    mentions: Mentions,
) -> RunFeed:
    """Create the feed of agents' runs."""
    runs, teams, _ = rooms
    feed = RunFeed(registry.events.publish, journal)
    person_actions = PersonActions(registry.events, terminals.terminals.values)
    registry.add_room(PanelFollowUpTools(runs, journal))
    registry.add_room(AgentTools(runs, lambda task, leader, steps: teams().run(task, leader, steps)))
    registry.add_room(
        PanelRunTools(
            runs,
            journal,
            feed,
            person_actions,
            lambda team: teams().resume(team),
            downloads.offer,
            mentions.noted,
        )
    )
    return feed


def create_embeddings(
    models: Models, store: "Callable[[], Store]", runs: "Callable[[], Runs]"
) -> "Embeddings":
    """Create the comparing of texts by meaning. It is off until the user chooses a model for it."""
    from gemini.models.embeddings import Embeddings

    return Embeddings(models.embedder, lambda: store().embeddings, payer(runs))


def payer(runs: "Callable[[], Runs]") -> "Callable[[str, Usage], None]":
    """Return the function that counts the usage of a model for the run that calls."""

    def pay(model: str, usage: "Usage") -> None:
        from gemini.agents.runs.paying import pay

        pay(runs(), model, usage)

    return pay


def wire_memory(registry: Registry, store: "Callable[[], Store]", meaning: Callable[[], Meaning]) -> Memories:
    """Create the memories of agents."""
    memories = Memories(lambda: store().memories, registry.consent, registry.events, meaning)
    registry.add_room(MemoryTools(memories))
    registry.add_room(PanelMemoryTools(memories))
    return memories


def wire_skills(registry: Registry, store: "Callable[[], Store]", home: str) -> Skills:
    """Create the skills, whose folders are in the project's and in the home directory's."""
    roots = [Path(root, folder) for root in (home, ENVIRONMENT["HOME"]) for folder in FOLDERS]
    provided = ProvidedSkills(Path(ENVIRONMENT["HOME"], FOLDERS[0]), lambda: store().settings)
    skills = Skills(lambda: store().skills, roots, registry.events, provided)
    registry.add_room(PanelSkillTools(skills))
    return skills


def wire_automations(registry: Registry, automations: "Callable[[], Automations]") -> None:
    """Register the tools of automations."""
    registry.add_room(AutomationTools(automations))
    registry.add_room(PanelAutomationTools(automations))


def create_automations(
    registry: Registry,
    browser: Browser,
    runs: "Callable[[], Runs]",
    journal: "Callable[[], Journal]",
    home: str,
) -> "Automations":
    """Create the automations, whose folders are in the project's and in the home directory's."""
    from gemini.automations.automations import FOLDER, Automations

    folders = [Path(root, FOLDER) for root in (home, ENVIRONMENT["HOME"])]
    return Automations(registry, browser, runs, journal, folders)


def wire_eyes(
    registry: Registry,
    browser: Browser,
    host: HostBackend,
    runs: "Callable[[], Runs]",
    file: Callable[[str], Path],
) -> None:
    """Register the tools for pictures and for the user's browser. What they use is loaded on first use."""

    @cache
    def screen() -> "Screen":
        from gemini.eyes.screen import Screen

        return Screen(browser.ask_owner)

    @cache
    def pictures() -> "Pictures":
        from gemini.eyes.pictures import Pictures

        return Pictures(lambda: runs().selection, lambda: runs().clock, payer(runs), file)

    registry.add_room(EyeTools(browser, screen, pictures))
    registry.add_room(PersonalTools(browser.ask_owner, host.ask_companion))
    registry.add_room(CalendarTools(ffi.time_zone, host.ask_companion))
    registry.add_room(PanelCalendarTools(ffi.time_zone, host.ask_companion))

    @cache
    def photos() -> "PhotoLibrary":
        from gemini.personal.photos import PhotoLibrary

        return PhotoLibrary()

    registry.add_room(PhotoTools(photos))
    registry.add_room(PanelPhotoTools(photos))


def wire_chats(
    registry: Registry, chats: "Callable[[], Chats]", downloads: Downloads, mentions: Mentions
) -> None:
    """Register the chat panel's actions."""
    registry.add_room(ChatTools(chats, registry.events, downloads, ffi.fetch_upload, mentions))


def wire_mentions(
    registry: Registry,
    teams: "Callable[[], Teams]",
    search: "Callable[[], Search]",
    browser: Browser,
    home: str,
) -> Mentions:
    """Create the mentions of agents, files and tabs."""

    async def agents() -> dict[str, str]:
        found = await teams().files.read()
        return {name: agent.role for name, agent in found.agents.items()}

    async def files(part: str, most: int) -> list[str]:
        found, _ = await search().find(part, ("file", "folder"), most)
        return [each.key for each in found]

    def tabs() -> dict[str, str]:
        return {row["id"]: row["title"] or row["url"] for row in browser.rows()}

    def on_names() -> None:
        registry.consent.note_untrusted("mentions", "the names of mentioned files")

    mentions = Mentions(agents, files, tabs, home, on_names)
    registry.add_room(MentionTools(mentions))
    return mentions


async def voice_of(teams: "Callable[[], Teams]", name: str) -> Voice:
    """Return an agent as it answers in chats."""
    from gemini.team.files import is_provided

    found = (await teams().files.read()).get(name)
    origin = None if is_provided(found) else found.path
    return Voice(name, found.prompt, origin, found.model, found.tools, found.python == "own")


def create_teams(
    runs: "Runs", registry: Registry, store: "TeamStore", home: str, questions: Questions
) -> "Teams":
    """Create the teams of agents. Their files are in the project's and in the home directory's folder."""
    from gemini.team.teams import Teams

    teams = Teams(runs, registry, store, [Path(root, AGENTS) for root in (home, ENVIRONMENT["HOME"])])
    questions.on_wait(teams.note_consent)
    teams.on_change(lambda _: registry.events.publish(TeamsChanged()))
    return teams


def wire_schedules(
    registry: Registry,
    store: "Callable[[], Store]",
    memories: Memories,
    rooms: "Rooms",
    feed: RunFeed,
) -> Questions:
    """Register the tools of schedules and the inbox; return the questions that runs wait for."""
    runs, teams, schedules = rooms
    questions = Questions(store, registry.events)
    registry.add_room(ScheduleTools(schedules))
    registry.add_room(PanelScheduleTools(schedules))
    registry.add_room(InboxTools(questions, runs, teams, memories, schedules, feed.away))
    return questions


def create_schedules(
    store: "Store", teams: "Teams", runs: "Runs", registry: Registry, questions: Questions
) -> "Schedules":
    """Create the schedules. Their packages are loaded with the first one."""
    from gemini.schedules.scheduler import Scheduler
    from gemini.schedules.schedules import Schedules

    saved = store.schedules
    scheduler = Scheduler(saved, teams, runs.clock, registry.events, questions.runs)
    return Schedules(saved, scheduler, teams, runs, registry, ffi.time_zone)


def start_clock(
    store: "Store", schedules: "Callable[[], Schedules]", report: Callable[[GeminiError], None]
) -> None:
    """Start the scheduler if there is anything to do."""
    try:
        if store.schedules.exist():
            schedules().scheduler.start()
    except GeminiError as error:
        report(error)
