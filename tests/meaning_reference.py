"""The reference of the model for search by meaning: `meaning_reference.py tokens|vectors MODEL_PACKAGE LINES …`.

Runs in the environment of `build.py meaning`. `tokens` prints the ids of a JSON list of lines by the library
`tokenizers`; `vectors` prints the least cosine of each graph's vectors to those of BERT in float64, written
here from its paper with the weights' names, and not from the graph.
"""

import json
import struct
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# The environment has these, .venv hasn't.
np: Any = import_module("numpy")
onnxruntime: Any = import_module("onnxruntime")
tokenizers: Any = import_module("tokenizers")

MOST_TOKENS = 256
HEADS = 12
# The coefficients of erf, with an error below 1.2e-7 (Press et al., Numerical Recipes, 6.2).
ERFC = (-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806,
        0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277)  # fmt: skip
TEXTS = (
    "Which beverage does Ann like?",
    "tea",
    "def unquote(value: str) -> str:\n    return value[1:-1] if value[0] == value[-1] else value",
    "日本語のテキスト",
    "x" * 2_000,
    "word " * 600,
    "",
)


def tokenizer(package: Path) -> Any:
    """Return the tokenizer of the package, without its own limits."""
    found = tokenizers.Tokenizer.from_file(str(package / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


def weights(package: Path) -> dict[str, Any]:
    """Return the weights by name."""
    content = (package / "model.safetensors").read_bytes()
    [size] = struct.unpack("<Q", content[:8])
    entries = json.loads(content[8 : 8 + size])
    start = 8 + size
    return {
        name: np.frombuffer(
            content, np.float32, int(np.prod(entry["shape"])), start + entry["data_offsets"][0]
        )
        .reshape(entry["shape"])
        .astype(np.float64)
        for name, entry in entries.items()
        if entry.get("dtype") == "F32"
    }


def erf(x: Any) -> Any:
    """Return the error function."""
    t = 1 / (1 + np.abs(x) / 2)
    power = sum(coefficient * t**number for number, coefficient in enumerate(ERFC))
    return np.sign(x) * (1 - t * np.exp(-(x**2) + power))


def embedding(of: dict[str, Any], ids: list[int]) -> Any:
    """Return the vector of a text, of length 1."""

    def dense(x: Any, name: str) -> Any:
        return x @ of[f"{name}.weight"].T + of[f"{name}.bias"]

    def norm(x: Any, name: str) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / deviation * of[f"{name}.weight"] + of[f"{name}.bias"]

    x = of["embeddings.word_embeddings.weight"][ids] + of["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + of["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    size = x.shape[1] // HEADS
    for number in range(6):
        layer = f"encoder.layer.{number}"
        parts = [dense(x, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")]
        heads = []
        for head in range(HEADS):
            q, k, v = (part[:, head * size : (head + 1) * size] for part in parts)
            scores = np.exp(q @ k.T / np.sqrt(size))
            heads.append(scores / scores.sum(-1, keepdims=True) @ v)
        attended = dense(np.concatenate(heads, -1), f"{layer}.attention.output.dense")
        x = norm(attended + x, f"{layer}.attention.output.LayerNorm")
        inner = dense(x, f"{layer}.intermediate.dense")
        inner = inner / 2 * (1 + erf(inner / np.sqrt(2)))
        x = norm(dense(inner, f"{layer}.output.dense") + x, f"{layer}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def cosines(package: Path, graphs: list[str], texts: list[str]) -> dict[str, float]:
    """Return by graph the least cosine of its vectors to the reference's."""
    encoder, of = tokenizer(package), weights(package)
    encoder.enable_truncation(MOST_TOKENS)
    encoded = [encoder.encode(text).ids for text in texts]
    expected = [embedding(of, ids) for ids in encoded]
    found: dict[str, float] = {}
    for graph in graphs:
        session = onnxruntime.InferenceSession(graph)
        least = 1.0
        for ids, vector in zip(encoded, expected, strict=True):
            given = np.array([ids], np.int64)
            [made] = session.run(None, {"input_ids": given, "attention_mask": np.ones_like(given)})
            least = min(least, float(made[0] @ vector / np.linalg.norm(made[0])))
        found[Path(graph).name] = least
    return found


if __name__ == "__main__":
    what, folder, *rest = sys.argv[1:]
    if what == "tokens":
        listed = json.loads(Path(rest[0]).read_text(encoding="utf-8"))
        print(json.dumps([each.ids for each in tokenizer(Path(folder)).encode_batch(listed)]))
    else:
        passages = json.loads(Path(rest[0]).read_text(encoding="utf-8"))
        print(json.dumps(cosines(Path(folder), rest[1:], [*TEXTS, *passages])))
