"""The pager of `less`, `man` and `git`, on the terminal's alternate screen.

`rows` divides text into rows of the screen, `keys` has the keys, and `screen` draws and scrolls.
"""
