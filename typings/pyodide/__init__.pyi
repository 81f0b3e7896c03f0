# The part of Pyodide's Python API that gemini.core.ffi uses (https://pyodide.org/en/stable/usage/api/python-api.html).
