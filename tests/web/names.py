"""Roles and names that several tests use, in the form of roles.py."""

CLAIM = 'group "What Python says about it (unverified)"'
# Its accessible name is the title of the step.
TOUR = "[role=dialog].tour"
CONNECT = 'dialog "Connect an MCP client to this page"'
CONNECT_MODEL = 'dialog "Connect a language model"'
NOTIFYING = (
    'region "Inbox" checkbox "Notify me when a question or a run waits for me, and when a scheduled run has'
    ' ended"'
)
