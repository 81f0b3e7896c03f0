"""The parts of jedi that the surface uses: https://jedi.readthedocs.io/en/latest/docs/api.html."""

from pathlib import Path
from typing import Any

from jedi import settings as settings
from jedi.api.environment import InterpreterEnvironment

class Project:
    path: Path
    def __init__(self, path: str) -> None: ...

class Script:
    def __init__(
        self, code: str, *, path: str, project: Project, environment: InterpreterEnvironment
    ) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
