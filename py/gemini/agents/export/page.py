"""A run as a page to share: one file without scripts, which loads nothing."""

from html import escape

from gemini.agents.export.account import Account, AccountCall, AccountStep, facts_of

# Everything from outside is escaped; the policy is a second wall.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
pre, .text { white-space: pre-wrap; overflow-wrap: anywhere; }
pre { padding: 0.5rem; border: 1px solid #8888; border-radius: 6px; font-size: 0.8125rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
section { margin-top: 1.5rem; border-top: 1px solid #8888; }
img { max-width: 100%; border: 1px solid #8888; }
"""


def as_page(account: Account) -> str:
    """Return an account as an HTML document."""
    title = account.task.strip().splitlines()[0][:120]
    facts = "".join(f"<dt>{name}</dt><dd>{escape(fact)}</dd>" for name, fact in facts_of(account))
    result = account.outcome.result if account.outcome is not None else None
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="referrer" content="no-referrer">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>",
        f'<h1>Run of an agent</h1><p class="text">{escape(account.task)}</p><dl>{facts}</dl>',
        f'<h2>Result</h2><p class="text">{escape(result)}</p>' if result else "",
        *(_step(step) for step in account.steps),
        "</main></body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _step(step: AccountStep) -> str:
    pictures = "".join(
        f'<p><img alt="The page at step {step.number}" src="data:image/jpeg;base64,{escape(data)}"></p>'
        for data in step.pictures
    )
    thought = f"<details><summary>Thought</summary><pre>{escape(step.thought)}</pre></details>"
    return "".join(
        [
            f"<section><h2>Step {step.number}</h2>",
            *(f"<p><em>{escape(note)}</em></p>" for note in step.notes),
            thought if step.thought else "",
            f'<p class="text">{escape(step.text)}</p>' if step.text else "",
            *(_call(call) for call in step.calls),
            pictures,
            "</section>",
        ]
    )


def _call(call: AccountCall) -> str:
    state = " (refused)" if call.refused else " (failed)" if call.failed else ""
    return (
        f"<h3><code>{escape(call.tool)}</code>{state}</h3><pre>{escape(call.arguments)}</pre>"
        f"<details><summary>Result</summary><pre>{escape(call.result)}</pre></details>"
    )
