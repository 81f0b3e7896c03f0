"""The embedded shell prints what bash and Debian's programs print, script by script."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

from .corpora import BLOCKS, DATA, EVERYDAY, OF_SHELLS, SEEN, UNSEEN, Corpus
from .page import in_page

# Into how many tests a corpus is divided; the first of those that run always does.
SHARES = {UNSEEN.name: 1, BLOCKS.name: 16, SEEN.name: 8, EVERYDAY.name: 3, DATA.name: 2}
ALWAYS = (UNSEEN, BLOCKS)
TESTS = [
    pytest.param(
        corpus,
        share,
        id=f"{corpus.name}-{share}",
        marks=[] if corpus in ALWAYS and share == 0 else pytest.mark.extended,
    )
    for corpus in OF_SHELLS
    for share in range(SHARES[corpus.name])
]


@pytest.mark.parametrize(("corpus", "share"), TESTS)
def test_scripts_print_what_they_print_in_debian(surface: Surface, corpus: Corpus, share: int) -> None:
    cases = corpus.cases()[share :: SHARES[corpus.name]]
    wrong = [
        f"{case.title}\n  {answer}\n  {case.answer} {case.differs}"
        for case, answer in zip(cases, in_page(surface, corpus, cases), strict=True)
        if not case.is_right(answer)
    ]
    assert not wrong, "\n".join(wrong)
