"""The user's MCP servers and their tools, through the companion."""
