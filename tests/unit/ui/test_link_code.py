"""Files in an address: what a link holds, and what a hostile one can't."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled_module


def played(*given: dict[str, Any]) -> list[dict[str, Any]]:
    command = [
        find_node().node,
        Path(__file__).with_name("link_code.mjs"),
        compiled_module("ui/panels/files/link_code.ts").as_uri(),
        json.dumps(given),
    ]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def header(*files: Any, name: Any = "shop") -> str:
    return json.dumps({"name": name, "files": files}) + "\n"


def test_files_come_back_as_they_were() -> None:
    files = [["index.html", "<h1>Tea</h1>"], ["src/tee-größe.js", "let größe = 1;\n"], ["empty", ""]]
    [answer] = played({"files": files})
    assert (answer["name"], answer["files"]) == ("shop", files)
    assert answer["code"].replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(
    "path",
    [
        *("../evil", "/etc/passwd", "a/../../b", "", "a//b", ".bashrc", ".git/config", "a/.hidden", "a\\b"),
        *("a\nb", "a\u202egnp.exe", "a\u200bb", "a/" * 12 + "a", "x" * 101),
    ],
)
def test_names_that_hide_or_leave_the_folder_are_refused(path: str) -> None:
    answers = played({"deflate": header([path, 0])}, {"deflate": header(["a", 0], name=path)})
    assert all(answer.get("error", "").startswith("BadLink") for answer in answers)


def test_damaged_links_are_refused() -> None:
    [whole] = played({"files": [["a", "tea" * 40]]})
    answers = played(
        *({"code": code} for code in ("", "!", "A", "AAAA", whole["code"][:-4], whole["code"][4:])),
        *({"deflate": text} for text in ("", "{}", "[]\n", "null\n", '{"name": 1}\n', header())),
        {"deflate": header(["a", 5]) + "four"},
        {"deflate": header(["a", 3]) + "four"},
        {"deflate": header(["a", -1])},
        {"deflate": header(["a", "1"]) + "x"},
        {"deflate": header(["a", 1], ["a", 1]) + "xx"},
        {"deflate": header(*[[str(number), 0] for number in range(201)])},
    )
    assert [answer for answer in answers if not answer.get("error", "").startswith("BadLink")] == []


def test_a_short_link_with_much_content_is_refused_before_it_fills_memory() -> None:
    large, long = played({"zeros": 20_000_000}, {"code": "A" * 32_769})
    assert "larger than a link may have" in large["error"]
    assert "longer than 32 kB" in long["error"]
