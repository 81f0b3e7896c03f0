"""Mentions in what the user writes: `@` before the name of an agent, a file or a tab."""
