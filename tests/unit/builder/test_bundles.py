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
