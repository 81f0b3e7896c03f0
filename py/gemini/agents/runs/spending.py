"""Counting what a tool's own requests to models cost, for the run that called it."""

from gemini.agents.runs.runs import Runs
from gemini.models.interface.usage import Usage
from gemini.tools.calls import acting_call


def pay(runs: Runs, model: str, usage: Usage) -> None:
    """Count usage for the run that makes the current call, whose budget limits it; outside of a run, do nothing."""
    call = acting_call()
    if call is None or call.run is None:
        return
    cost = usage.cost if runs.price is None else runs.price(model, usage)
    for run in runs:
        if run.id == call.run:
            run.spent.add(usage, cost)
