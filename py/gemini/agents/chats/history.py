"""The history of a chat, as the model gets it."""

from collections.abc import Sequence

from pydantic import BaseModel

from gemini.agents.chats.messages import Attachment, ChatMessage, Voice
from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.compaction import Gauge
from gemini.agents.loop.controls import FIND
from gemini.agents.loop.prompts import with_instructions, with_role
from gemini.agents.loop.toolbox import failure
from gemini.errors import Cancelled
from gemini.models.interface.messages import (
    MESSAGES,
    AssistantMessage,
    Image,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

# The share of the context for earlier messages.
SHARE = 0.5
# By their words, tools are chosen.
QUESTIONS = 5
SYSTEM = """You talk with a user, in the chat of a page that has terminals, files, Python and browser tabs. Answer \
in Markdown, as briefly as the question allows; put code into fences that name its language.
{tools}
{delimiters}"""
TOOLS = """You have tools for the page. Use them only when the user asks you to look something up or do something. \
A failed call says why and what to do. A refusal by the user is final. Never type passwords, codes or payment data."""
NO_TOOLS = "You have no tools here: say so if one is needed."
DROPPED = "(The beginning of this chat was left out because it is too long for you.)"


def conversation(
    path: Sequence[ChatMessage],
    delimiters: Delimiters,
    room: float,
    *,
    with_tools: bool,
    instructions: str,
    voice: Voice | None = None,
) -> list[Message]:
    """Return the conversation up to the end of `path`, without the oldest messages if it exceeds `room` tokens."""
    rules = SYSTEM.format(tools=TOOLS if with_tools else NO_TOOLS, delimiters=delimiters.rule)
    if voice is not None:
        rules = with_role(rules, voice.name, voice.prompt)
    system = SystemMessage(text=with_instructions(rules, instructions))
    gauge = Gauge()
    recent: list[Message] = []
    groups = [_messages_of(message, delimiters) for message in path]
    left = room
    # Cut before a question: providers require the user to speak first.
    group: list[Message] = []
    for message, found in zip(reversed(path), reversed(groups), strict=True):
        group = [*found, *group]
        if message.role != "user":
            continue
        left -= gauge.tokens(group)
        if recent and left < 0:
            return [system, UserMessage(text=DROPPED), *recent]
        recent, group = [*group, *recent], []
    return [system, *recent]


class _Tool(BaseModel):
    name: str


class _Found(BaseModel):
    """The answer of `tool_find`."""

    tools: list[_Tool]


def questions(path: Sequence[ChatMessage]) -> str:
    """Return the user's newest questions, by whose words the tools are chosen."""
    asked = [message.text for message in path if message.role == "user"]
    return "\n".join(asked[-QUESTIONS:])


def known_tools(path: Sequence[ChatMessage]) -> list[str]:
    """Return the names of the tools that answers have called or found."""
    names: list[str] = []
    for said in (found for message in path for found in MESSAGES.validate_python(message.said)):
        if isinstance(said, AssistantMessage):
            names += [call.name for call in said.calls]
        elif isinstance(said, ToolMessage) and said.tool == FIND and not said.failed:
            names += [tool.name for tool in _Found.model_validate_json(said.text).tools]
    return list(dict.fromkeys(names))


def remember_attachments(path: Sequence[ChatMessage], taint: Taint) -> None:
    """Record the attached text and pictures as untrusted."""
    for message in path:
        for attachment in message.attachments:
            # A picture may show words, which can't be compared with an argument.
            taint.remember(_origin(attachment), "" if attachment.is_picture else attachment.data)


def _messages_of(message: ChatMessage, delimiters: Delimiters) -> list[Message]:
    if message.role == "assistant":
        return _answer_messages(message)
    texts = [found for found in message.attachments if not found.is_picture]
    pictures = [found for found in message.attachments if found.is_picture]
    seen: list[Message] = [
        UserMessage(text=delimiters.wrap(found.data, _origin(found)), purpose="observation")
        for found in texts
    ]
    named = ", ".join(found.name for found in message.attachments)
    text = message.text or f"(The user attached {named} without a message.)"
    text = f"{text}\n\n({message.note})" if message.note else text
    images = tuple(_image(found) for found in pictures)
    return [*seen, UserMessage(text=text, purpose="task", images=images)]


def _image(picture: Attachment) -> Image:
    return Image.model_validate({"media_type": picture.media_type, "data": picture.data})


def _origin(attachment: Attachment) -> str:
    return f"the attached file {attachment.name}"


def _answer_messages(answer: ChatMessage) -> list[Message]:
    """Return the messages of an answer, with a result for each call that has none, because models require one."""
    said = [found for found in MESSAGES.validate_python(answer.said) if not _is_empty(found)]
    answered = {found.call_id for found in said if isinstance(found, ToolMessage)}
    cut = Cancelled("the answer was stopped, so it is unknown whether this call was completed")
    missing = [
        failure(call, cut).message
        for found in said
        if isinstance(found, AssistantMessage)
        for call in found.calls
        if call.id not in answered
    ]
    unfinished = [AssistantMessage(text=answer.draft)] if answer.draft.strip() else []
    return [*said, *missing, *unfinished]


def _is_empty(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and not message.calls and not message.text.strip()
