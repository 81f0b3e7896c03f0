"""Names of models for display."""

import re


def shown_name(model: str) -> str:
    """Return a model's name for display: llama.cpp lists a model by the path of its file."""
    return re.split(r"[/\\]", model)[-1].removesuffix(".gguf") if model.endswith(".gguf") else model
