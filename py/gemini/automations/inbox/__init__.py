"""The inbox: what waits for the user, from agents, teams, powers' owners, memory and schedules."""
