"""Language models as a run uses them: the interface, messages, retries, and a model that follows a script."""
