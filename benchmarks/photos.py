"""Measures the search in 10,000 photos in the page: the first, which reads them, and later ones, which read the index.

Some of the photos are broken, some are HEIC. The ratio compares with a walk that only lists the files.
"""

import base64
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from _page import report  # noqa: E402 - found by the line above

from gemini_testing.surface import Surface  # noqa: E402
from tests.unit.personal.test_photos import BROKEN, jpeg  # noqa: E402

PHOTOS = 10_000
LIMIT = 5.0
SECOND = "the second search, of a walk"
SETUP = """
import base64, io, os, time, zipfile
from pathlib import Path
from gemini.personal.photos import PhotoLibrary

root = Path("/project/photos")
zipfile.ZipFile(io.BytesIO(base64.b64decode({archive!r}))).extractall(root / "first")
one, *others = [path.read_bytes() for path in sorted((root / "first").iterdir())]
for number in range({photos}):
    folder = root / str(number // 200)
    folder.mkdir(exist_ok=True)
    # Each hundredth is broken, and each hundredth after it is HEIC.
    name = f"IMG_{{number}}." + ("heic" if number % 100 == 1 else "jpg")
    (folder / name).write_bytes(one if number % 100 else others[number // 100 % len(others)])

library = PhotoLibrary((str(root),), Path("/tmp/photos.json"))

async def seconds(library, query):
    began = time.perf_counter()
    found = await library.search(query)
    return time.perf_counter() - began, len(found)

def walk():
    began = time.perf_counter()
    for folder, _, names in os.walk(root):
        for name in names:
            os.stat(f"{{folder}}/{{name}}")
    return time.perf_counter() - began
"""


def archive() -> str:
    """Return one good photo and all broken ones as a zip archive in base64."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("0.jpg", jpeg("2026:07:14 12:30:00", "Canon EOS R6", (41.8925, 12.4853)))
            for number, content in enumerate(BROKEN.values(), 1):
                packed.writestr(f"{number}.jpg", content())
        file.seek(0)
        return base64.b64encode(file.read()).decode()


def measure(surface: Surface) -> dict[str, Any]:
    """Return each figure by its name."""
    surface.load()
    surface.python(SETUP.format(archive=archive(), photos=PHOTOS))
    # The package that reads EXIF data loads with the first photo.
    surface.python("await PhotoLibrary(('/tmp',), Path('/tmp/none.json')).search('')")
    first, count = surface.python("await seconds(library, 'camera:canon')")
    found: dict[str, Any] = {"photos that are found": count, "seconds of the first search": round(first, 2)}
    walked = surface.python("walk()")
    second, _ = surface.python("await seconds(library, 'camera:canon date:2026-07')")
    started, _ = surface.python(
        "await seconds(PhotoLibrary((str(root),), Path('/tmp/photos.json')), 'camera:canon')"
    )
    found["seconds of the second search"] = round(second, 2)
    found["seconds of the first one after a start, with the index"] = round(started, 2)
    found[SECOND] = round(second / walked, 2)
    found["photos in all"] = surface.python("len(await library.search(''))")
    found["HEIC files, each with its note"] = surface.python(
        "sum('HEIC' in each.get('note', '') for each in await library.search('heic'))"
    )
    return found


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit, else 0."""
    return report(measure, {SECOND: LIMIT})


if __name__ == "__main__":
    raise SystemExit(main())
