"""The user's MCP servers: the companion connects to them as a client, for the page's Python and agents."""
