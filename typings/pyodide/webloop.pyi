from collections.abc import Callable
from typing import Any

run_sync: Callable[[Any], Any]
