"""The modules of code mode: one for each group of tools, and those whose functions other providers name."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import ModuleType
from typing import Any, Protocol

from gemini.code_mode.functions import Call, bind, make, settle
from gemini.code_mode.signatures import Described, DescribedFunction, Function, ToolFunction, identifier
from gemini.code_mode.values import wrap
from gemini.tools.registry import Registry

# The module of each group, the prefix that its functions' names lose, and what it is for.
GROUPS = {
    "files": ("files", "file_", "The surface's files."),
    "terminals": ("terminal", "terminal_", "Terminals, and commands in them."),
    "dom": ("browser", "browser_", "Tabs, and the pages in them: look, click, type."),
    "dom_extra": ("browser", "browser_", "Tabs, and the pages in them: look, click, type."),
    "web": ("web", "web_", "Searches of the web, and its pages as text."),
    "agents": ("agents", "agent_", "Other agents."),
    "memory": ("memory", "memory_", "Facts from earlier runs."),
    "schedules": ("schedules", "schedule_", "Repeated runs of agents."),
    "automations": ("automations", "automation_", "Saved scripts."),
    "eyes": ("screen", "screen_", "Pictures, and the screen that the user shares."),
    "personal": ("personal", "personal_", "The user's calendar, contacts and photos."),
}
# Code has these already: Python itself, the search, and the functions of `site`.
WITHOUT = frozenset({"run", "find", "python_run", "page_tool"})
# Groups whose tools are functions of a provider's module.
PROVIDED = frozenset({"mcp"})
OWN_TOOLS = "tools"
OWN_ABOUT = "Tools that the user's scripts added."
# An error names so many functions or places: a server may have 2,000.
NAMED = 30


Known = Mapping[str, Sequence[DescribedFunction]]
"""The functions that are known of a provider's module, by the name of their place."""


class Provider(Protocol):
    """Tools that the registry doesn't have, in named places: a page in a tab, a server.

    Attributes:
        tool: The registry's tool that a call of theirs is a call of.
    """

    tool: str

    @property
    def about(self) -> str:
        """A line about the places."""
        ...

    async def prepare(self, *, with_tools: bool = False) -> None:
        """Read the names of the places, and with `with_tools` the tools of those that may list them without asking."""
        ...

    def known(self) -> Mapping[str, Sequence[Described]]:
        """Return the tools that are known without asking, by place: the same object until they change."""
        ...

    def places(self) -> Mapping[str, str]:
        """Return the title of each place by its name, which may be no identifier."""
        ...

    async def tools(self, place: str) -> Sequence[Described]:
        """Return the tools of a place. Raises a GeminiError if it is gone."""
        ...

    async def call(self, place: str, tool: str, arguments: dict[str, Any]) -> Any:
        """Call a tool, and return its value as JSON. Raises a GeminiError if it fails."""
        ...


class CodeModule(ModuleType):
    """A module that code can't change.

    Args:
        name: Its name.
        about: Its docstring.
        functions: Its functions.
        call: Calls a tool of the registry.
    """

    def __init__(self, name: str, about: str, functions: Sequence[Function], call: Call) -> None:
        super().__init__(name, about)
        vars(self)["__all__"] = [each.name for each in functions]
        vars(self).update({each.name: make(each, call) for each in functions})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.__name__} can't be changed; define {name} in your own code instead")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__name__} can't be changed")

    def __getattr__(self, name: str) -> Any:
        known = ", ".join(vars(self)["__all__"])
        raise AttributeError(f"{self.__name__} has no {name!r}; it has {known}")

    def __repr__(self) -> str:
        return f"<{self.__name__}: {self.__doc__} {', '.join(vars(self)['__all__'])}>"


class Places(ModuleType):
    """The module of a provider, such as `site`: its attributes are places, whose attributes are functions.

    Args:
        name: Its name.
        provider: Its tools.
    """

    _provider: Provider

    def __init__(self, name: str, provider: Provider) -> None:
        super().__init__(name, provider.about)
        vars(self)["_provider"] = provider

    @property
    def _names(self) -> dict[str, str]:
        return place_names(self._provider)

    def __getattr__(self, name: str) -> "Place":
        names = {} if name.startswith("__") else self._names
        if name not in names:
            known = some(names, name) or f"nothing now ({self._provider.about})"
            raise AttributeError(f"{self.__name__} has no {name!r}; it has {known}")
        return Place(f"{self.__name__}.{name}", names[name], self._provider)

    def __getitem__(self, place: str) -> "Place":
        """Return a place by its own name, which may be no identifier."""
        return Place(f"{self.__name__}[{place!r}]", place, self._provider)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.__name__} can't be changed")

    def __dir__(self) -> list[str]:
        return list(self._names)

    def __repr__(self) -> str:
        titles = self._provider.places()
        lines = [f"  {self.__name__}.{name}: {titles[place]}" for name, place in self._names.items()]
        return "\n".join([f"<{self.__name__}: {self._provider.about}>", *(lines or ["  nothing now"])])


class Place:
    """A place of a provider: a call of `place.name(…)` calls its tool.

    Args:
        path: What code writes for it.
        place: Its own name.
        provider: Its tools.
    """

    def __init__(self, path: str, place: str, provider: Provider) -> None:
        self._path, self._place, self._provider = path, place, provider

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def function(*values: Any, **named: Any) -> Any:
            return settle(f"{self._path}.{name}", self._call(name, values, named))

        function.__name__, function.__module__ = name, self._path
        return function

    async def _call(self, name: str, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
        found = described(self._path, await self._provider.tools(self._place))
        wanted = next((each for each in found if each.name == name), None)
        if wanted is None:
            known = some([each.name for each in found], name) or "no tools"
            raise AttributeError(f"{self._path} has no {name!r}; it has {known}")
        arguments = bind(wanted, values, named)
        return wrap(await self._provider.call(self._place, wanted.tool, arguments), wanted.kind)

    def __call__(self) -> Any:
        """Return the functions as rows `{function, about}`."""
        return settle(self._path, self._list())

    async def _list(self) -> Any:
        found = described(self._path, await self._provider.tools(self._place))
        return wrap([{"function": each.call_text(), "about": each.about} for each in found], "Function")

    def __repr__(self) -> str:
        return f"<{self._path}; {self._path}() lists its functions>"


def some(names: Iterable[str], wanted: str) -> str:
    """Return names for an error about one that isn't there: all, or of many the most similar ones."""
    every = list(names)
    if len(every) <= NAMED:
        return ", ".join(every)
    near = get_close_matches(wanted, every, NAMED, cutoff=0.5) or every[:NAMED]
    return f"{', '.join(near)}, and {len(every) - len(near):,} more"


def place_names(provider: Provider) -> dict[str, str]:
    """Return the places by the names that code has for them."""
    taken = dict[str, str]()
    for place in provider.places():
        taken[identifier(place, frozenset(taken))] = place
    return taken


def known_functions(name: str, provider: Provider) -> Known:
    """Return the functions that are known of a provider's module, by the name of their place."""
    known = provider.known()
    return {
        place: described(f"{name}.{place}", known[own])
        for place, own in place_names(provider).items()
        if own in known
    }


def described(path: str, tools: Sequence[Described]) -> list[DescribedFunction]:
    """Return the functions of a place, whose names are identifiers, and each once."""
    found = dict[str, DescribedFunction]()
    for tool in tools:
        name = identifier(tool.name, frozenset(found))
        found[name] = DescribedFunction(path, name, tool)
    return list(found.values())


def functions_of(registry: Registry) -> dict[str, list[Function]]:
    """Return the functions for the registry's tools by module."""
    found = dict[str, list[Function]]()
    for tool in registry:
        declared = tool.declaration
        if declared.person_only or declared.name in WITHOUT or declared.group in PROVIDED:
            continue
        module, prefix, _ = GROUPS.get(declared.group, (OWN_TOOLS, "", ""))
        functions = found.setdefault(module, [])
        name = identifier(declared.name.removeprefix(prefix), {each.name for each in functions})
        functions.append(ToolFunction(module, name, tool))
    return found


def about(module: str) -> str:
    """Return what a module of `functions_of` is for."""
    return next((line for name, _, line in GROUPS.values() if name == module), OWN_ABOUT)
