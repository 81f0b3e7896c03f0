"""A run as a file of one of the formats."""

from gemini.agents.export.account import Account, Picture, account_of
from gemini.agents.export.documents import file_name
from gemini.agents.export.formats import ENDINGS, Format, require_format
from gemini.agents.export.markdown import as_markdown
from gemini.agents.export.page import as_page
from gemini.agents.record.journal import Journal
from gemini.agents.record.steps import Outcome, Step
from gemini.core.encoding import encode
from gemini.errors import RunMissing

VERSION = 1
MAX_NAME = 60


async def export(journal: Journal, run_id: str, form: Format, picture: Picture) -> tuple[str, str]:
    """Return a run as the name and the text of a file; see `Runs.export`."""
    form = require_format(form)
    found = journal.find(run_id)
    if found is None:
        raise RunMissing(f"there is no run {run_id[:60]!r}")
    spec, outcome = found
    steps = [Step.model_validate(body) for kind, body in journal.entries(run_id) if kind == "step"]
    ended = None if outcome is None else Outcome.model_validate(outcome)
    account = await account_of(run_id, spec, ended, steps, picture)
    return name_of(account, form), text_of(account, form)


def text_of(account: Account, form: Format) -> str:
    """Return an account as a text of a format."""
    if form == "json":
        return encode({"format": "gemini-run", "version": VERSION, **account.model_dump()})
    if form == "markdown":
        return as_markdown(account)
    return as_page(account)


def name_of(account: Account, form: Format) -> str:
    """Return the name of a file for an account."""
    first = account.task.strip().splitlines()[0]
    return f"{file_name(first, MAX_NAME, 'run')}.{ENDINGS[form]}"
