"""Decides whether the console runs code, or waits for more of it."""

import ast
import codeop
import warnings


def is_complete(code: str) -> bool:
    """Return whether `code` can run as it is: nothing in it is open, and an empty line ends its last block."""
    # Imported here, because it is loaded after the start (builder/preinstall.py).
    from gemini.computer.python.magics import transform

    if transform.is_continued(code):
        return False
    python = transform.transform(code)
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if compiler(python, symbol="exec") is None:
                return False
            body = ast.parse(python).body
    except (SyntaxError, ValueError, OverflowError):
        # Running it shows the error.
        return True
    lines = code.split("\n")
    in_block = bool(body) and any(hasattr(body[-1], name) for name in ("body", "cases"))
    return not (in_block and lines[-1].strip() and lines[-1][0].isspace())
