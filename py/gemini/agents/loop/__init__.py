"""The loop of a run: turns by a strategy, with the conversation, the tools and the prompts that it uses."""
