"""The search for functions, by words and by use, in so few characters that a model can ask often."""

from collections import Counter
from collections.abc import Mapping, Sequence

from gemini.code_mode.signatures import REQUIRED, Argument, Function
from gemini.computer.code.packages import STUBS
from gemini.tools.words import SUBJECTS, stems, weighed

MAX_CHARACTERS = 1_500
# So many functions are described in full; the others by their signatures.
IN_FULL, LISTED = 2, 8
MAX_SIGNATURE, MAX_ABOUT, MAX_LINE = 200, 300, 150
# A word in a function's name says more than one in its description.
IN_NAME, IN_MODULE, IN_ABOUT = 3.0, 1.5, 1.0
SUBJECT_OF = {"browser": "dom", "terminal": "terminals", "screen": "eyes"}
# Words of queries, and those that the functions' names have for them.
MEANT = {
    "replace": "edit", "change": "edit", "modify": "edit", "start": "run", "shell": "execute", "command": "execute",
    "button": "click", "press": "click", "form": "fill", "picture": "screenshot", "save": "write", "open": "navigate",
    "glob": "find", "google": "search", "visit": "navigate", "enter": "type",
}  # fmt: skip
# So many uses count for a usual tool.
USUAL_USES = 20
# Values of examples, by the names of parameters.
SAMPLES = {
    "path": "'/project/report.csv'", "paths": "['/project/report.csv']", "command": "'ls -l'", "ref": "'e12'",
    "url": "'https://example.com'", "content": "'a,b\\n'", "old": "'teh'", "new": "'the'", "text": "'tea'",
    "pattern": "'*.py'", "query": "'tea'", "key": "'Enter'", "option": "'Tea'", "direction": "'down'",
    "terminal_id": "'term-1'", "task": "'Sum up report.csv'", "name": "'search'", "code": "'document.title'",
    "fields": "[{'label': 'Name', 'value': 'Ada'}]", "when": "'every day at 9'", "to_ref": "'e14'",
}  # fmt: skip
# The parameter of an example of a function that requires none.
USUAL = ("ref", "text", "query", "path", "url", "action")


def find(functions: Sequence[Function], query: str, uses: Counter[str], notes: Mapping[str, str]) -> str:
    """Return what fits a query: signatures, the best with docstrings and an example, and where to read more.

    Args:
        functions: The functions.
        query: Words, or a function's name.
        uses: How often each function was used, by its path.
        notes: What to say about modules, by name, such as that the user has switched one off.
    """
    best = ranked(functions, query, uses)
    if not best:
        return f"Nothing fits {query[:100]!r}. find() lists the modules; {STUBS} has all signatures."
    parts = [_in_full(each, notes) for each in best[:IN_FULL]]
    parts += [_line(each, notes) for each in best[IN_FULL:LISTED]]
    modules = dict.fromkeys(each.module.partition(".")[0] for each in best[:LISTED])
    end = f"More: {', '.join(f'{STUBS}/{name}.pyi' for name in list(modules)[:3])}"
    return _fit(parts, end)


def modules_text(modules: Mapping[str, tuple[str, Sequence[str]]], notes: Mapping[str, str]) -> str:
    """Return a line for each module: `{name: (about, names of functions)}`."""
    lines = [
        f"{name}: {about}{notes.get(name, '')} {', '.join(names)}".rstrip()
        for name, (about, names) in modules.items()
    ]
    room = (MAX_CHARACTERS - 200) // max(1, len(lines))
    lines = [line if len(line) <= room else f"{line[: room - 1]}…" for line in lines]
    return _fit(lines, f"find(words) has signatures; {STUBS}/NAME.pyi has all of a module.")


def ranked(functions: Sequence[Function], query: str, uses: Counter[str]) -> list[Function]:
    """Return the functions that fit a query, best first: a named one, then by words and by use."""
    named = [each for each in functions if query.strip() in (each.path, each.tool)]
    by_path = {each.path: each for each in functions if each not in named}
    words = query.lower().split()
    wanted = " ".join([query, *(MEANT[word] for word in words if word in MEANT)])
    # Tools that even short lists have are used most.
    usual = Counter({path: uses[path] + USUAL_USES * each.is_usual for path, each in by_path.items()})
    best = weighed({path: _words(each) for path, each in by_path.items()}, wanted, usual)
    return [*named, *(by_path[path] for path in best)]


def _words(function: Function) -> dict[str, float]:
    module = function.module.partition(".")[0]
    words = dict.fromkeys(stems(function.about), IN_ABOUT)
    subject = SUBJECTS.get(SUBJECT_OF.get(module, module), "")
    words |= dict.fromkeys(stems(subject), IN_MODULE) | dict.fromkeys(stems(module), IN_NAME)
    return words | dict.fromkeys(stems(function.name.replace("_", " ")), IN_NAME)


def example(function: Function) -> str:
    """Return a call of a function, with its required arguments or a usual one."""
    shown = [each for each in function.arguments if each.default is REQUIRED]
    shown = shown or [each for name in USUAL for each in function.arguments if each.name == name][:1]
    return f"{function.path}({', '.join(f'{each.name}={_sample(each)}' for each in shown)})"


def _sample(argument: Argument) -> str:
    if argument.type.startswith("Literal["):
        return argument.type[len("Literal[") :].split(",")[0].rstrip("]")
    by_type = {"int": "1", "float": "1", "bool": "True", "dict[str, Any]": "{}"}
    return (
        SAMPLES.get(argument.name)
        or by_type.get(argument.type)
        or ("[]" if "list" in argument.type else "'…'")
    )


def _in_full(function: Function, notes: Mapping[str, str]) -> str:
    lines = [f"{_short(function.call_text(), 2 * MAX_SIGNATURE)}{notes.get(function.module, '')}"]
    lines.append(f"    {_short(function.about, MAX_ABOUT)}")
    lines += [f"    {each.name}: {_short(each.about, MAX_LINE)}" for each in function.arguments if each.about]
    return "\n".join([*lines, f"    Example: {example(function)}"])


def _line(function: Function, notes: Mapping[str, str]) -> str:
    return f"{_short(function.call_text(), MAX_SIGNATURE)}{notes.get(function.module, '')}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _fit(parts: Sequence[str], end: str) -> str:
    """Return as many parts as fit, the first shortened if it alone is too long, and the end."""
    room = MAX_CHARACTERS - len(end) - 1
    text = _short(parts[0], room) if parts else ""
    for part in parts[1:]:
        if len(text) + len(part) + 1 <= room:
            text += f"\n{part}"
    return f"{text}\n{end}"
