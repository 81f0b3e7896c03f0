"""When Enter runs code in the console."""

import pytest

from gemini.computer.python.completeness import is_complete

COMPLETE = [
    "",
    "x = 1",
    "await f()",
    "f(1,\n  2)",
    "x = [\n    1]",
    "for n in x: print(n)",
    "for n in x:\n    print(n)\n",
    "def f():\n    return 1\n    ",
    "def f():\n    return 1\nf()",
    "async with f() as g:\n    pass\n\n",
    "'''a\n  b'''",
    "x = ",
    "1 +",
    "'open",
    "return\x00",
    "!ls",
    "%time x",
    "x?",
    "!echo 'it\nx",
    "%%bash\nls\n",
]
INCOMPLETE = [
    "f(1,",
    "x = '''a\nb",
    "x = 1 \\",
    "for n in x:",
    "for n in x:\n    print(n)",
    "def f():\n    return 1",
    "match x:\n    case 1:\n        pass",
    "try:\n    x\n",
    "@cache",
    "if x:  # why",
    "async def f():\n    await g()",
    "!ls \\",
    "for n in x:\n    !echo {n}",
    "%%bash\nls",
    "%%time",
]


@pytest.mark.parametrize("code", COMPLETE)
def test_complete_code_runs(code: str) -> None:
    assert is_complete(code)


@pytest.mark.parametrize("code", INCOMPLETE)
def test_incomplete_code_waits(code: str) -> None:
    assert not is_complete(code)
