"""The user's setting for the list of packages in which pip looks first."""

from urllib.parse import urlsplit

from gemini.errors import InvalidArguments

SETTING = "package_list"
MAX_LENGTH = 2_000


class _Setting:
    """The setting of this interpreter; `pip` runs without access to the kernel.

    Attributes:
        address: The URL of a lock file of Pyodide's packages; None for the list that came with the page.
    """

    address: str | None = None


current = _Setting()


def validate(text: str) -> str | None:
    """Return the address in `text`, or None if it is empty.

    Raises:
        InvalidArguments: It isn't the URL of a file that pip can fetch.
    """
    address = text.strip()
    if not address:
        return None
    try:
        parts = urlsplit(address)
        is_file = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.path.endswith(".json")
        # Reading the port validates it.
        is_valid = is_file and "@" not in parts.netloc and parts.port != 0 and len(address) <= MAX_LENGTH
    except ValueError:
        is_valid = False
    if not is_valid or not address.isprintable() or " " in address:
        raise InvalidArguments(
            f"The lock file can't be at {address[:100]!r}.",
            hint="Enter the URL of a .json file, like https://mirror.example/pyodide-lock.json, without a password.",
        )
    return address
