"""The settings of jedi."""

cache_directory: str
