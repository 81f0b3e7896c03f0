"""The local process next to the page: serves the page, and does what a page may not.

This package imports nothing: `build.py` uses `static_files` before any package is installed.
"""
