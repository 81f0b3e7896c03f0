"""Checks of the port."""

import os
import socket

from gemini_companion.doctor.finding import Finding
from gemini_companion.identity import companion_at, who_has

HOST = "127.0.0.1"


def check_port(port: int) -> Finding:
    """Whether the companion can have its port, or who has it."""
    what = f"port {port}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probing:
        if os.name != "nt":
            # As servers do: a connection that was closed a moment ago doesn't count.
            probing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probing.bind((HOST, port))
        except OverflowError:
            return Finding(what, False, "is no port", "Take one between 1 and 65535.")
        except PermissionError:
            return Finding(what, False, "may not be opened by this user", "Take one above 1023 with --port.")
        except OSError:
            pass
        else:
            return Finding(what, True, "free")
    who = who_has(port) or "another program"
    if companion_at(port) is None:
        return Finding(what, False, f"taken by {who}", "End that program, or take another by --port.")
    return Finding(what, True, f"{who} runs here already")
