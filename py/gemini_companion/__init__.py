"""The local process beside the page: serves it, and reaches what a page may not.

Nothing is imported here: `build.py` uses `static_files` before any package is installed.
"""
