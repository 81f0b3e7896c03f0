"""Imports of modules."""

from jedi.file_io import FileIO

def load_module_from_path(
    inference_state: object, file_io: FileIO, import_names: tuple[str, ...], is_package: bool
) -> object: ...
