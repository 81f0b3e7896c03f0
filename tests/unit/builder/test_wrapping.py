"""Documents are wrapped at 120 columns, but for tables, code and links' targets."""

from builder.wrapping import WIDTH, long_lines, wrapped

LONG = "word " * 30
TABLE = f"| {LONG} |"
CODE = f"```\n{LONG}\n```"


def test_long_lines_of_prose_are_found() -> None:
    text = f"# Title\n\n{LONG}\n\n{TABLE}\n\n{CODE}\n\n- {LONG}\n  more\n"
    assert [number for number, _ in long_lines(text)] == [3, 11]


def test_a_links_target_does_not_count() -> None:
    line = "a" * 100 + f" [link]({'b' * 60})"
    assert list(long_lines(line)) == []


def test_a_paragraph_and_an_item_are_wrapped_and_the_rest_stays() -> None:
    before = f"Short,\nas it was.\n\n- {LONG}\n  `a {'b ' * 40}c` end\n\n{TABLE}\n\n{CODE}\n"
    after = wrapped(before)
    assert list(long_lines(after)) == []
    assert after.startswith("Short,\nas it was.\n\n- word")
    assert after.endswith(f"\n\n{TABLE}\n\n{CODE}\n")
    assert f"`a {'b ' * 40}c`" in after
    assert after.split() == before.split()
    assert all(line.startswith(("- ", "  ")) for line in after.split("\n")[3:6])
    assert max(map(len, after.split("\n")[3:6])) <= WIDTH
