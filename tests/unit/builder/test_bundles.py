"""The changes to the sources of packages."""

import pytest

from builder import bundles
from builder.problems import BuildProblem

AWAITED = "async function sn(e,t,n,r){vt(e,t,`${n} (pre-await)`);let s=await r();return s}"


def test_awk_waits_for_its_turn_before_each_node() -> None:
    changed = bundles.paced(f"function vt(){{}}{AWAITED}")

    assert changed.startswith("import { pace } from ")
    assert 'if(t==="awk"){const turn=pace();if(turn)await turn}let s=await r()' in changed


@pytest.mark.parametrize("source", ["function other(){}", AWAITED * 2], ids=["none", "two"])
def test_another_release_of_just_bash_is_refused(source: str) -> None:
    with pytest.raises(BuildProblem, match="places match, not 1"):
        bundles.paced(source)


def test_the_library_that_draws_reads_nodes_through_a_function() -> None:
    changed = bundles.unhidden("node.ownerDocument?.defaultView; child.style = node;" * 50)
    assert "unhidden(unhidden(node).ownerDocument)?.defaultView; unhidden(child).style = node;" in changed


def test_another_release_of_the_library_that_draws_is_refused() -> None:
    with pytest.raises(BuildProblem, match="reads nodes in 1 places"):
        bundles.unhidden("node.style")
