"""Searching the web and reading its pages, through the companion."""
