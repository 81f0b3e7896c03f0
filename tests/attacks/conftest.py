"""Attacks share what the journeys share."""

from __future__ import annotations

from tests.web.conftest import copy_of_dist, folder, person, shell, start, terminal
from tests.web.test_embed import app

__all__ = ["app", "copy_of_dist", "folder", "person", "shell", "start", "terminal"]
