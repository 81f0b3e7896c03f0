"""One URL's transfer by `curl`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from gemini_userland.curl_urls import Target
from gemini_userland.http import Request, Response


@dataclass
class Transfer:
    """One URL's transfer, as `-w` reports it; `partial` is the size of the file that `-C` continues."""

    target: Target
    url: str
    request: Request
    number: int = 0
    redirects: int = 0
    answer: Response | None = None
    head: bytes = b""
    file: str = ""
    partial: int = 0
    partly: bool = False
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    status: int = 0
    message: str = ""
