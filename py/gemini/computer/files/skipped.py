"""The folders that searches of all files skip."""

# Folders of copies, caches and histories, which would flood the results.
SKIPPED = frozenset(
    [
        "node_modules",
        "bower_components",
        ".git",
        ".hg",
        ".svn",
        "__pycache__",
        ".venv",
        "venv",
        "site-packages",
        ".tox",
        ".nox",
        ".cache",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".ipynb_checkpoints",
        ".Trash",
    ]
)
