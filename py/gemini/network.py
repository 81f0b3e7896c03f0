"""`urllib.request` by the browser's fetch, since Python has no sockets in a page (https://pyodide.org).

Requests go the way of all others there: through the network door, once the person has agreed (docs/network.md).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from email.message import Message
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gemini import ffi

if TYPE_CHECKING:
    from urllib.request import Request
    from urllib.response import addinfourl

MODULE = "urllib.request"


def install() -> None:
    """Have `urllib.request` ask the browser, now or when it is first imported; where there is one."""
    if not ffi.IN_BROWSER:
        return
    module = sys.modules.get(MODULE)
    if module is not None:
        _patch(module)
    elif not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def opened(_: Any, request: Request) -> addinfourl:
    """Answer what `HTTPHandler` is asked for.

    Raises:
        URLError: There is no answer; its reason is a sentence.
    """
    from urllib.error import URLError
    from urllib.response import addinfourl

    body = request.data
    if body is not None and not isinstance(body, bytes):
        body = b"".join(body)  # type: ignore[arg-type]  # pyright: ignore
    headers = dict(request.header_items())
    try:
        got = ffi.exchange(request.full_url, request.get_method(), headers, body or b"")
    except OSError as error:
        raise URLError(str(error)) from error
    message = Message()
    for name, value in got.headers:
        message[name] = value
    answer = addinfourl(io.BytesIO(got.body), message, got.url, got.status)
    # What urllib's own answers have beside, for `HTTPErrorProcessor`.
    answer.msg = got.reason  # type: ignore[attr-defined]
    return answer


def _patch(module: Any) -> None:
    # It has no handler for https: without the ssl module.
    module.HTTPHandler.http_open = opened
    module.HTTPHandler.https_open = opened


class _Finder(MetaPathFinder):
    """Finds the module as others do, once, and patches it when it is there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


class _Loader(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        # `inspect.getsource` asks it for the source.
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _patch(module)
