"""The model for search by meaning on the device equals its reference: the tokens, and the vectors."""

from __future__ import annotations

import json
import random
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.meaning import model
from builder.npm import with_typescript
from builder.project import Project

ROOT = Path(__file__).parent.parent.parent
PROJECT = Project(ROOT)
REFERENCE = ROOT / "tests/meaning_reference.py"
LINES = 10_000
OF_FILES = 8_000
# Punctuation until Unicode 12: the reference has the tables of version 8, and a browser its own.
CHANGED = "\u166d"
SCRIPTS = (
    (0x20, 0x7F), (0xA0, 0x250), (0x370, 0x500), (0x590, 0x700), (0x900, 0xA00), (0xE00, 0xE80), (0x1E00, 0x2800),
    (0x3000, 0x3200), (0x4E00, 0xA000), (0xAC00, 0xD7A4), (0xF900, 0xFFF0), (0x20000, 0x20100), (0x1D400, 0x1D500),
    (0x01, 0x20),
)  # fmt: skip

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(not model.files(PROJECT), reason="`python3 build.py meaning` makes the model"),
]


def package() -> Path:
    [found] = model.environment(PROJECT).glob("lib/python*/site-packages")
    return found / model.PACKAGE / "model"


def reference(*arguments: str | Path) -> str:
    command = [model.environment(PROJECT) / "bin/python", REFERENCE, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=300).stdout


def of_files() -> Iterator[str]:
    for folder, ending in (("docs", "md"), ("py", "py"), ("web/ui", "ts")):
        for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
            yield from (line for line in path.read_text(encoding="utf-8").split("\n") if line.strip())


def rare(rng: random.Random) -> str:
    """Return a line of characters that Unicode 3.2 has, with words that are special or too long."""
    line = ""
    for _ in range(rng.randint(1, 12)):
        start, end = rng.choice(SCRIPTS)
        drawn = (chr(rng.randrange(start, end)) for _ in range(rng.randint(1, 8)))
        line += "".join(
            each for each in drawn if unicodedata.ucd_3_2_0.category(each) != "Cn" and each != CHANGED
        )
        line += rng.choice(["", " ", " ", "\u3000"])
    return line + rng.choice(["", "", " [SEP] a[MASK]b [cls]", " " + "ab" * rng.randint(45, 55)])


def test_the_tokens_of_10_000_lines_are_those_of_the_reference(tmp_path: Path) -> None:
    rng = random.Random(44)
    lines = rng.sample(list(of_files()), OF_FILES)
    lines += [rare(rng) for _ in range(LINES - OF_FILES)]
    listed = tmp_path / "lines.json"
    listed.write_text(json.dumps(lines), encoding="utf-8")

    expected = json.loads(reference("tokens", package(), listed))
    command = [*with_typescript(), ROOT / "tests/meaning_tokens.mjs", package() / "vocab.txt", listed]
    ours = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)

    different = [line for line, a, b in zip(lines, ours, expected, strict=True) if a != b]
    assert different == []
    assert len(ours) == LINES


def test_the_vectors_are_those_of_the_reference(tmp_path: Path) -> None:
    full = tmp_path / "full.onnx"
    graph = ROOT / "builder/meaning/graph.py"
    command = [
        model.environment(PROJECT) / "bin/python",
        graph,
        package() / "model.safetensors",
        full,
        "fp32",
    ]
    subprocess.run(command, check=True, timeout=120)
    passages = random.Random(44).sample(list(of_files()), 40)
    listed = tmp_path / "passages.json"
    listed.write_text(json.dumps(passages), encoding="utf-8")

    least = json.loads(reference("vectors", package(), listed, full, model.folder(PROJECT) / "minilm.onnx"))

    assert least["full.onnx"] >= 0.999
    assert least["minilm.onnx"] >= 0.99
