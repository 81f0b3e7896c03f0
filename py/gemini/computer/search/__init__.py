"""Full-text search of files, commands, Python inputs and tool calls."""
