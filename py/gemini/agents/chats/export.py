"""Exporting a chat as a file."""

from gemini.agents.chats.events import Format
from gemini.agents.chats.messages import Chat, ChatMessage, Part
from gemini.agents.export.documents import fenced, file_name
from gemini.core.encoding import encode

VERSION = 1
MAX_NAME = 80


def file_of(chat: Chat, form: Format) -> tuple[str, bytes]:
    """Return a name and contents: the current path as Markdown (CommonMark 0.31), or all branches as JSON."""
    name = file_name(chat.title, MAX_NAME, "chat")
    if form == "markdown":
        return f"{name}.md", as_markdown(chat).encode()
    return f"{name}.json", as_json(chat).encode()


def as_json(chat: Chat) -> str:
    """Return the chat with attachments and all branches as JSON."""
    messages = [message.model_dump(exclude={"said", "draft", "note"}) for message in chat.messages.values()]
    header = {"format": "gemini-chat", "version": VERSION, "title": chat.title, "created": chat.created}
    return encode({**header, "updated": chat.updated, "current": chat.current, "messages": messages})


def as_markdown(chat: Chat) -> str:
    """Return the current path as Markdown."""
    return "\n\n".join([f"# {chat.title}", *(_section(message) for message in chat.path())]) + "\n"


def _section(message: ChatMessage) -> str:
    author = "You" if message.role == "user" else message.model or "Model"
    parts = [f"## {author}", *(f"*Attached: {found.name}*" for found in message.attachments)]
    parts += [_part(part) for part in message.parts if part.text or part.call]
    if message.status in ("stopped", "failed"):
        why = f": {message.error.message}" if message.error else ""
        parts.append(f"*({message.status}{why})*")
    return "\n\n".join(parts)


def _part(part: Part) -> str:
    if part.call is None:
        return part.text
    return fenced(f"{part.call.tool} {part.call.arguments}\n{part.call.result or ''}".rstrip())
