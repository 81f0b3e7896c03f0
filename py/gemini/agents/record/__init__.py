"""The record of a run: its steps, its journal and its pictures."""
