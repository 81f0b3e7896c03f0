"""The embedded shell's commands in Python: the userland, `python`, `pip`, `serve`, `curl`, `wget`, and `linux`."""

from gemini_userland import LOCATIONS, Commands

COMMANDS = Commands(
    {
        **LOCATIONS,
        **dict.fromkeys(("python", "python3"), "gemini.python.command:run_python"),
        **dict.fromkeys(("pip", "pip3"), "gemini.python.pip:pip"),
        "virtualenv": "gemini.python.command:no_environments",
        "linux": "gemini.shell.linux_program:linux",
        "serve": "gemini.servers.command:serve",
        "curl": "gemini.network.commands:curl",
        "wget": "gemini.network.commands:wget",
    }
)
