"""Code mode: the modules, the sessions of clients, and the search for functions."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, cast

from gemini.code_mode import finding, modules, stubs
from gemini.code_mode.modules import Known, Provider
from gemini.code_mode.session import Session, call_tool, current_session
from gemini.code_mode.signatures import Function
from gemini.computer.python.console import PythonConsole
from gemini.computer.python.transcript import Transcript
from gemini.tools.calls import Call, current_call
from gemini.tools.content import Content
from gemini.tools.registry import Registry

# At the limit, the session ends that was used longest ago.
MAX_SESSIONS = 16
Saved = Mapping[str, Mapping[str, list[str]]]


class CodeMode:
    """The modules of code mode, and a session for each client and each agent's run.

    Args:
        registry: The tools.
        transcript: Shows the user what ran.
        make_console: Makes the console of a session.
        save: Saves what to say if a reload ends the sessions: `{session: {names, files}}`.
        providers: The modules of tools that the registry doesn't have, by name.
    """

    def __init__(
        self,
        registry: Registry,
        transcript: Transcript,
        make_console: Callable[[], PythonConsole],
        save: Callable[[dict[str, Any]], None],
        providers: Mapping[str, Provider],
    ) -> None:
        self._registry, self._transcript, self._make_console, self._save = (
            registry,
            transcript,
            make_console,
            save,
        )
        self._providers = providers
        self._sessions: dict[str, Session] = {}
        self._lost: dict[str, dict[str, list[str]]] = {}
        self._saved: dict[str, dict[str, list[str]]] = {}
        self._uses = Counter[str]()
        self._listed: dict[str, tuple[object, Known]] = {}
        self._are_written = False
        registry.on_change(self._forget)

    def restore(self, saved: Any) -> None:
        """Restore what an earlier kernel has saved; anything of another form is ignored."""
        rows = cast("dict[str, Any]", saved) if isinstance(saved, dict) else {}
        self._lost = {key: row for key, row in rows.items() if _is_record(row)}
        self._saved = dict(self._lost)

    async def run(self, code: str, timeout_s: float) -> Content:
        """Run code in the session of the call's client; see `Session.run`."""
        call = current_call()
        for provider in self._providers.values():
            await provider.prepare()
        key = _key(call)
        session = self._session(key)
        number = self._registry.log.next_id()
        try:
            return await session.run(
                code, call, timeout_s, self._registry.results_folder / f"run-{number}.txt"
            )
        finally:
            self._remember(key, session)

    async def find(self, query: str) -> str:
        """Return the functions that fit a query, or the modules; see `finding`."""
        call = current_call()
        off = self._switched_off("" if call is None else call.caller)
        notes = dict.fromkeys(off, " (the user has switched it off)")
        for name, provider in self._providers.items():
            await provider.prepare(with_tools=bool(query.strip()) and name not in off)
        self._write_stubs()
        if query.strip():
            every: list[Function] = [each for functions in self._functions.values() for each in functions]
            allowed = [each for each in every if call is None or _allows(call, each.tool)]
            for name, provider in self._providers.items():
                if call is None or _allows(call, provider.tool):
                    allowed += [
                        each for functions in self._known(name, provider).values() for each in functions
                    ]
            return finding.find(allowed, query, self._uses, notes)
        listed: dict[str, tuple[str, Sequence[str]]] = {
            name: (modules.about(name), [each.name for each in functions])
            for name, functions in self._functions.items()
        }
        for name, provider in self._providers.items():
            listed[name] = (provider.about, list(modules.place_names(provider))[:10])
        return finding.modules_text(listed, notes)

    def modules(self) -> Mapping[str, ModuleType]:
        """Return the modules by name, and write their stubs if they have changed."""
        self._write_stubs()
        return self._modules

    def _switched_off(self, caller: str) -> set[str]:
        """Return the modules whose tools the user has switched off for a caller."""
        groups = {group: name for group, (name, _, _) in modules.GROUPS.items() if group != "dom_extra"}
        groups |= {group: group for group in modules.PROVIDED}
        return {name for group, name in groups.items() if self._registry.groups.is_off(group, caller)}

    def end(self, key: str) -> None:
        """End the session of a client or of an agent's run, if it has one."""
        session = self._sessions.pop(key, None)
        if session is not None:
            session.end()
        if self._saved.pop(key, None) is not None:
            self._save(self._saved)

    def _session(self, key: str) -> Session:
        session = self._sessions.pop(key, None)
        if session is None:
            lost = self._lost.pop(key, None)
            session = Session(self._make_console(), self._transcript, self.modules, lost)
            idle = [name for name, each in self._sessions.items() if not each.running]
            if len(self._sessions) >= MAX_SESSIONS and idle:
                self.end(idle[0])
        self._sessions[key] = session
        return session

    def _remember(self, key: str, session: Session) -> None:
        if self._sessions.get(key) is not session:
            return
        record = session.record()
        if record != self._saved.get(key, {"names": [], "files": []}):
            self._saved.pop(key, None)
            self._saved = dict([*self._saved.items(), (key, record)][-MAX_SESSIONS:])
            self._save(self._saved)

    def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        path = self._paths.get(tool, tool)
        self._uses[path] += 1
        session = current_session()
        if session is not None:
            session.note(tool, arguments)
        return call_tool(lambda: self._registry.call_within(tool, arguments, current_call()))

    @cached_property
    def _functions(self) -> dict[str, list[Function]]:
        return modules.functions_of(self._registry)

    @cached_property
    def _paths(self) -> dict[str, str]:
        return {each.tool: each.path for functions in self._functions.values() for each in functions}

    @cached_property
    def _modules(self) -> dict[str, ModuleType]:
        made: dict[str, ModuleType] = {
            name: modules.CodeModule(name, modules.about(name), functions, self._call)
            for name, functions in self._functions.items()
        }
        return made | {name: modules.Places(name, provider) for name, provider in self._providers.items()}

    @cached_property
    def _stubs(self) -> dict[str, str]:
        """The texts of the stub files of the registry's tools."""
        return {
            name: stubs.stub(modules.about(name), functions) for name, functions in self._functions.items()
        }

    def _write_stubs(self) -> None:
        """Write the stub files, if any has changed."""
        known = {name: self._known(name, provider) for name, provider in self._providers.items()}
        if not self._are_written:
            places = {
                name: stubs.places_stub(provider.about, known[name])
                for name, provider in self._providers.items()
            }
            stubs.write(self._stubs | places)
            self._are_written = True

    def _known(self, name: str, provider: Provider) -> Known:
        """Return the functions that are known of a provider's module, made again when they have changed."""
        tools = provider.known()
        if name not in self._listed or self._listed[name][0] is not tools:
            self._listed[name] = (tools, modules.known_functions(name, provider))
            self._are_written = False
        return self._listed[name][1]

    def _forget(self) -> None:
        """Make the modules again, because the tools have changed."""
        for name in ("_functions", "_paths", "_modules", "_stubs"):
            vars(self).pop(name, None)
        self._are_written = False


def _key(call: Call | None) -> str:
    """Return the session that a call belongs to: an agent's run has its own."""
    if call is None:
        return "script"
    return f"run:{call.run}" if call.run is not None else call.caller


def _allows(call: Call, tool: str) -> bool:
    return call.provenance is None or call.provenance.allows(tool)


def _is_record(row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    lists = [cast("dict[str, Any]", row).get(name) for name in ("names", "files")]
    return all(
        isinstance(each, list) and all(isinstance(name, str) for name in cast("list[Any]", each))
        for each in lists
    )
