"""Finds the package that has a module which could not be imported."""

from __future__ import annotations

import dis
import json
import re
import sys
from contextlib import suppress
from importlib.util import find_spec

from gemini.computer.python.pip.distribution import imports_of
from gemini.core import ffi

_MISSING = re.compile(r"No module named '([\w.]+)'")
# What `python -m` ends with.
_ENDED = re.compile(r": (?:No module named ([\w.]+)|.*No module named '([\w.]+)'\))$")
# Common modules outside of Pyodide's distribution whose package has a different name.
_PACKAGES = {
    "Bio": "biopython",
    "Crypto": "pycryptodome",
    "Cryptodome": "pycryptodomex",
    "Image": "pillow",
    "MySQLdb": "mysqlclient",
    "OpenGL": "pyopengl",
    "OpenSSL": "pyopenssl",
    "PIL": "pillow",
    "RPi": "rpi.gpio",
    "Xlib": "python-xlib",
    "absl": "absl-py",
    "allauth": "django-allauth",
    "antlr4": "antlr4-python3-runtime",
    "argon2": "argon2-cffi",
    "attr": "attrs",
    "barcode": "python-barcode",
    "binance": "python-binance",
    "bluetooth": "pybluez",
    "bs4": "beautifulsoup4",
    "bson": "pymongo",
    "cairo": "pycairo",
    "camelot": "camelot-py",
    "can": "python-can",
    "cassandra": "cassandra-driver",
    "community": "python-louvain",
    "consul": "python-consul",
    "corsheaders": "django-cors-headers",
    "cpuinfo": "py-cpuinfo",
    "crispy_forms": "django-crispy-forms",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "dbus": "dbus-python",
    "debug_toolbar": "django-debug-toolbar",
    "decouple": "python-decouple",
    "discord": "discord.py",
    "django_filters": "django-filter",
    "dns": "dnspython",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "elftools": "pyelftools",
    "engineio": "python-engineio",
    "environ": "django-environ",
    "factory": "factory-boy",
    "faiss": "faiss-cpu",
    "ffmpeg": "ffmpeg-python",
    "fitz": "pymupdf",
    "gi": "pygobject",
    "git": "gitpython",
    "github": "pygithub",
    "gitlab": "python-gitlab",
    "google.oauth2": "google-auth",
    "google.protobuf": "protobuf",
    "googleapiclient": "google-api-python-client",
    "gridfs": "pymongo",
    "grpc": "grpcio",
    "hid": "hidapi",
    "hydra": "hydra-core",
    "imblearn": "imbalanced-learn",
    "jenkins": "python-jenkins",
    "jks": "pyjks",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "kafka": "kafka-python",
    "keystoneclient": "python-keystoneclient",
    "ldap": "python-ldap",
    "llama_cpp": "llama-cpp-python",
    "magic": "python-magic",
    "markdown_it": "markdown-it-py",
    "memcache": "python-memcached",
    "mpl_toolkits": "matplotlib",
    "multipart": "python-multipart",
    "nacl": "pynacl",
    "newspaper": "newspaper3k",
    "nmap": "python-nmap",
    "novaclient": "python-novaclient",
    "opensearchpy": "opensearch-py",
    "osgeo": "gdal",
    "paho": "paho-mqtt",
    "pdfminer": "pdfminer.six",
    "pkg_resources": "setuptools",
    "playhouse": "peewee",
    "pptx": "python-pptx",
    "progressbar": "progressbar2",
    "pubsub": "pypubsub",
    "pyVim": "pyvmomi",
    "pylab": "matplotlib",
    "pynvml": "nvidia-ml-py",
    "pythoncom": "pywin32",
    "pythonjsonlogger": "python-json-logger",
    "pywintypes": "pywin32",
    "pywt": "pywavelets",
    "pyximport": "cython",
    "readability": "readability-lxml",
    "rest_framework": "djangorestframework",
    "ruamel": "ruamel.yaml",
    "rx": "reactivex",
    "saml2": "pysaml2",
    "sass": "libsass",
    "serial": "pyserial",
    "skbio": "scikit-bio",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "skopt": "scikit-optimize",
    "slack": "slackclient",
    "slugify": "python-slugify",
    "snappy": "python-snappy",
    "social_django": "social-auth-app-django",
    "socketio": "python-socketio",
    "socks": "pysocks",
    "speech_recognition": "speechrecognition",
    "stdnum": "python-stdnum",
    "stl": "numpy-stl",
    "storages": "django-storages",
    "strawberry": "strawberry-graphql",
    "tabula": "tabula-py",
    "talib": "ta-lib",
    "telegram": "python-telegram-bot",
    "tortoise": "tortoise-orm",
    "umap": "umap-learn",
    "usb": "pyusb",
    "usb1": "libusb1",
    "vcr": "vcrpy",
    "vlc": "python-vlc",
    "websocket": "websocket-client",
    "whisper": "openai-whisper",
    "win32api": "pywin32",
    "win32com": "pywin32",
    "win32con": "pywin32",
    "win32gui": "pywin32",
    "wx": "wxpython",
    "xdist": "pytest-xdist",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}

# Several packages share these, and the one of that name is a different one. Of the others, the names have these signs.
_SHARED = {"azure": "-", "google": "-", "zope": "."}
# Packages share these, too.
_FURTHER = {"google.cloud", "azure.mgmt", "azure.storage"}


async def package_of(error: BaseException) -> str | None:
    """Return the package to install after a failed import; None if none would help.

    Args:
        error: The error of the code. It may have been raised because of the failed import.
    """
    module = missing_module(error)
    return None if module is None else await package_with(module)


def missing_module(error: BaseException) -> str | None:
    """Return the module that a failed import lacks and a package may have; None if no package would help.

    Call it where the import failed, because the program's own modules count.

    Args:
        error: As for `package_of`, or the end of `python -m` with a module that isn't there.
    """
    module = _named_module(error)
    if module in _SHARED:
        module = _part_of_package(_imported_module(error) or module)
    if module is None or module in _PACKAGES:
        return module
    top = module.partition(".")[0]
    if top in _SHARED:
        return _part_of_package(module)
    elsewhere = top in sys.stdlib_module_names or top.startswith("_")
    return None if elsewhere or not top.isascii() or find_spec(top) is not None else module


async def package_with(module: str) -> str:
    """Return the package that has a module: as Pyodide's distribution says, or else the most likely name."""
    top = module.partition(".")[0]
    if module in _PACKAGES:
        return _PACKAGES[module]
    if top in _SHARED:
        return module.replace(".", _SHARED[top]).replace("_", "-")
    return (await _distribution()).get(top) or _PACKAGES.get(top) or top.replace("_", "-")


def _named_module(error: BaseException) -> str | None:
    if isinstance(error, SystemExit):
        match = _ENDED.search(error.code) if isinstance(error.code, str) else None
        return None if match is None else match[1] or match[2]
    cause: BaseException | None = error
    while isinstance(cause, ImportError):
        if isinstance(cause, ModuleNotFoundError):
            # Pyodide's own error has no name.
            match = _MISSING.search(str(cause))
            return cause.name or (None if match is None else match[1])
        cause = cause.__cause__ or cause.__context__
    return None


def _part_of_package(module: str) -> str | None:
    """Return the first parts of a module's name, by which its package is called; None if these are missing."""
    parts = module.split(".")
    count = 3 if ".".join(parts[:2]) in _FURTHER else 2
    return ".".join(parts[:count]) if len(parts) >= count else None


def _imported_module(error: BaseException) -> str | None:
    """Return the full name in the statement that failed; the error names only the missing part."""
    last, place = None, error.__traceback__
    while place is not None:
        if not place.tb_frame.f_code.co_filename.startswith("<frozen importlib"):
            last = place
        place = place.tb_next
    if last is None:
        return None
    code = last.tb_frame.f_code
    names = [
        one.argval
        for one in dis.get_instructions(code)
        if (one.offset, one.opname) == (last.tb_lasti, "IMPORT_NAME")
    ]
    return names[0] if names else None


_known: dict[str, str] = {}


async def _distribution() -> dict[str, str]:
    """Return the packages of Pyodide's distribution by module; empty if the list can't be read."""
    if not _known and ffi.IN_BROWSER:
        # Without the list, the table above and the module's own name remain.
        with suppress(OSError, ValueError, LookupError):
            text, _ = await ffi.distribution_lock(None)
            _known.update(imports_of(json.loads(text)))
    return _known
