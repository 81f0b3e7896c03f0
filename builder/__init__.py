"""What `build.py` runs, on the standard library alone; what needs more runs in `.venv`, as a program."""
