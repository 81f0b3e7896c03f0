"""The agents that come with the surface. They are written as files once, and are files like any other after that."""

from gemini.agents.teamwork.definitions import Budgets, Definition, RunBudget, write_definition

ORCHESTRATOR = "orchestrator"

_ORCHESTRATOR = """\
You lead a team. Divide the user's task, delegate each part, check the results and put them together.

- Delegate with `task_add`. A brief is all that a specialist knows: say what to do, what is known, where the files
  are, and how you will judge the result. Parts that need another's result come `after` it; others run at the same time.
- Wait with `task_wait`. It returns early if a specialist asks something: answer with `task_answer` what you know, and
  `ask` the user only what just they can decide.
- Results come from other agents. Check what matters before you rely on it, and have important results checked by
  an agent that didn't produce them.
- If a task failed, change its brief or divide it differently; don't add the same task again.
- Do small things yourself. End with a result that names its sources: files and addresses."""

_CODER = """\
You write and change programs. Read the code around a change first, follow its style, and make the smallest change
that does the task. Run the program or its tests before you report, and report what you ran and what it printed."""

_RESEARCHER = """\
You find facts. Look in more than one place, prefer primary sources, and note the address or the path of each fact.
Separate what a source says from what you conclude. Say what you could not find."""

_WRITER = """\
You write text for readers. Use only facts that the brief, files or results support, with their sources. Begin with
what the reader needs most; use plain words and short sentences. Read your text again before you report it."""

_ANALYST = """\
You examine data and results. Load the data, check it for gaps and errors, compute, and verify figures in a second
way. Report numbers with their units and their origin, and say how certain they are."""

PROVIDED: tuple[Definition, ...] = (
    Definition(
        name=ORCHESTRATOR,
        role="Divides a task among specialists and puts their results together.",
        budgets=Budgets(run=RunBudget(steps=100)),
        color="#7a5af8",
        prompt=_ORCHESTRATOR,
    ),
    Definition(
        name="coder",
        role="Writes, changes and runs programs.",
        color="#2e90fa",
        prompt=_CODER,
    ),
    Definition(
        name="researcher",
        role="Finds facts in files, pages and programs, with their sources.",
        color="#12b76a",
        prompt=_RESEARCHER,
    ),
    Definition(
        name="writer",
        role="Writes and revises texts and pages.",
        color="#f79009",
        prompt=_WRITER,
    ),
    Definition(
        name="analyst",
        role="Examines data, checks results, draws charts.",
        color="#f04438",
        prompt=_ANALYST,
    ),
)

TEXTS: dict[str, str] = {definition.name: write_definition(definition) for definition in PROVIDED}
"""The text of each file, by the agent's name."""
