"""The embedded shell's commands in Python: the userland, `python`, `pip`, `serve`, `secret`, `linux`, and of HTTP."""

from gemini_userland import LOCATIONS, Commands

COMMANDS = Commands(
    {
        **LOCATIONS,
        **dict.fromkeys(("python", "python3"), "gemini.computer.python.command:run_python"),
        **dict.fromkeys(("pip", "pip3"), "gemini.computer.python.pip:pip"),
        "virtualenv": "gemini.computer.python.command:no_environments",
        "linux": "gemini.computer.shell.linux_program:linux",
        "serve": "gemini.computer.servers.command:serve",
        "curl": "gemini.computer.network.commands:curl",
        "wget": "gemini.computer.network.commands:wget",
        "secret": "gemini.computer.network.secrets:secret_command",
    }
)
