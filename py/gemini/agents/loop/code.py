"""The strategy `code`: the model writes a block of Python, and gets what it printed.

Source: Wang et al., CodeAct, https://arxiv.org/abs/2402.01030.
"""

import json
import re
import secrets
from functools import partial

from gemini.agents.loop.controls import ASK, CONTROLS, DONE, FAIL, NOTE, SKILL
from gemini.agents.loop.react import react
from gemini.agents.loop.run_setup import Ending
from gemini.agents.loop.turns import Turns
from gemini.models.interface.messages import AssistantMessage, ToolCall
from gemini.models.interface.model import ToolRow

RUN = "run"
BLOCK = re.compile(r"^```(?:python|py)[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


async def write_code(turns: Turns) -> Ending:
    """Run until the model ends the run; the errors are those of `react`."""
    return await react(turns, partial(_tools, turns), with_block_as_call)


async def act(turns: Turns) -> Ending:
    """Run with tools, or with code in a context that is too small for the tools; the errors are those of `react`."""
    turns.may_code = True

    def tools() -> list[ToolRow]:
        return _tools(turns) if turns.toolbox.writes_code else turns.tools(*CONTROLS)

    def read(message: AssistantMessage) -> AssistantMessage:
        return with_block_as_call(message) if turns.toolbox.writes_code else message

    return await react(turns, tools, read)


def _tools(turns: Turns) -> list[ToolRow]:
    return [*turns.toolbox.rows(), *turns.controls(DONE, FAIL, ASK, NOTE, SKILL)]


def with_block_as_call(message: AssistantMessage) -> AssistantMessage:
    """Return an answer whose blocks of Python are a call of `run`, if it has no calls."""
    blocks = BLOCK.findall(message.text)
    if message.calls or not blocks or message.stop != "end":
        return message
    # The id must be unique in the conversation, and a block may be written again.
    call = ToolCall(
        id=f"block-{secrets.token_hex(6)}", name=RUN, arguments=json.dumps({"code": "\n".join(blocks)})
    )
    text = BLOCK.sub("", message.text).strip()
    # The provider's own form of the answer has no call.
    return message.model_copy(update={"text": text, "calls": (call,), "stop": "calls", "state": None})
