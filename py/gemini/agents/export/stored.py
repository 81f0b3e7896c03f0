"""Exports of stored runs, also of those that still run."""

from gemini.agents.export.account import account_of, name_of, text_of
from gemini.agents.export.formats import Format, require_format
from gemini.agents.record.journal import Journal
from gemini.agents.record.pictures import PictureStore
from gemini.agents.record.steps import Outcome, Step
from gemini.errors import RunMissing


async def export(journal: Journal, pictures: PictureStore, run_id: str, form: Format) -> tuple[str, str]:
    """Return a run as the name and the text of a file; see `gemini.agents.current().export`."""
    form = require_format(form)
    found = journal.find(run_id)
    if found is None:
        raise RunMissing(f"there is no run {run_id[:60]!r}")
    spec, ended = found
    steps = [Step.model_validate(body) for kind, body in journal.entries(run_id) if kind == "step"]
    outcome = None if ended is None else Outcome.model_validate(ended)
    account = await account_of(run_id, spec, outcome, steps, pictures.get)
    return name_of(account, form), text_of(account, form)
