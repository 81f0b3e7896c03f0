"""Files as jedi reads them."""

class FileIO:
    def __init__(self, path: str) -> None: ...
