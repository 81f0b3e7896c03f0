"""Find the command that runs a file or folder, or the page that shows it."""

import os
import re
import shlex

from typing_extensions import TypedDict

from gemini.errors import FileProblem

# The file of a folder that is run, the first one that exists.
MAIN_FILES = (
    "main.py",
    "__main__.py",
    "app.py",
    "run.py",
    "run.sh",
    "main.sh",
    "index.html",
    "main.js",
    "index.js",
)
PROGRAMS = {
    ".py": "python",
    ".sh": "bash",
    ".bash": "bash",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
}
PAGES = (".html", ".htm", ".svg")
TEST_FILE = re.compile(r"test_.*\.py|.*_test\.py")
TEST_NAME = re.compile(r"(Test\w*::)*test\w*")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Runnable(TypedDict):
    """The command for a terminal that runs a file, or the page to open. The other one is null."""

    path: str
    command: str | None
    page: str | None


def runnable(path: str, test: str | None = None) -> Runnable:
    """Return what runs a file, or the main file of a folder.

    Args:
        path: An absolute path.
        test: Only this test of a Python file, as pytest names it: `test_a`, `TestGroup::test_a`.

    Raises:
        FileProblem: Nothing runs it.
    """
    file = _main_file(path) if os.path.isdir(path) else path
    folder, name = os.path.split(file)
    # The command is typed into a terminal, where these would be keys, such as Ctrl-C and Enter.
    if CONTROL.search(file):
        raise FileProblem(
            f"{file!r} has control characters in its name", hint="Rename it.", data={"path": file}
        )
    suffix = os.path.splitext(name)[1].lower()
    if suffix in PAGES:
        return {"path": file, "command": None, "page": file}
    if test is not None and (suffix != ".py" or not TEST_NAME.fullmatch(test)):
        raise FileProblem(f"{name!r} has no test {test!r}", data={"path": file})
    program = "python -m pytest" if test or TEST_FILE.fullmatch(name) else PROGRAMS.get(suffix)
    if program is None:
        raise FileProblem(
            f"nothing here runs {name!r}",
            hint=f"Files that can be run end in {', '.join((*PROGRAMS, *PAGES))}.",
            data={"path": file},
        )
    # A name that starts with a dash would be an option.
    argument = (f"./{name}" if name.startswith("-") else name) + (f"::{test}" if test else "")
    return {
        "path": file,
        "command": f"cd {shlex.quote(folder)} && {program} {shlex.quote(argument)}",
        "page": None,
    }


def _main_file(folder: str) -> str:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise FileProblem(f"{folder!r} can't be read: {error}", data={"path": folder}) from error
    programs = [name for name in names if name.endswith(".py") and not TEST_FILE.fullmatch(name)]
    main = next((name for name in MAIN_FILES if name in names), None)
    if main is None and len(programs) == 1:
        main = programs[0]
    if main is None:
        raise FileProblem(
            f"{folder!r} has no file to run",
            hint=f"Add one of {', '.join(MAIN_FILES)}, or run a file in it.",
            data={"path": folder},
        )
    return os.path.join(folder, main)
