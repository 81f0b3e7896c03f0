"""The editor's questions about code. They aren't tools, because the log would fill with keystrokes."""

from typing import TYPE_CHECKING, Any

from gemini.computer.code.packages import load_packages
from gemini.core import ffi
from gemini.core.protocol import Params
from gemini.errors import GeminiError

if TYPE_CHECKING:
    from gemini.computer.code.analysis import Code


async def answer(params: Params) -> Any:
    """Answer a question of the editor.

    Args:
        params: `{about, path, text, line, column}`: `about` is `complete`, `signature`, `describe` or `define`; the
            line counts from 1, the column in characters from 0.
    """
    path, text, about = str(params["path"]), str(params["text"]), params["about"]
    place = int(params["line"]), int(params["column"])
    try:
        await load_packages()
        from gemini.computer.code.analysis import Code

        with ffi.own_load():
            return _answer(Code(path, text), str(about), place)
    except GeminiError as error:
        return error.as_json()


def _answer(code: "Code", about: str, place: tuple[int, int]) -> Any:
    match about:
        case "complete":
            return code.complete(*place)
        case "signature":
            return {"signature": code.signature(*place)}
        case "describe":
            return {"help": code.describe(*place)}
        case _:
            return {"place": code.define(*place)}
