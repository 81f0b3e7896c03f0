"""The strategy `react`: observe, think, act, turn by turn (Yao et al., ReAct, https://arxiv.org/abs/2210.03629)."""

from collections.abc import Callable
from dataclasses import dataclass

from gemini.agents.loop import prompts
from gemini.agents.loop.controls import DONE
from gemini.agents.loop.run_setup import Ending
from gemini.agents.loop.turns import Turns
from gemini.models.interface.messages import AssistantMessage
from gemini.models.interface.model import ToolRow

# A run ends after this many consecutive answers without a call or a result.
MAX_IDLE = 3


async def react(
    turns: Turns,
    tools: Callable[[], list[ToolRow]],
    read: Callable[[AssistantMessage], AssistantMessage],
) -> Ending:
    """Run until the model ends the run.

    Args:
        turns: The run's turns.
        tools: Returns what the model can call.
        read: Returns an answer as it counts, such as with calls that its text means.

    Raises:
        BudgetSpent: A limit was reached.
        ModelProblem: The model can't continue.
    """
    # Finish the answer that was interrupted when the page was closed.
    await turns.prepare()
    ending = None
    if left := turns.conversation.unfinished_answer():
        await turns.begin_step()
        ending = await _act(turns, left, Idle())
        turns.end_step()
    idle = Idle()
    while ending is None:
        await turns.begin_step()
        await turns.observe()
        message = await turns.ask(tools(), must_call=idle.is_reminded, read=read)
        ending = await _act(turns, message, idle)
        turns.end_step()
    return ending


@dataclass
class Idle:
    """The answers without a call in a row, and whether the model was reminded to call a tool."""

    answers: int = 0
    is_reminded: bool = False


async def _act(turns: Turns, message: AssistantMessage, idle: Idle) -> Ending | None:
    if message.stop == "refusal":
        return Ending("failed", f"the model refused: {message.text or 'without a reason'}")
    if not message.calls:
        idle.answers += 1
        return _without_calls(turns, message, idle)
    idle.answers, idle.is_reminded = 0, False
    has_only_ended = turns.must_act and all(call.name == DONE for call in message.calls)
    ending = await turns.perform(message.calls)
    if ending is not None and ending.status == "done" and has_only_ended:
        return Ending("answered", ending.text)
    if ending is None and (loop := turns.detect_loop(message.calls)):
        ending = turns.break_loop(loop)
    return ending


def _without_calls(turns: Turns, message: AssistantMessage, idle: Idle) -> Ending | None:
    """Handle an answer without calls; its text, if any, is the result, unless the model has forgotten its tools."""
    if message.stop == "end" and message.text.strip():
        must_act, wrong = turns.must_act, turns.wrong_call_in(message.text)
        if idle.is_reminded or (not must_act and wrong is None):
            return Ending("answered" if must_act else "done", message.text)
        idle.is_reminded = True
        turns.note(wrong or prompts.NO_CALL)
        return None
    state = "were cut off" if message.stop == "length" else "were empty"
    if idle.answers >= MAX_IDLE:
        return Ending("failed", f"{idle.answers} answers of the model in a row {state}")
    turns.note(prompts.CUT_SHORT if message.stop == "length" else prompts.EMPTY_ANSWER)
    return None
