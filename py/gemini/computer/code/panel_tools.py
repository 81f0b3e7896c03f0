"""The actions of the editor that change code. They run as tools, but only the user can call them."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from gemini.computer.code.packages import load_packages
from gemini.computer.files import texts
from gemini.errors import EditConflict
from gemini.tools import declare

Line = Annotated[int, Field(ge=1)]
Column = Annotated[int, Field(ge=0)]


class Renamed(TypedDict):
    """The files in which the name was replaced."""

    paths: list[str]


class CodeTools:
    """Changes of code in all files of a project.

    Args:
        absolute: Resolves a path.
        on_change: Called after files were changed.
    """

    def __init__(self, absolute: Callable[[str], str], on_change: Callable[[], None]) -> None:
        self._absolute = absolute
        self._on_change = on_change

    @declare(person_only=True, action="rename_name")
    async def panel_rename_name(self, path: str, line: Line, column: Column, name: str) -> Renamed:
        """Rename the Python name at a position of a saved file, in all files of its project.

        Args:
            path: The file.
            line: From 1.
            column: In characters, from 0.
            name: The new name.
        """
        await load_packages()
        from gemini.computer.code.analysis import Code

        target = self._absolute(path)
        changed = Code(target, texts.read(target)["content"]).rename(line, column, name)
        # All are read before one is written, so that a file which isn't editable changes none.
        before = {each: texts.read(each) for each in changed}
        done: list[str] = []
        try:
            for each, content in changed.items():
                read = before[each]
                lines = content.replace("\r\n", "\n")
                texts.save(each, lines, read["version"], read["line_ending"], read["bom"])
                done.append(each)
        except EditConflict as error:
            error.hint = (
                f"Renamed in {len(done)} of {len(changed)} files. File changes in Activity can revert it."
            )
            raise
        finally:
            self._on_change()
        return {"paths": done}
