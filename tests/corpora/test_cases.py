"""The file format of the corpora, and what holds for each of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .cases import REMOVED, Answer, Case, read, write
from .corpora import ALL, Corpus

OUTPUTS = st.binary() | st.text(st.characters(codec="utf-8")).map(str.encode)
PATHS = st.text("abc ./é", min_size=1)
SCRIPTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1)
ANSWERS = st.builds(
    Answer,
    OUTPUTS,
    st.integers(0, 255),
    OUTPUTS,
    st.dictionaries(PATHS, OUTPUTS | st.just(REMOVED), max_size=3),
)
LINES = st.text("abc ~$>", max_size=9)
CASES = st.builds(Case, SCRIPTS, LINES, st.none() | ANSWERS, LINES)


@given(st.lists(CASES, unique_by=lambda case: case.title))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, cases: list[Case]) -> None:
    path = tmp_path_factory.getbasetemp() / "cases.txt"
    write(path, cases)
    assert read(path) == cases


def test_a_line_without_a_kind_and_a_second_case_of_a_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.txt"
    path.write_text("$ true\n? 0\nfalse\n")
    with pytest.raises(ValueError, match=r"cases.txt:3: the line has no kind: false"):
        read(path)
    path.write_text("$ true\n? 0\n\n$ true\n? 1\n")
    with pytest.raises(ValueError, match=r"twice: \['true'\]"):
        read(path)


def test_a_known_difference_that_is_gone_is_wrong() -> None:
    answer = Answer(b"a\n", 0)
    assert Case("echo a", answer=answer).is_right(answer)
    assert not Case("echo a", answer=answer, differs="a reason").is_right(answer)
    assert Case("echo a", answer=answer, differs="a reason").is_right(Answer(b"b\n", 0))


@pytest.mark.parametrize("corpus", ALL.values(), ids=list(ALL))
def test_each_case_has_an_answer(corpus: Corpus) -> None:
    assert [case.title for case in corpus.cases() if case.answer is None] == []
    assert corpus.cases()
