"""The grapheme clusters of a line. Their tables load with the first line that isn't ASCII."""

# Longer than any cluster that a user types; bounds the cost of one cursor step.
_MAX_CLUSTER = 64


def cluster_before(text: str, position: int) -> int:
    """Return the start of the cluster that ends at a position, or contains the character before it."""
    if _is_simple(text):
        return max(min(position, len(text)) - 1, 0)
    from wcwidth import grapheme_boundary_before

    return grapheme_boundary_before(text, position)


def cluster_after(text: str, position: int) -> int:
    """Return the end of the cluster that starts at a position."""
    following = text[position : position + _MAX_CLUSTER]
    if _is_simple(following):
        return position + len(following[:1])
    from wcwidth import iter_graphemes

    return position + len(next(iter_graphemes(following), ""))


def _is_simple(text: str) -> bool:
    """Return whether each character is a cluster. A carriage return may be one with a line feed."""
    return text.isascii() and "\r" not in text
