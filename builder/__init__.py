"""The implementation of `build.py`.

It uses the standard library alone; modules that need more run as programs in `.venv`.
"""
