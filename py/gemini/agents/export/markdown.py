"""A run as Markdown."""

from gemini.agents.export.account import Account, facts_of
from gemini.agents.export.documents import fenced


def as_markdown(account: Account) -> str:
    """Return an account as Markdown (CommonMark 0.31), without its pictures."""
    parts = ["# Run of an agent", fenced(account.task)]
    parts.append("\n".join(f"- {name}: {fact}" for name, fact in facts_of(account)))
    if account.outcome is not None and account.outcome.result:
        parts += ["## Result", account.outcome.result]
    for step in account.steps:
        parts.append(f"## Step {step.number}")
        parts += [f"*{note}*" for note in step.notes]
        parts += [fenced(step.thought)] if step.thought else []
        parts += [step.text] if step.text else []
        for call in step.calls:
            state = " (refused)" if call.refused else " (failed)" if call.failed else ""
            parts.append(f"`{call.tool}`{state}")
            parts.append(fenced(f"{call.arguments}\n\n{call.result}"))
    return "\n\n".join(parts) + "\n"
