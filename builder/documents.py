"""Gathers the documents that the Help panel shows, and the questions that the palette finds."""

from __future__ import annotations

import json
import re
from pathlib import Path

from builder.project import Project

# The documents of docs/index.md that concern users of the page; the others are for those who host or change it.
NAMES = (
    *(
        "help",
        "tour",
        "workbench",
        "panels",
        "search",
        "files",
        "history",
        "chat",
        "personal",
        "calendar",
        "agents",
    ),
    *("team", "automations", "schedules", "eyes", "models", "consent", "tools", "shell", "linux", "browser"),
    *(
        "companion",
        "mcp-servers",
        "extension",
        "clients",
        "network",
        "security",
        "storage",
        "durability",
        "glossary",
    ),
)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
QUESTION = re.compile(r"^## (?P<title>.+)\n\n<!-- words: (?P<words>.+) -->$", re.MULTILINE)


def files(project: Project) -> dict[str, Path]:
    """Write the documents and their index; return their paths by name."""
    target = project.work / "documents"
    target.mkdir(parents=True, exist_ok=True)
    texts = {name: (project.root / f"docs/{name}.md").read_text(encoding="utf-8") for name in NAMES}
    titles = {name: found[1] for name, text in texts.items() if (found := TITLE.search(text))}
    questions = [found.groupdict() for found in QUESTION.finditer(texts["help"])]
    index = {"titles": titles, "questions": questions}
    written = {"documents_index.json": index, "documents.json": texts}
    for name, content in written.items():
        (target / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return {name: target / name for name in written}
