"""The widths and the clusters of characters, which don't load wcwidth's tables for ASCII."""

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import grapheme_boundary_before, iter_graphemes, wcwidth

from gemini.computer.shell.widths import width_of
from gemini.computer.terminal.clusters import cluster_after, cluster_before

TEXTS = st.text(st.sampled_from("ab \r\n\t\x7fé\u0301世👩\u200d🚀🇩🇪"), max_size=12)


@given(st.characters())
def test_a_width_is_that_of_wcwidth(character: str) -> None:
    assert width_of(character) == wcwidth(character)


def test_each_ascii_character_has_the_width_of_wcwidth() -> None:
    assert [width_of(chr(code)) for code in range(128)] == [wcwidth(chr(code)) for code in range(128)]


@given(TEXTS | TEXTS.map(lambda text: text.encode("ascii", "ignore").decode()), st.integers(0, 14))
def test_clusters_are_those_of_wcwidth(text: str, position: int) -> None:
    assert cluster_before(text, position) == grapheme_boundary_before(text, position)
    assert cluster_after(text, position) == position + len(next(iter_graphemes(text[position:]), ""))
