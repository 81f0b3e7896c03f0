"""The console's commands that aren't Python: `!command`, `%magic`, `%%magic` and `name?`, as in IPython."""
