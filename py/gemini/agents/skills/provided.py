"""The skills that come with the surface. They are written as files once, and are files like any other after that.

Their files load with the shell's commands (builder/preinstall.py), so that a start doesn't wait for them.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gemini.agents.skills.folders import files_of, fingerprint
from gemini.core import ffi
from gemini.errors import SkillProblem, StorageProblem

if TYPE_CHECKING:
    from gemini.storage.settings import Settings

SOURCE = Path(__file__).parent / "bundled"
# The setting with the names of the skills that have been written.
SETTING = "provided_skills"


class ProvidedSkills:
    """Writes the skills that come with the surface, each once: a deleted one stays away.

    Args:
        target: The folder of skills.
        settings: Returns the settings, where the names of the written skills are saved.
    """

    def __init__(self, target: Path, settings: "Callable[[], Settings]") -> None:
        self._target = target
        self._settings = settings

    async def write(self) -> dict[str, str]:
        """Write the skills that haven't been written yet; return the fingerprint of each, by folder.

        Raises:
            SkillProblem: Their files can't be downloaded.
            StorageProblem: They can't be written.
        """
        before: list[str] = self._settings().get(SETTING, [])
        try:
            await ffi.load_programs()
        except OSError as error:
            raise SkillProblem(
                f"the skills that come with the surface couldn't be downloaded: {error}",
                hint="Check the connection, then try again.",
            ) from error
        names = sorted(folder.name for folder in SOURCE.iterdir() if folder.is_dir())
        missing = [name for name in names if name not in before]
        written = [self._target / name for name in missing if self._copy(name)]
        if missing:
            self._settings().set(SETTING, sorted({*before, *names}))
        return {str(folder): fingerprint(files_of(folder)) for folder in written}

    def _copy(self, name: str) -> bool:
        target = self._target / name
        if target.exists():
            return False
        try:
            shutil.copytree(SOURCE / name, target, ignore=shutil.ignore_patterns("__pycache__"))
        except OSError as error:
            raise StorageProblem(f"{target} can't be written: {error}") from error
        return True
