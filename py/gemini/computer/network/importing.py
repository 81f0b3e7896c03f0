"""Calls a function with a module when the module is imported."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

Patch = Callable[[Any], None]


def when_imported(name: str, patch: Patch) -> None:
    """Call `patch` with a module once: now, or when the module is first imported."""
    module = sys.modules.get(name)
    if module is not None:
        patch(module)
    elif not any(isinstance(finder, _Finder) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(name, patch))


class _Finder(MetaPathFinder):
    """A finder that delegates to the other finders once, and patches the module after loading."""

    def __init__(self, name: str, patch: Patch) -> None:
        self.name = name
        self._patch = patch

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            # The module may be installed later.
            sys.meta_path.insert(0, self)
        else:
            spec.loader = _Loader(spec.loader, self._patch)
        return spec


class _Loader(Loader):
    """A loader that patches the module after executing it."""

    def __init__(self, loader: Loader, patch: Patch) -> None:
        self._loader = loader
        self._patch = patch

    def __getattr__(self, name: str) -> Any:
        # `inspect.getsource` needs the loader's other methods.
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._patch(module)
