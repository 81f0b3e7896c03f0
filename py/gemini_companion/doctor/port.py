"""Checks the port."""

import os
import socket

from gemini_companion.admission.identity import companion_at, port_owner
from gemini_companion.doctor.finding import Finding

HOST = "127.0.0.1"


def check_port(port: int) -> Finding:
    """Check that the port is free or already has a companion; otherwise name its owner."""
    what = f"port {port}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probing:
        if os.name != "nt":
            # As servers do: a recently closed connection doesn't block the port.
            probing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probing.bind((HOST, port))
        except OverflowError:
            return Finding(what, False, "isn't a port number", "Use one between 1 and 65535.")
        except PermissionError:
            return Finding(what, False, "can't be opened by this user", "Use one above 1023 with --port.")
        except OSError:
            pass
        else:
            return Finding(what, True, "free")
    owner = port_owner(port) or "another program"
    if companion_at(port) is None:
        return Finding(
            what, False, f"taken by {owner}", "Stop that program, or choose another port with --port."
        )
    return Finding(what, True, f"{owner} is already running here")
