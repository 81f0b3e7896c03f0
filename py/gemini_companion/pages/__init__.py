"""The pages that have the surface open, and the questions that they ask."""
