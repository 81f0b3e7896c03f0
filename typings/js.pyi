# The browser's global scope: what is in it only a browser knows.
from typing import Any

def __getattr__(name: str) -> Any: ...
