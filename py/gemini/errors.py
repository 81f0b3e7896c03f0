"""Every error that the surface raises on purpose, as one tree.

    GeminiError
    ├── InvalidArguments        the caller's arguments don't fit the tool's schema
    ├── UnknownTool             no tool of that name
    ├── SwitchedOff             the person switched the tool's group off
    ├── UnknownResource         no resource of that URI
    ├── ToolDeclarationError    a tool was declared wrongly (its author reacts)
    ├── UnserialisableResult    a tool returned what JSON can't hold
    ├── ToolFailed              a tool raised an error of its own
    ├── Refused                 the person, or the policy, said no
    ├── NobodyToAsk             the tool's caller can't be asked
    ├── Cancelled               the caller gave the call up
    ├── TimedOut                a limit on time ran out
    ├── KernelDied              the Python kernel ended while the call ran
    ├── ProtocolError           a message that is not JSON-RPC, or an unknown method
    ├── FileProblem             a path that can't be used as asked
    │   ├── FileMissing, NotAFile, NotADirectory, AlreadyExists
    │   ├── LinkLoop, BrokenLink, PathOutsideTree
    │   ├── AmbiguousEdit       the text to replace is there several times
    │   ├── EditMissing         the text to replace isn't there
    │   ├── EditConflict        the file isn't the one that was read; `data` has what is there now
    │   ├── NotEditable         it isn't text, or too much for an editor
    │   ├── VersionMissing      no change or checkpoint of that id
    │   ├── VersionGone         what the file was before is not kept
    │   └── StorageFull
    ├── StorageProblem          what is kept beside files
    │   ├── DatabaseDamaged     set aside; an empty one takes its place
    │   ├── DatabaseNewer       a later version of the surface wrote it
    │   ├── DatabaseUnusable    it can't be opened, migrated or written
    │   └── ArchiveRefused      a file that can't be imported; nothing was changed
    │       ├── ArchiveForeign  no export of this surface
    │       ├── ArchiveNewer    of a later version of it
    │       ├── ArchiveDamaged
    │       └── ArchiveUnsafe   it would write elsewhere, or make devices
    ├── TerminalProblem
    │   ├── TerminalMissing, TerminalClosed
    │   ├── CapabilityMissing   the terminal's backend can't do that; names one that can
    │   └── ShellUnavailable    the terminal's shell could not be loaded
    ├── PageProblem             a page that is read or acted on; most are told by the page script (web/page/errors.js)
    │   ├── NoPage              no page shows the surface's tabs
    │   ├── TabMissing
    │   ├── NotFound            no element is where the target says; `data` has what is close
    │   ├── StaleRef            the element of a ref has left the page
    │   ├── Hidden, Covered, Disabled
    │   ├── Unsupported         the element can't do that
    │   ├── ConsentNeeded       the person has to be asked before the field is typed into
    │   ├── CrossOrigin         a document of another origin, which can't be read
    │   ├── OffLimits           it belongs to the surface itself, where only people act
    │   ├── PageGone            another document took its place meanwhile
    │   ├── ScriptFailed        JavaScript that the caller sent threw
    │   └── PageFailure         an error of the page script's own
    ├── ModelProblem            a language model that can't be used, or can't be used now
    │   ├── ModelUnavailable    too many requests, or a failure on its side; `data` has status and retry_after_s
    │   ├── ModelDisconnected   its answer broke off
    │   ├── ModelSilent         it said nothing for too long
    │   ├── ModelRefused        it won't take the request: the key, the model's name, the form
    │   │   └── TicketRefused   the companion doesn't take the ticket, or no more on it; `data` has its reason
    │   ├── ContextExceeded     the conversation is too long for it
    │   └── ModelMissing        none is set up
    ├── RunProblem              an agent's run that can't be used as asked
    │   ├── RunMissing          none of that id
    │   ├── RunEnded            it is over
    │   └── PlanRefused         a plan that doesn't fit the run
    ├── ChatProblem             a chat that can't be used as asked
    │   ├── ChatMissing         no chat, message or attachment of that id
    │   ├── ChatBusy            an answer is still coming
    │   └── AttachmentRefused   neither text nor a picture, or too large
    ├── PythonError             code that the caller sent raised
    └── UsageProblem            the Python API was called out of order
        └── NotStarted      the surface isn't running yet

The class's name is the error's `type` on the wire. `message` says what was wrong, `hint` what to do about it,
`data` holds the facts in JSON, so that nobody has to parse prose.
"""

from typing import Any


class GeminiError(Exception):
    """Base of all errors of the surface.

    Args:
        message: What was wrong, in a sentence.
        hint: What the one who reacts can do.
        data: Facts about the error, JSON-able.
    """

    def __init__(self, message: str, *, hint: str | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data = data

    def as_json(self) -> dict[str, Any]:
        """The failure as wires carry it: `{"isError": true, "error": {type, message, hint?, data?}}`."""
        error: dict[str, Any] = {"type": type(self).__name__, "message": self.message}
        if self.hint is not None:
            error["hint"] = self.hint
        if self.data is not None:
            error["data"] = self.data
        return {"isError": True, "error": error}


class InvalidArguments(GeminiError): ...


class UnknownTool(GeminiError): ...


class SwitchedOff(GeminiError): ...


class UnknownResource(GeminiError): ...


class ToolDeclarationError(GeminiError): ...


class UnserialisableResult(GeminiError): ...


class ToolFailed(GeminiError): ...


class Refused(GeminiError): ...


class NobodyToAsk(GeminiError): ...


class Cancelled(GeminiError): ...


class TimedOut(GeminiError): ...


class KernelDied(GeminiError): ...


class ProtocolError(GeminiError): ...


class FileProblem(GeminiError): ...


class FileMissing(FileProblem): ...


class NotAFile(FileProblem): ...


class NotADirectory(FileProblem): ...


class AlreadyExists(FileProblem): ...


class LinkLoop(FileProblem): ...


class BrokenLink(FileProblem): ...


class PathOutsideTree(FileProblem): ...


class AmbiguousEdit(FileProblem): ...


class EditMissing(FileProblem): ...


class EditConflict(FileProblem): ...


class NotEditable(FileProblem): ...


class VersionMissing(FileProblem): ...


class VersionGone(FileProblem): ...


class StorageFull(FileProblem): ...


class StorageProblem(GeminiError): ...


class DatabaseDamaged(StorageProblem): ...


class DatabaseNewer(StorageProblem): ...


class DatabaseUnusable(StorageProblem): ...


class ArchiveRefused(StorageProblem): ...


class ArchiveForeign(ArchiveRefused): ...


class ArchiveNewer(ArchiveRefused): ...


class ArchiveDamaged(ArchiveRefused): ...


class ArchiveUnsafe(ArchiveRefused): ...


class TerminalProblem(GeminiError): ...


class TerminalMissing(TerminalProblem): ...


class TerminalClosed(TerminalProblem): ...


class CapabilityMissing(TerminalProblem): ...


class ShellUnavailable(TerminalProblem): ...


class PageProblem(GeminiError): ...


class NoPage(PageProblem): ...


class TabMissing(PageProblem): ...


class NotFound(PageProblem): ...


class StaleRef(PageProblem): ...


class Hidden(PageProblem): ...


class Covered(PageProblem): ...


class Disabled(PageProblem): ...


class Unsupported(PageProblem): ...


class ConsentNeeded(PageProblem): ...


class CrossOrigin(PageProblem): ...


class OffLimits(PageProblem): ...


class PageGone(PageProblem): ...


class ScriptFailed(PageProblem): ...


class PageFailure(PageProblem): ...


class ModelProblem(GeminiError): ...


class ModelUnavailable(ModelProblem): ...


class ModelDisconnected(ModelProblem): ...


class ModelSilent(ModelProblem): ...


class ModelRefused(ModelProblem): ...


class TicketRefused(ModelRefused): ...


class ContextExceeded(ModelProblem): ...


class ModelMissing(ModelProblem): ...


class RunProblem(GeminiError): ...


class RunMissing(RunProblem): ...


class RunEnded(RunProblem): ...


class PlanRefused(RunProblem): ...


class ChatProblem(GeminiError): ...


class ChatMissing(ChatProblem): ...


class ChatBusy(ChatProblem): ...


class AttachmentRefused(ChatProblem): ...


class PythonError(GeminiError): ...


class UsageProblem(GeminiError): ...


class NotStarted(UsageProblem, AttributeError):
    """The surface was used before it was started. `hasattr` takes it for a name that isn't there yet."""
