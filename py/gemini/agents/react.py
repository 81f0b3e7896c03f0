"""See, think, act: one turn after the other (Yao et al., ReAct, https://arxiv.org/abs/2210.03629)."""

from gemini.agents import prompts
from gemini.agents.controls import CONTROLS
from gemini.agents.messages import AssistantMessage
from gemini.agents.setup import Ending
from gemini.agents.turns import Turns

# So many answers in a row that do nothing end a run.
MAX_IDLE = 3


async def react(turns: Turns) -> Ending:
    """Go on until the model ends the run.

    Raises:
        BudgetSpent: a limit was reached.
        ModelProblem: the model can't go on.
    """
    # What an earlier kernel didn't come to.
    ending = None
    if left := turns.unfinished_answer():
        await turns.begin_step()
        ending = await _act(turns, left, 1)
        turns.end_step()
    idle = 0
    while ending is None:
        await turns.begin_step()
        await turns.observe()
        message = await turns.ask(turns.tools(*CONTROLS))
        idle = 0 if message.calls else idle + 1
        ending = await _act(turns, message, idle)
        turns.end_step()
    return ending


async def _act(turns: Turns, message: AssistantMessage, idle: int) -> Ending | None:
    if message.stop == "refusal":
        return Ending("failed", f"the model refused: {message.text or 'without a reason'}")
    if not message.calls:
        return _without_calls(turns, message, idle)
    ending = await turns.perform(message.calls)
    if ending is None and (loop := turns.detect_loop(message.calls)):
        ending = turns.break_loop(loop)
    return ending


def _without_calls(turns: Turns, message: AssistantMessage, idle: int) -> Ending | None:
    """Words alone are the result, as chat models give it."""
    if message.stop == "end" and message.text.strip():
        return Ending("done", message.text)
    what = "were cut short" if message.stop == "length" else "had nothing in them"
    if idle >= MAX_IDLE:
        return Ending("failed", f"{idle} answers of the model in a row {what}")
    turns.note(prompts.CUT_SHORT if message.stop == "length" else prompts.NOTHING_SAID)
    return None
