# As much of Pyodide's Python API as gemini.core.ffi uses (https://pyodide.org/en/stable/usage/api/python-api.html).
