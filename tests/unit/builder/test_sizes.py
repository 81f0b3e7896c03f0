"""The check of the sizes of Python's modules and functions."""

from pathlib import Path

from builder.sizes import EXCEPTIONS, FUNCTION, MODULE, complaints, long_functions

LINE = "    value = 1\n"
LONG = f"def long():\n{LINE * (FUNCTION + 1)}"


def _complaints(folder: Path, source: str, exceptions: str = "") -> list[str]:
    """Return the complaints about py/sample.py."""
    for name, text in {"py/sample.py": source, EXCEPTIONS: exceptions}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return list(complaints(folder))


def test_a_long_function_and_a_long_module_are_found(tmp_path: Path) -> None:
    assert _complaints(tmp_path, LONG) == [
        "py/sample.py:long has 41 lines; split it into parts of at most 40"
    ]
    assert _complaints(tmp_path, "value = 1\n" * MODULE) == []
    assert _complaints(tmp_path, "value = 1\n" * (MODULE + 1)) == [
        "py/sample.py has 401 lines; split it into parts of at most 400"
    ]


def test_only_code_in_the_body_counts() -> None:
    signature = "def f(\n" + "".join(f"    a{n},\n" for n in range(FUNCTION)) + "):\n"
    prose = '    """Return nothing.\n\n    More.\n    """\n\n    # A reason.\n'
    assert list(long_functions(signature + prose + LINE * FUNCTION)) == []
    assert list(long_functions(signature + prose + LINE * (FUNCTION + 1))) == [("f", FUNCTION + 1)]
    text = '    text = """\n' + "\n" * FUNCTION + '    """\n'
    assert list(long_functions(f"def f():\n{text}")) == [("f", FUNCTION + 2)]


def test_functions_in_classes_and_functions_have_their_full_names() -> None:
    nested = "".join(f"        {line}\n" for line in LONG.splitlines())
    source = f"class A:\n    async def outer(self):\n{nested}"
    assert [name for name, _ in long_functions(source)] == ["A.outer", "A.outer.long"]


def test_an_exception_is_accepted_while_it_is_needed(tmp_path: Path) -> None:
    exceptions = '[functions]\n"py/sample.py:long" = "A table."\n'
    assert _complaints(tmp_path, LONG, exceptions) == []
    assert _complaints(tmp_path, "", exceptions) == [
        f"{EXCEPTIONS}: py/sample.py:long is short enough; remove it"
    ]
