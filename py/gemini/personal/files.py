"""The user's calendar and contacts as files."""

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


def write_text(path: str, text: str) -> None:
    """Write a file, whose old content stays if that fails.

    Raises:
        PersonalFileProblem: It can't be written.
    """
    file = Path(path)
    new = file.with_name(f"{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # RFC 5545 and RFC 6350 end lines with CR LF.
        new.write_bytes(text.encode())
        new.replace(file)
    except OSError as error:
        raise PersonalFileProblem(f"{path} can't be written: {error}") from error
