"""The beginning of a run's conversation, its loop, and the result of a run that ended early."""

from collections.abc import Coroutine
from typing import Any

from gemini.agents.loop import prompts
from gemini.agents.loop.code import act, write_code
from gemini.agents.loop.plan import STEPS, Plan
from gemini.agents.loop.planning import Planning
from gemini.agents.loop.run_setup import Ending, Setup
from gemini.agents.loop.toolbox import failure
from gemini.agents.loop.turns import Turns
from gemini.agents.record.journal import Entry
from gemini.agents.runs.events import PlanChanged
from gemini.agents.runs.handle import Run
from gemini.agents.runs.partial_answer import Saying
from gemini.agents.runs.replay import last
from gemini.agents.runs.spec import RunSpec
from gemini.agents.runs.supervision import Supervision
from gemini.errors import Cancelled
from gemini.models.interface.messages import SystemMessage, UserMessage


def begin_conversation(
    setup: Setup, spec: RunSpec, instructions: str, pinned: str, supervision: Supervision, own: list[Entry]
) -> None:
    """Add the system prompt and the task, or continue an earlier conversation with the task.

    Nothing is added twice if the page was closed in between.

    Args:
        setup: The run's dependencies.
        spec: The run's parameters.
        instructions: The user's instructions for every model.
        pinned: The text that the user has pinned for the agent.
        supervision: The rules of the run's team.
        own: The journal entries of the run.
    """
    if any(kind == "message" and body.get("purpose") == "task" for kind, body in own):
        return
    conversation = setup.conversation
    if not conversation.messages:
        how = {"react": prompts.REACT, "plan": prompts.PLAN, "code": prompts.CODE}[spec.strategy]
        text = prompts.SYSTEM.format(strategy=how, delimiters=setup.delimiters.rule)
        text = prompts.with_role(text, spec.agent, supervision.prompt)
        text = prompts.with_instructions(text, instructions)
        text = prompts.with_pinned(text, pinned)
        if setup.skills is not None:
            text = prompts.with_skills(text, setup.skills.descriptions)
        conversation.add(SystemMessage(text=text))
    why = prompts.RUN_ENDED if spec.fork is None else prompts.FORKED
    for call in conversation.pending():
        conversation.add(failure(call, Cancelled(why)).message)
    conversation.add(UserMessage(text=spec.task, purpose="task"))


def strategy_loop(run: Run, setup: Setup, own: list[Entry]) -> Coroutine[Any, Any, Ending]:
    """Return the coroutine of the run's strategy."""
    turns = Turns(setup)
    if run.strategy == "react":
        return act(turns)
    if run.strategy == "code":
        return write_code(turns)

    def changed() -> None:
        setup.conversation.plan = plan.text()
        setup.write("plan", plan.rows())
        run.notify(PlanChanged(plan.rows()))

    plan = Plan(changed, last(own, "plan", STEPS.validate_python) or [])
    setup.conversation.plan = plan.text()
    run.plan = plan
    return Planning(turns, plan).run()


def partial_result(run: Run, setup: Setup, saying: Saying) -> str | None:
    """Return what a run that ended early has found so far."""
    parts = [f"- {fact}" for fact in setup.conversation.facts]
    if run.plan is not None:
        parts += [f"- {step.what}" for step in run.plan.steps if step.status == "done"]
    texts = [text for text in (*(step.text for step in run.steps), saying.text) if text.strip()]
    return "\n".join([*texts[-1:], *parts]) or None
