"""`control-surface offline`: fetches the parts of the page that are otherwise fetched on first use."""

from pathlib import Path

from gemini_companion.site import find_site
from gemini_companion.storage.parts import Parts

MEGABYTE = 1_000_000


def fetch_parts(named: Path | None) -> int:
    """Fetch what is missing, print each part, and return the exit code.

    Args:
        named: The folder of the page; None looks where a start would look.

    Raises:
        SurfaceMissing: There is no page.
        PartUnavailable: A part can't be fetched. Those before it stay.
    """
    parts = Parts(find_site(named))
    missing = [name for name in parts if parts.find(name) is None]
    for number, name in enumerate(missing, 1):
        megabytes = parts.size(name) / MEGABYTE
        print(f"{number}/{len(missing)}  {megabytes:.1f} MB  {name.rpartition('/')[2]}", flush=True)
        parts.get(name)
    print("All parts of the page are on this machine.")
    return 0
