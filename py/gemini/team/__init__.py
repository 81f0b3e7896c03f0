"""Teams of agents: files that describe agents, a queue of their tasks, and the orchestrator that divides the work."""
