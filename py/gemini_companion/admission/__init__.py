"""Admission to the companion: of pages, browsers and commands of the same user."""
