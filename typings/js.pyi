# The browser's global scope, whose contents depend on the browser.
from typing import Any

def __getattr__(name: str) -> Any: ...
