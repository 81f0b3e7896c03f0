"""Runs as files: Markdown, JSON, and a page to share."""
