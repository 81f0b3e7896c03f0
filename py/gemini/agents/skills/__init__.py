"""Skills: folders with instructions for a kind of task, in the open format of https://agentskills.io/specification."""
