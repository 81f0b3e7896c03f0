"""The words for a user whose model has too small a window."""

LARGER = "Use a model with a larger context."
# By the server's program, as `gemini.models.providers.forms.About` names it.
FLAGS = {
    "llama.cpp": "Start it with a larger -c, such as llama-server -c 8192; its slots (-np) share that.",
    "ollama": "Start it with a larger OLLAMA_CONTEXT_LENGTH, such as 8192.",
    "lmstudio": "Load the model with a larger context length.",
    "vllm": "Start it with a larger --max-model-len, such as 8192.",
}


def hint_of(server: str | None) -> str:
    """Return how to get a larger window from a server."""
    return FLAGS.get(server or "", LARGER)


def too_small(needed: int, window: int) -> str:
    """Return the sentence about a window that is too small.

    Args:
        needed: The tokens that are needed, about.
        window: The tokens that there are.
    """
    return f"this needs about {needed:,} tokens, and the model's context has {window:,}"
