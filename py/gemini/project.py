"""The name under which pip installs the surface; pyproject.toml has the same."""

PROJECT = "control-surface"
