"""The user's secrets, whose values only the companion has, and requests to some origins get (docs/secrets.md)."""

from gemini_companion.secrets.access import SecretAccess
from gemini_companion.secrets.errors import SecretProblem
from gemini_companion.secrets.masking import Masked, Masker
from gemini_companion.secrets.placeholders import Visit, Visits
from gemini_companion.secrets.secrets import PLACES, Place, Secret, Secrets

__all__ = [
    "PLACES",
    "Masked",
    "Masker",
    "Place",
    "Secret",
    "SecretAccess",
    "SecretProblem",
    "Secrets",
    "Visit",
    "Visits",
]
