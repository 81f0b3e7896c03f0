from collections.abc import Awaitable, Callable
from typing import Any

class JsException(Exception):
    name: str
    message: str
    stack: str

class JsProxy:
    js_id: int
    typeof: str
    def to_py(self, *, depth: int = ..., default_converter: Callable[..., Any] | None = ...) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __await__(self) -> Any: ...

class JsNull: ...

jsnull: JsNull

def create_proxy(obj: Any, /, *, capture_this: bool = ..., roundtrip: bool = ...) -> Any: ...
def create_once_callable(obj: Callable[..., Any], /) -> Any: ...
def to_js(
    obj: Any,
    /,
    *,
    depth: int = ...,
    pyproxies: Any = ...,
    create_pyproxies: bool = ...,
    dict_converter: Any = ...,
    default_converter: Any = ...,
    eager_converter: Any = ...,
) -> Any: ...

# A variable, because gemini.core.ffi replaces it.
run_sync: Callable[[Awaitable[Any]], Any]

def can_run_sync() -> bool: ...
