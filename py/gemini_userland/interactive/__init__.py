"""Programs that read from a terminal: its lines as a stream, Python's interactive mode, passwords and the debugger.

| module | content |
|---|---|
| `reader` | standard input that asks for each line |
| `repl` | `python` without a program, and `python -i` |
| `passwords` | `getpass` without echo |
| `debugger` | `pdb` that shows only the program's own frames |
"""
