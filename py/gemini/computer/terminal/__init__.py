"""Terminals: emulator, keyboard, line editor, and the manager that holds them."""
