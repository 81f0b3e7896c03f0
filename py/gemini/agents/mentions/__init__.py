"""Mentions in the user's text: `@` before the name of an agent, a file or a tab."""
