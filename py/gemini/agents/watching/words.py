"""Short text on one line, for sentences about calls."""

HOME = "/project/"


def brief(text: str, most: int) -> str:
    """Return the first line of a text that isn't empty, cut at `most` characters."""
    lines = [line for line in text.splitlines() if line.strip()]
    line = " ".join(lines[0].split()) if lines else ""
    if len(line) > most:
        return f"{line[: most - 1].rstrip()}…"
    return f"{line} …" if len(lines) > 1 else line


def quoted(text: str, most: int = 60) -> str:
    """Return the beginning of a text in quotation marks."""
    return f"“{brief(text, most)}”"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def short_path(path: str) -> str:
    """Return a path without the directory of projects, in which most files are."""
    return path.removeprefix(HOME) or path


def named(agent: str) -> str:
    """Return an agent's name as words: `agent` is the one without a file."""
    return "an agent" if agent == "agent" else agent
