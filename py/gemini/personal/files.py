"""The files of the user's calendar and contacts."""

from pathlib import Path

from gemini.errors import PersonalFileProblem

# Larger ones block Python for seconds.
MOST_BYTES = 5_000_000


def read_text(path: str) -> str | None:
    """Return a file's text; None if it doesn't exist.

    Raises:
        PersonalFileProblem: It can't be read, or is too large.
    """
    file = Path(path)
    try:
        if not file.exists():
            return None
        if file.stat().st_size > MOST_BYTES:
            raise PersonalFileProblem(
                f"{path} is larger than {MOST_BYTES:,} bytes", hint="Divide it into several files."
            )
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PersonalFileProblem(f"{path} can't be read: {error}") from error
