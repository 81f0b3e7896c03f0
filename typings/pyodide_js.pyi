# The JavaScript object that loadPyodide returned (https://pyodide.org/en/stable/usage/api/js-api.html).
from typing import Any

def __getattr__(name: str) -> Any: ...
