"""Every error that the surface raises deliberately.

    GeminiError
    ├── InvalidArguments, UnknownTool, SwitchedOff, UnknownResource
    ├── ToolDeclarationError, UnserialisableResult, ToolFailed
    ├── Refused, Cancelled, TimedOut, KernelDied, ProtocolError
    ├── NobodyToAsk
    │   └── CompanionLost
    ├── CompanionProblem
    ├── FileProblem
    │   ├── FileMissing, NotAFile, NotADirectory, AlreadyExists
    │   ├── LinkLoop, BrokenLink, PathOutsideTree
    │   ├── AmbiguousEdit, EditMissing, EditConflict, NotEditable
    │   ├── VersionMissing, VersionGone
    │   └── StorageFull
    ├── StorageProblem
    │   ├── DatabaseDamaged, DatabaseNewer, DatabaseUnusable
    │   └── ArchiveRefused
    │       └── ArchiveForeign, ArchiveNewer, ArchiveDamaged, ArchiveUnsafe
    ├── TerminalProblem
    │   └── TerminalMissing, TerminalClosed, CapabilityMissing, ShellUnavailable
    ├── MachineProblem
    │   └── MachineMissing, MachineExists, MachineLimit, MachineStopped, MachinePaused, MachineUnsaved
    ├── PageProblem
    │   ├── NoPage, TabMissing, NotFound, StaleRef
    │   ├── Hidden, Covered, Disabled, Unsupported
    │   ├── ConsentNeeded, CrossOrigin, OffLimits
    │   └── PageGone, ScriptFailed, PageUnreachable, PageFailure
    ├── ModelProblem
    │   ├── ModelUnavailable
    │   │   └── ModelAway, ModelLoading
    │   ├── ModelDisconnected, ModelSilent
    │   ├── ModelRefused
    │   │   └── TicketRefused
    │   └── ContextExceeded, WindowTooSmall, ModelMissing, ModelRepeats
    ├── RunProblem
    │   └── RunMissing, RunEnded, PlanRefused
    ├── MemoryProblem
    │   └── MemoryMissing
    ├── SkillProblem
    │   └── SkillMissing, SkillBroken, SkillChanged
    ├── AutomationProblem
    │   └── AutomationMissing, AutomationBroken, AutomationFailed
    ├── TeamProblem
    │   └── AgentMissing, AgentFileBroken, TaskMissing, TaskRefused
    ├── PersonalFileProblem
    ├── ScheduleProblem
    │   └── ScheduleMissing, ScheduleUnclear
    ├── ChatProblem
    │   └── ChatMissing, ChatBusy, AttachmentRefused
    ├── SourceControlProblem
    │   └── GitFailed, RepositoryMissing, NothingStaged, IdentityMissing
    ├── CodeProblem
    ├── WebProblem
    ├── McpProblem
    ├── PythonError, InterpreterEnded
    └── UsageProblem
        └── NotStarted

On the wire, an error's `type` is the name of its class; a class that only the other end knows keeps its name.
`message` says what was wrong, `hint` says what to do about it, and `data` holds the facts as JSON, so that callers
needn't parse prose.
"""

from typing import Any, ClassVar, cast


class GeminiError(Exception):
    """The base class of the surface's errors.

    Args:
        message: What was wrong, as a sentence.
        hint: Advice for the caller.
        data: Facts about the error, as JSON values.

    Attributes:
        quotes: Whether it can quote text from outside, such as names and lines of files.
        type: The error's name on the wire.
    """

    quotes: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str | None = None, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.data = data
        self.type = type(self).__name__

    def as_json(self) -> dict[str, Any]:
        """Return the error as it is sent: `{"isError": true, "error": {type, message, hint?, data?}}`."""
        error: dict[str, Any] = {"type": self.type, "message": self.message}
        if self.hint is not None:
            error["hint"] = self.hint
        if self.data is not None:
            error["data"] = self.data
        return {"isError": True, "error": error}


def quotes_outside(name: str) -> bool:
    """Return whether errors with this name of a class can quote text from outside."""
    found = globals().get(name)
    return isinstance(found, type) and issubclass(found, GeminiError) and found.quotes


class InvalidArguments(GeminiError):
    """The arguments don't fit the tool's schema."""


class UnknownTool(GeminiError):
    """There is no tool of this name."""


class SwitchedOff(GeminiError):
    """The user has switched off the tool's group."""


class UnknownResource(GeminiError):
    """There is no resource with this URI."""


class ToolDeclarationError(GeminiError):
    """A tool's declaration is invalid; its author must fix it."""


class UnserialisableResult(GeminiError):
    """A tool returned a value that JSON can't represent."""


class ToolFailed(GeminiError):
    """A tool raised an exception of another kind."""

    quotes = True


class Refused(GeminiError):
    """The user, or a policy, refused the request."""


class NobodyToAsk(GeminiError):
    """The tool's caller can't be asked anything."""


class CompanionLost(NobodyToAsk):
    """The companion isn't connected, or its connection ended before it answered."""


class CompanionProblem(GeminiError):
    """The companion answered that it couldn't do what was requested."""


class Cancelled(GeminiError):
    """The caller cancelled the call."""


class TimedOut(GeminiError):
    """A time limit expired."""


class KernelDied(GeminiError):
    """The Python kernel ended during the call."""


class ProtocolError(GeminiError):
    """A message isn't JSON-RPC, or its method is unknown."""


class FileProblem(GeminiError):
    """A path can't be used as requested."""

    quotes = True


class FileMissing(FileProblem):
    """There is no file or directory at the path."""


class NotAFile(FileProblem):
    """The path isn't a regular file."""


class NotADirectory(FileProblem):
    """The path isn't a directory."""


class AlreadyExists(FileProblem):
    """The path already exists."""


class LinkLoop(FileProblem):
    """Symbolic links form a loop."""


class BrokenLink(FileProblem):
    """The target of a symbolic link doesn't exist."""


class PathOutsideTree(FileProblem):
    """The path leads outside the directory that it must stay in."""


class AmbiguousEdit(FileProblem):
    """The text to replace occurs more than once."""


class EditMissing(FileProblem):
    """The text to replace doesn't occur."""


class EditConflict(FileProblem):
    """The file changed after it was read; `data` has its current content."""


class NotEditable(FileProblem):
    """The file isn't text, or is too large for the editor."""


class VersionMissing(FileProblem):
    """There is no change or checkpoint with this id."""


class VersionGone(FileProblem):
    """The earlier content of the file is no longer stored."""


class StorageFull(FileProblem):
    """There is no space left."""


class StorageProblem(GeminiError):
    """Stored data can't be read or written."""


class DatabaseDamaged(StorageProblem):
    """The database is damaged; it was moved aside and replaced with an empty one."""


class DatabaseNewer(StorageProblem):
    """A later version of the surface wrote the database."""


class DatabaseUnusable(StorageProblem):
    """The database can't be opened, migrated or written."""


class ArchiveRefused(StorageProblem):
    """A file can't be imported; nothing was changed."""


class ArchiveForeign(ArchiveRefused):
    """The file isn't an export of this surface."""


class ArchiveNewer(ArchiveRefused):
    """A later version of the surface wrote the export."""

    @classmethod
    def require_known(cls, version: int, known: int) -> None:
        """Check that an export's format isn't later than the known one.

        Raises:
            ArchiveNewer: It is.
        """
        if version > known:
            raise cls(
                "a later version of the surface wrote this export",
                hint="Reload the page to get the newest surface, then import again.",
                data={"version": version, "known": known},
            )


class ArchiveDamaged(ArchiveRefused):
    """The export is incomplete or damaged."""


class ArchiveUnsafe(ArchiveRefused):
    """The export would write outside its directories or create devices."""


class TerminalProblem(GeminiError):
    """A terminal can't be used as requested."""


class TerminalMissing(TerminalProblem):
    """There is no terminal with this id."""


class TerminalClosed(TerminalProblem):
    """The terminal has been closed."""


class CapabilityMissing(TerminalProblem):
    """The terminal's backend can't do this; the message names one that can."""


class ShellUnavailable(TerminalProblem):
    """The terminal's shell couldn't be loaded."""


class MachineProblem(GeminiError):
    """A Linux machine in the page can't be used as requested."""


class MachineMissing(MachineProblem):
    """There is no machine with this name."""


class MachineExists(MachineProblem):
    """There is a machine with this name already."""


class MachineLimit(MachineProblem):
    """As many machines as the setting allows are in memory."""


class MachineStopped(MachineProblem):
    """The machine doesn't run."""


class MachinePaused(MachineProblem):
    """The machine is paused."""


class MachineUnsaved(MachineProblem):
    """The machine has no saved state."""


class PageProblem(GeminiError):
    """A page can't be read or acted on; the page script raises most of these (web/page/errors.ts)."""


class NoPage(PageProblem):
    """No page shows the surface's tabs."""


class TabMissing(PageProblem):
    """There is no tab with this id."""


class NotFound(PageProblem):
    """No element matches the target; `data` lists similar ones."""


class StaleRef(PageProblem):
    """The element that a ref names has left the page."""


class Hidden(PageProblem):
    """The element is hidden."""


class Covered(PageProblem):
    """Another element covers the element."""


class Disabled(PageProblem):
    """The element is disabled."""


class Unsupported(PageProblem):
    """The element doesn't support the action."""


class ConsentNeeded(PageProblem):
    """The user must agree before text is typed into the field."""


class CrossOrigin(PageProblem):
    """The document has another origin and can't be read."""


class OffLimits(PageProblem):
    """The element belongs to the surface itself, where only the user can act."""


class PageGone(PageProblem):
    """Another document replaced the page during the action."""


class ScriptFailed(PageProblem):
    """JavaScript that the caller sent threw an exception."""


class PageUnreachable(PageProblem):
    """The server of a page can't be reached."""


class PageFailure(PageProblem):
    """The page script itself failed."""


class ModelProblem(GeminiError):
    """A language model can't be used, or can't be used now."""


class ModelUnavailable(ModelProblem):
    """The model gets too many requests or has failed; `data` has `status` and `retry_after_s`."""


class ModelAway(ModelUnavailable):
    """The companion, which passes requests on to the model, isn't connected now."""


class ModelLoading(ModelUnavailable):
    """The server is still loading the model."""


class ModelDisconnected(ModelProblem):
    """The connection broke off during the model's answer."""


class ModelSilent(ModelProblem):
    """The model sent nothing for too long."""


class ModelRefused(ModelProblem):
    """The provider rejects the request: its key, model name or form."""


class TicketRefused(ModelRefused):
    """The companion rejects the ticket, or its limit is reached; `data` has the reason."""

    @property
    def is_used_up(self) -> bool:
        """True if the limit of the ticket is reached."""
        data: Any = self.data
        return isinstance(data, dict) and cast("dict[str, Any]", data).get("reason") == "CeilingReached"


class ContextExceeded(ModelProblem):
    """The conversation is too long for the model."""


class WindowTooSmall(ModelProblem):
    """The model's window has no room for what a run needs."""


class ModelRepeats(ModelProblem):
    """The model's answer repeats itself, or doesn't end."""


class ModelMissing(ModelProblem):
    """No language model is set up."""


class RunProblem(GeminiError):
    """An agent's run can't be used as requested."""


class RunMissing(RunProblem):
    """There is no run with this id."""


class RunEnded(RunProblem):
    """The run has ended."""


class PlanRefused(RunProblem):
    """The plan doesn't fit the run."""


class MemoryProblem(GeminiError):
    """An agent's memory can't be changed like this."""


class MemoryMissing(MemoryProblem):
    """There is no memory with this id."""


class SkillProblem(GeminiError):
    """A skill can't be used as requested."""


class SkillMissing(SkillProblem):
    """There is no such skill, or it has no such file."""


class SkillBroken(SkillProblem):
    """A skill's folder can't be used; `data` has `path` and `reason`."""


class SkillChanged(SkillProblem):
    """A skill's files aren't those that the user has seen."""


class AutomationProblem(GeminiError):
    """An automation can't be saved or run as requested."""


class AutomationMissing(AutomationProblem):
    """There is no automation with this name."""


class AutomationBroken(AutomationProblem):
    """An automation's file can't be used; `data` has `path`, `line` and `reason`."""


class AutomationFailed(AutomationProblem):
    """A step of an automation failed; `data` has the `step`, its `error`, the steps `done`, and perhaps a `run_id`."""


class TeamProblem(GeminiError):
    """A team of agents can't be used as requested."""


class AgentMissing(TeamProblem):
    """No file describes an agent of this name."""


class AgentFileBroken(TeamProblem):
    """The file of an agent can't be used; `data` has `path`, `line` (from 1) and `reason`."""


class TaskMissing(TeamProblem):
    """The team has no task with this id."""


class TaskRefused(TeamProblem):
    """A task can't be added or changed as requested."""


class PersonalFileProblem(GeminiError):
    """A calendar or the contacts can't be read."""


class ScheduleProblem(GeminiError):
    """A schedule can't be used as requested."""


class ScheduleMissing(ScheduleProblem):
    """There is no schedule with this id, or it has no such slot."""


class ScheduleUnclear(ScheduleProblem):
    """The time of a schedule isn't understood; the hint lists the accepted forms."""


class ChatProblem(GeminiError):
    """A chat can't be used as requested."""


class ChatMissing(ChatProblem):
    """There is no chat, message or attachment with this id."""


class ChatBusy(ChatProblem):
    """The chat is still receiving an answer."""


class AttachmentRefused(ChatProblem):
    """The attachment is neither text nor an image, or is too large."""


class SourceControlProblem(GeminiError):
    """An action in a git repository isn't possible."""


class GitFailed(SourceControlProblem):
    """Git ended with an error, which the message has."""


class RepositoryMissing(SourceControlProblem):
    """The directory isn't the root of a known repository."""


class NothingStaged(SourceControlProblem):
    """There are no staged changes to commit."""


class IdentityMissing(SourceControlProblem):
    """Git's configuration lacks the author's name or email address."""


class CodeProblem(GeminiError):
    """Python code can't be analysed or changed as requested."""


class WebProblem(GeminiError):
    """A page of the web can't be read, or the web can't be searched."""


class McpProblem(GeminiError):
    """An MCP server of the user, or one of its tools, can't be used. The message can quote the server."""

    quotes = True


class PythonError(GeminiError):
    """Python code that the caller sent raised an exception."""


class InterpreterEnded(GeminiError):
    """The interpreter of an agent's own ended, or was ended, while it ran the caller's code."""


class UsageProblem(GeminiError):
    """The Python API was called in the wrong order."""


class NotStarted(UsageProblem, AttributeError):
    """The surface was used before it was started. As an `AttributeError`, it makes `hasattr` return False."""
