"""Runs scripts in the embedded shell of a page."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Sequence
from typing import Any

from gemini_testing import Surface

from . import conductor
from .cases import Answer, Case
from .corpora import FOLDER, MODIFIED_S, Corpus

BATCH = 40
TIMEOUT_S = 30
IN_BROWSER = """
import json, tempfile
from gemini.computer.shell.embedded import ShellBackend

async def run_cases(request):
    return await conduct(ShellBackend(), tempfile.mkdtemp(), json.loads(request))
"""


def in_page(surface: Surface, corpus: Corpus, cases: Sequence[Case]) -> Iterator[Answer]:
    """Run cases of a corpus, and yield the answer of each."""
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    for start in range(0, len(cases), BATCH):
        request = json.dumps(_request(corpus, [case.script for case in cases[start : start + BATCH]]))
        for result in surface.python(f"await run_cases({request!r})"):
            stdout = result["stdout"].encode("latin-1").replace(result["directory"].encode(), FOLDER)
            yield Answer(stdout, result["exit_code"])


def _request(corpus: Corpus, scripts: list[str]) -> dict[str, Any]:
    return {
        "files": corpus.files(),
        "setup": corpus.setup.read_text() if corpus.setup else "",
        "modified": MODIFIED_S,
        "before": corpus.before,
        "service": corpus.service,
        "scripts": scripts,
        "limit_s": TIMEOUT_S,
    }
