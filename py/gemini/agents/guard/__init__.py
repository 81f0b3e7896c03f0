"""The limits on a run: budgets, loop detection, tickets for paid models, and the tracking of untrusted text."""
