"""Roles and names that several tests use, in the form of roles.py."""

CLAIM = 'group "What Python says about it (unverified)"'
# Its accessible name is the title of the step.
TOUR = "[role=dialog].tour"
# Says a fact of the page, such as "WebMCP native", and opens its explanation.
FACT = 'dialog "Status" summary'
CONNECT = 'dialog "Connect an MCP client to this page"'
CONNECT_MODEL = 'dialog "Connect a language model"'
SHARING = 'dialog "Share tabs of this browser"'
WAKING = (
    'region "Schedules" checkbox "While this page is closed, let the companion open it without a window when'
    ' a schedule is due"'
)
NOTIFYING = (
    'region "Inbox" checkbox "Notify me when a question or a run waits for me, and when a scheduled run has'
    ' ended"'
)
