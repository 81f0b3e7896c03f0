"""The file tools, with unusual names and paths."""

from __future__ import annotations

import datetime
import shlex
from typing import Any

import pytest

from gemini_testing import Surface, ToolCallFailed
from tests.tiers import sampled

NAMES = [
    "two words.txt",
    "line\nbreak.txt",
    "tab\tand 'quotes\".txt",
    "-rf",
    "emoji 🐍.txt",
    "größe.txt",
    "$HOME.txt",
    "*.txt",
    ".hidden",
]


def failure(surface: Surface, tool: str, /, **arguments: Any) -> ToolCallFailed:
    with pytest.raises(ToolCallFailed) as failed:
        surface.call(tool, **arguments)
    return failed.value


@pytest.mark.parametrize("name", sampled(NAMES))
def test_names_with_any_characters_work_everywhere(surface: Surface, folder: str, name: str) -> None:
    path = f"{folder}/{name}"
    assert surface.call("file_write", path=path, content="old text") == {"size": 8}
    assert surface.call("file_edit", path=path, old="old", new="new") == {"replacements": 1}
    assert surface.call("file_read", path=path)["content"] == "new text"
    assert [row["name"] for row in surface.call("file_list", path=folder)] == [name]
    assert [row["path"] for row in surface.call("file_find", pattern="*", path=folder)] == [path]
    quoted = shlex.quote(f"./{name}")
    shell = surface.call("terminal_execute", command=f"cd {folder} && cat {quoted} && ls -A | wc -c")
    assert shell["output"].startswith("new text")


def test_a_row_describes_a_file(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/run.sh", content="echo hi\n")
    surface.call("terminal_execute", command=f"chmod 750 {folder}/run.sh; mkdir {folder}/inner")
    inner, script = surface.call("file_list", path=folder)

    assert (inner["name"], inner["type"]) == ("inner", "directory")
    assert (script["name"], script["size"], script["permissions"]) == ("run.sh", 8, "rwxr-x---")
    assert inner["color"].startswith("#") and inner["color"] != script["color"]
    assert (inner["x"], inner["y"]) != (script["x"], script["y"])
    modified = datetime.datetime.fromisoformat(script["modified"])
    assert abs(datetime.datetime.now(datetime.UTC) - modified) < datetime.timedelta(minutes=5)


def test_a_new_surface_has_sample_files(surface: Surface) -> None:
    names = {row["name"] for row in surface.call("file_list", path="/project")}
    assert {"README.md", "report.py", "app.log"} <= names

    report = surface.call("terminal_execute", command="cd /project && python report.py")
    assert report["exit_code"] == 1
    assert "app.log: 9 lines" in report["output"]


@pytest.mark.extended
def test_files_survive_until_the_next_visit(surface: Surface) -> None:
    surface.reload(fresh=True)
    before = surface.call("file_list", path="/project")
    surface.reload()

    assert surface.call("file_list", path="/project") == before
    assert {"README.md", "report.py", "app.log"} <= {row["name"] for row in before}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.log", ["a.log", "deep/er/c.log"]),
        ("deep/*", ["deep/b.py", "deep/er"]),
        ("**/*.log", ["a.log", "deep/er/c.log"]),
        ("*.{py,log}", ["a.log", "deep/b.py", "deep/er/c.log"]),
        ("[ab].*", ["a.log", "deep/b.py"]),
        ("nothing*", []),
    ],
)
def test_files_are_found_by_globs(surface: Surface, folder: str, pattern: str, found: list[str]) -> None:
    for path in ("a.log", "deep/b.py", "deep/er/c.log"):
        surface.call("file_write", path=f"{folder}/{path}", content="")
    rows = surface.call("file_find", pattern=pattern, path=folder)

    assert sorted(row["path"] for row in rows) == [f"{folder}/{path}" for path in found]


def test_a_relative_path_starts_at_the_terminal_s_directory(surface: Surface, folder: str) -> None:
    surface.call("terminal_execute", command=f"cd {folder}")
    surface.call("file_write", path="note.txt", content="here")

    assert surface.call("file_read", path=f"{folder}/note.txt")["content"] == "here"
    surface.call("terminal_execute", command="cd /project")


def test_binary_content_is_returned_as_base64(surface: Surface, folder: str) -> None:
    surface.python(f"open({folder!r} + '/b', 'wb').write(bytes([0, 159, 146, 150]))")

    assert surface.call("file_read", path=f"{folder}/b") == {
        "content": "AJ+Slg==",
        "encoding": "base64",
        "size": 4,
        "truncated": False,
    }


def test_a_file_is_read_in_parts_without_splitting_a_character(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/t", content="aü🐍b")
    parts, offset = [], 0
    while True:
        part = surface.call("file_read", path=f"{folder}/t", offset=offset, max_bytes=4)
        parts.append(part["content"])
        if not part["truncated"]:
            break
        offset = part["next_offset"]

    assert parts == ["aü", "🐍", "b"]


def test_an_edit_of_a_repeated_text_reports_the_count(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/t", content="one\ntwo\none\n")
    failed = failure(surface, "file_edit", path=f"{folder}/t", old="one", new="1")

    assert failed.type == "AmbiguousEdit"
    assert failed.data == {"count": 2, "lines": [1, 3]}
    assert surface.call("file_read", path=f"{folder}/t")["content"] == "one\ntwo\none\n"


def test_an_edit_of_a_missing_text_reports_the_closest_line(surface: Surface, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/t", content="colour = red\n")
    failed = failure(surface, "file_edit", path=f"{folder}/t", old="color = red", new="")

    assert failed.type == "EditMissing"
    assert failed.hint and "colour = red" in failed.hint


# Leads out of the tree from any directory that another test has shown.
ABOVE = "../" * 12


@pytest.mark.parametrize(
    ("tool", "arguments"),
    sampled(
        [
            ("file_read", {"path": f"{ABOVE}etc/passwd"}),
            ("file_list", {"path": "/project/../.."}),
            ("file_write", {"path": f"{ABOVE}up.txt", "content": ""}),
            ("file_navigate", {"path": "/../"}),
            ("file_find", {"pattern": "*", "path": ABOVE}),
        ],
        every=4,
    ),
)
def test_a_path_that_leaves_the_tree_is_refused(
    surface: Surface, tool: str, arguments: dict[str, str]
) -> None:
    assert failure(surface, tool, **arguments).type == "PathOutsideTree"


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    sampled(
        [
            ("file_read", {"path": "inner"}, "NotAFile"),
            ("file_write", {"path": "inner", "content": ""}, "NotAFile"),
            ("file_write", {"path": "new/", "content": ""}, "NotAFile"),
            ("file_edit", {"path": "inner", "old": "a", "new": "b"}, "NotAFile"),
            ("file_list", {"path": "file"}, "NotADirectory"),
            ("file_navigate", {"path": "file"}, "NotADirectory"),
            ("file_find", {"pattern": "*", "path": "file"}, "NotADirectory"),
            ("file_read", {"path": "file/below"}, "NotADirectory"),
            ("file_write", {"path": "file/below", "content": ""}, "NotADirectory"),
            ("file_read", {"path": "missing"}, "FileMissing"),
            ("file_edit", {"path": "missing", "old": "a", "new": "b"}, "FileMissing"),
            ("file_list", {"path": "missing"}, "FileMissing"),
            ("file_find", {"pattern": "*", "path": "missing"}, "FileMissing"),
            ("file_read", {"path": "broken"}, "BrokenLink"),
            ("file_list", {"path": "broken"}, "BrokenLink"),
            ("file_edit", {"path": "broken", "old": "a", "new": "b"}, "BrokenLink"),
            ("file_read", {"path": "round"}, "LinkLoop"),
            ("file_write", {"path": "round", "content": ""}, "LinkLoop"),
            ("file_list", {"path": "round/below"}, "LinkLoop"),
            ("file_read", {"path": "nul\0byte"}, "FileProblem"),
            ("file_read", {"path": ""}, "FileProblem"),
            ("file_read", {"path": "x" * 5_000}, "FileProblem"),
        ],
        every=7,
    ),
)
def test_a_path_that_can_not_be_used_is_a_typed_error(
    surface: Surface, folder: str, tool: str, arguments: dict[str, str], kind: str
) -> None:
    made = "mkdir inner; touch file; ln -s nowhere broken; ln -s around round; ln -s round around"
    surface.call("terminal_execute", command=f"cd {folder}; {made}")
    failed = failure(surface, tool, **arguments)
    surface.call("terminal_execute", command="cd /project")

    assert failed.type == kind
    assert failed.message


def test_broken_links_are_listed(surface: Surface, folder: str) -> None:
    surface.call(
        "terminal_execute", command=f"cd {folder}; ln -s nowhere broken; ln -s self self; cd /project"
    )
    rows = {row["name"]: row for row in surface.call("file_list", path=folder)}

    assert rows["broken"]["link_target"] == "nowhere"
    assert rows["self"]["link_target"] == "self"
    assert len(surface.call("file_find", pattern="*", path=folder)) == 2


def test_a_link_loop_of_directories_is_searched_once(surface: Surface, folder: str) -> None:
    surface.call("terminal_execute", command=f"mkdir {folder}/a; touch {folder}/a/f; ln -s .. {folder}/a/up")

    assert [row["path"] for row in surface.call("file_find", pattern="f", path=folder)] == [f"{folder}/a/f"]


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("file_read", {"path": "@"}, "FileProblem"),
        ("file_write", {"path": "@.txt", "content": ""}, "FileProblem"),
        ("file_write", {"path": "/project/t.txt", "content": "a@"}, "InvalidArguments"),
        ("file_find", {"pattern": "@*"}, "FileProblem"),
        ("file_edit", {"path": "/project/README.md", "old": "@", "new": ""}, "InvalidArguments"),
    ],
)
def test_a_lone_surrogate_is_a_typed_error(
    surface: Surface, tool: str, arguments: dict[str, str], kind: str
) -> None:
    # WebDriver's protocol can't carry a lone surrogate.
    answer = surface.javascript(
        """
        const [name, given] = arguments;
        const input = JSON.parse(JSON.stringify(given).replaceAll("@", String.raw`\\ud800`));
        const tool = (await document.modelContext.getTools()).find((tool) => tool.name === name);
        return JSON.parse(await document.modelContext.executeTool(tool, input));
        """,
        tool,
        arguments,
    )

    assert answer["isError"]
    assert answer["error"]["type"] == kind
    assert "lone surrogate" in answer["error"]["message"]


@pytest.mark.extended
def test_a_lone_surrogate_in_a_command_leaves_the_terminal_usable(surface: Surface, terminal: str) -> None:
    answer = surface.javascript(
        "return gemini.callTool('terminal_execute', { command: 'echo a' + String.fromCharCode(0xd800) + 'b' })"
    )

    assert "output" in answer or answer["error"]["type"] != "ToolFailed"
    assert surface.call("terminal_execute", terminal_id=terminal, command="echo fine")["output"] == "fine\n"


@pytest.mark.extended
def test_ten_thousand_files_are_found_and_listed(surface: Surface, folder: str) -> None:
    surface.python(f"[open(f'{folder}/{{n}}.txt', 'w').close() for n in range(10_000)]")

    found = surface.javascript(
        "return gemini.callTool('file_find', arguments[0])", {"pattern": "*", "path": folder}
    )
    assert len(found) == 10_000
    listed = surface.javascript("return gemini.callTool('file_list', arguments[0])", {"path": folder})
    assert len(listed) == 10_000
    surface.python(f"__import__('shutil').rmtree({folder!r})")
