"""Writes all-MiniLM-L6-v2 as ONNX from its weights: `graph.py SAFETENSORS TARGET [fp32]`, in a separate environment.

The model (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2, Apache-2.0) is BERT (Devlin et al. 2019,
https://arxiv.org/abs/1810.04805) with 6 layers of 384 numbers; the mean of its tokens' vectors, of length 1, is the
embedding. The graph is written by hand, because an exporter would need torch.

Weights are int8 with a scale for each row of the table of words, and for each column of the others. They are made
floats again when the model is loaded: activations in int8 would save a sixth of the time, but then a vector would
depend on the passages that are computed with it, and differ more from the reference's.
"""

import json
import struct
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

# This module's environment has these, .venv hasn't.
np: Any = import_module("numpy")
onnx: Any = import_module("onnx")

SIZE = 384
HEADS = 12
LAYERS = 6
EPSILON = 1e-12
OPSET = 17
IR_VERSION = 8
# The largest number of int8.
LARGEST = 127


class Graph:
    """The nodes and constants of a model.

    Args:
        weights: The model's arrays by name, as in its file.
        is_small: Whether weights are int8.
    """

    def __init__(self, weights: dict[str, Any], *, is_small: bool) -> None:
        self._weights = weights
        self._is_small = is_small
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, operator: str, inputs: list[str], name: str, **attributes: Any) -> str:
        """Add a node, and return the name of its output."""
        self._nodes.append(onnx.helper.make_node(operator, inputs, [name], name, **attributes))
        return name

    def constant(self, name: str, value: Any, kind: Any = np.float32) -> str:
        """Add a constant, and return its name."""
        self._constants[name] = np.array(value, dtype=kind, order="C")
        return name

    def _quantized(self, name: str, array: Any, axis: int) -> tuple[str, str]:
        scale = np.abs(array).max(axis=axis, keepdims=True) / LARGEST
        quantized = np.round(array / np.where(scale == 0, 1, scale))
        return self.constant(f"{name}.int8", quantized, np.int8), self.constant(f"{name}.scale", scale)

    def _weight(self, name: str, array: Any) -> str:
        if not self._is_small:
            return self.constant(name, array)
        quantized, scale = self._quantized(name, array, 0)
        cast = self.node("Cast", [quantized], f"{name}.cast", to=onnx.TensorProto.FLOAT)
        return self.node("Mul", [cast, scale], name)

    def linear(self, x: str, weights: str, name: str) -> str:
        """Add a layer of weights and a bias."""
        weight = self._weight(f"{name}.weight", self._weights[f"{weights}.weight"].T)
        product = self.node("MatMul", [x, weight], f"{name}.product")
        return self.node(
            "Add", [product, self.constant(f"{name}.bias", self._weights[f"{weights}.bias"])], name
        )

    def norm(self, x: str, weights: str, name: str) -> str:
        """Add a normalization of each token's vector."""
        gamma = self.constant(f"{name}.gamma", self._weights[f"{weights}.weight"])
        beta = self.constant(f"{name}.beta", self._weights[f"{weights}.bias"])
        return self.node("LayerNormalization", [x, gamma, beta], name, axis=-1, epsilon=EPSILON)

    def words(self) -> str:
        """Add the vectors of the tokens' words."""
        table = self._weights["embeddings.word_embeddings.weight"]
        if not self._is_small:
            return self.node("Gather", [self.constant("words.table", table), "input_ids"], "words")
        quantized, scale = self._quantized("words", table, 1)
        rows = self.node("Gather", [quantized, "input_ids"], "words.rows")
        cast = self.node("Cast", [rows], "words.cast", to=onnx.TensorProto.FLOAT)
        return self.node("Mul", [cast, self.node("Gather", [scale, "input_ids"], "words.scales")], "words")

    def embeddings(self) -> str:
        """Add words, positions and the type of tokens, which is always the first."""
        shape = self.node("Shape", ["input_ids"], "shape")
        length = self.node("Gather", [shape, self.constant("one", 1, np.int64)], "length")
        numbers = self.node("Range", [self.constant("zero", 0, np.int64), length, "one"], "numbers")
        table = self._weights["embeddings.position_embeddings.weight"]
        positions = self.node("Gather", [self.constant("positions.table", table), numbers], "positions")
        kind = self.constant("type", self._weights["embeddings.token_type_embeddings.weight"][0])
        placed = self.node("Add", [self.words(), positions], "placed")
        return self.norm(self.node("Add", [placed, kind], "typed"), "embeddings.LayerNorm", "embeddings")

    def attention(self, x: str, weights: str, name: str, bias: str) -> str:
        """Add the attention of each token to the others; `bias` excludes the padding."""

        def split(part: str, order: list[int]) -> str:
            made = self.linear(x, f"{weights}.self.{part}", f"{name}.{part}")
            heads = self.node("Reshape", [made, "heads"], f"{made}.heads")
            return self.node("Transpose", [heads], f"{made}.turned", perm=order)

        query, key = split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1])
        alike = self.node("MatMul", [query, key], f"{name}.alike")
        biased = self.node(
            "Add", [self.node("Mul", [alike, "scaling"], f"{name}.scaled"), bias], f"{name}.biased"
        )
        shares = self.node("Softmax", [biased], f"{name}.shares", axis=-1)
        mixed = self.node("MatMul", [shares, split("value", [0, 2, 1, 3])], f"{name}.mixed")
        turned = self.node("Transpose", [mixed], f"{name}.turned", perm=[0, 2, 1, 3])
        joined = self.node("Reshape", [turned, "joined"], f"{name}.joined")
        return self.linear(joined, f"{weights}.output.dense", f"{name}.output")

    def layer(self, x: str, number: int, bias: str) -> str:
        """Add a layer of BERT."""
        weights, name = f"encoder.layer.{number}", f"layer{number}"
        attended = self.attention(x, f"{weights}.attention", f"{name}.attention", bias)
        summed = self.node("Add", [attended, x], f"{name}.summed")
        x = self.norm(summed, f"{weights}.attention.output.LayerNorm", f"{name}.attended")
        inner = self.linear(x, f"{weights}.intermediate.dense", f"{name}.inner")
        # GELU: x / 2 · (1 + erf(x / √2)).
        error = self.node("Erf", [self.node("Mul", [inner, "root"], f"{name}.root")], f"{name}.erf")
        grown = self.node("Mul", [inner, self.node("Add", [error, "unit"], f"{name}.erf1")], f"{name}.grown")
        outer = self.linear(
            self.node("Mul", [grown, "half"], f"{name}.gelu"), f"{weights}.output.dense", f"{name}.outer"
        )
        return self.norm(self.node("Add", [outer, x], f"{name}.added"), f"{weights}.output.LayerNorm", name)

    def model(self) -> Any:
        """Return the complete model."""
        self.constant("heads", [0, 0, HEADS, SIZE // HEADS], np.int64)
        self.constant("joined", [0, 0, SIZE], np.int64)
        for name, value in (
            ("scaling", (SIZE // HEADS) ** -0.5),
            ("root", 0.5**0.5),
            ("unit", 1),
            ("half", 0.5),
        ):
            self.constant(name, value)
        mask = self.node("Cast", ["attention_mask"], "mask", to=onnx.TensorProto.FLOAT)
        without = self.node("Sub", [mask, "unit"], "without")
        excluded = self.node("Mul", [without, self.constant("excluded", 1e9)], "exclusion")
        bias = self.node("Unsqueeze", [excluded, self.constant("axes12", [1, 2], np.int64)], "bias")
        x = self.embeddings()
        for number in range(LAYERS):
            x = self.layer(x, number, bias)
        counted = self.node("Unsqueeze", [mask, self.constant("axis2", [2], np.int64)], "counted")
        axis = self.constant("axis1", [1], np.int64)
        masked = self.node("Mul", [x, counted], "masked")
        total = self.node("ReduceSum", [masked, axis], "total", keepdims=0)
        count = self.node("ReduceSum", [counted, axis], "count", keepdims=0)
        self.node("LpNormalization", [self.node("Div", [total, count], "mean")], "embedding", axis=-1, p=2)
        return self._finished()

    def _finished(self) -> Any:
        helper, kinds = onnx.helper, onnx.TensorProto
        inputs = [
            helper.make_tensor_value_info(name, kinds.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("embedding", kinds.FLOAT, ["batch", SIZE])
        constants = [onnx.numpy_helper.from_array(array, name) for name, array in self._constants.items()]
        graph = helper.make_graph(self._nodes, "minilm", inputs, [output], constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
        )
        onnx.checker.check_model(model)
        return model


def weights_of(path: Path) -> dict[str, Any]:
    """Return the arrays of a file of safetensors, by name (https://github.com/huggingface/safetensors#format)."""
    content = path.read_bytes()
    [size] = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    data = content[8 + size :]
    return {
        name: np.frombuffer(data[slice(*entry["data_offsets"])], np.float32).reshape(entry["shape"])
        for name, entry in header.items()
        if entry["dtype"] == "F32"
    }


if __name__ == "__main__":
    source, target, *options = sys.argv[1:]
    onnx.save(Graph(weights_of(Path(source)), is_small="fp32" not in options).model(), target)
