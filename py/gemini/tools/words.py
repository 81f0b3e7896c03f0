"""What Python says about who asks for something outside: nobody checks it, and the person sees it marked so."""

import json

from gemini.tools.calls import current_call
from gemini.tools.consent import words_of


def words_of_call() -> str:
    """Return JSON of the running call: `{tool, caller, run?, origins?}`, or `{}` in a script that no tool runs."""
    return json.dumps(words_of(current_call()))
