"""`openssl dgst`, `rand`, `base64` and `enc`."""

from gemini_userland.openssl.command import openssl

__all__ = ["openssl"]
