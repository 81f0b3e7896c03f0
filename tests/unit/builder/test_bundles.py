"""The changes to the sources of packages."""

import pytest

from builder import bundles
from builder.problems import BuildProblem


def test_the_library_that_draws_reads_nodes_through_a_function() -> None:
    changed = bundles.unhidden("node.ownerDocument?.defaultView; child.style = node;" * 50)
    assert "unhidden(unhidden(node).ownerDocument)?.defaultView; unhidden(child).style = node;" in changed


def test_another_release_of_the_library_that_draws_is_refused() -> None:
    with pytest.raises(BuildProblem, match="reads nodes in 1 places"):
        bundles.unhidden("node.style")


def test_the_inputs_of_a_bundle_are_what_its_entry_imports() -> None:
    def module(*paths: str) -> dict[str, list[dict[str, str]]]:
        return {"imports": [{"path": path} for path in paths]}

    modules = {
        "one.ts": module("shared.ts", "fs"),
        "other.ts": module("shared.ts", "its.css"),
        "shared.ts": module("deep.ts"),
        "deep.ts": module("shared.ts"),
        "its.css": module(),
    }
    assert bundles.imported("one.ts", modules) == {"deep.ts", "one.ts", "shared.ts"}
    assert bundles.imported("other.ts", modules) == {"deep.ts", "its.css", "other.ts", "shared.ts"}
