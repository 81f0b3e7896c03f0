"""The package that a failed import needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini.computer.python.console import PythonConsole
from gemini.computer.python.pip.distribution import imports_of
from gemini.computer.python.pip.modules import package_of
from gemini.errors import InvalidArguments, PythonError

LACKING = [
    ("import cv2", "opencv-python"),
    ("import google.protobuf.message", "protobuf"),
    ("from google.api_core import retry", "google-api-core"),
    ("import azure.storage.blob.aio", "azure-storage-blob"),
    ("from google.cloud import storage", None),
    ("import google", None),
    ("import zope.interface", "zope.interface"),
    ("import zmq", "pyzmq"),
    ("from Crypto.Cipher import AES", "pycryptodome"),
    ("import googleapiclient.discovery", "google-api-python-client"),
    ("import imblearn", "imbalanced-learn"),
    ("from nowhere_known.part import x", "nowhere-known"),
    ("import json.missing", None),
    ("import _private_module", None),
    ("import _tkinter_missing as tkinter", None),
    ("1 / 0", None),
    ("raise ImportError('Use an older version')", None),
    ("raise ModuleNotFoundError(\"No module named 'yaml'\\nIt is in the distribution\")", "pyyaml"),
    ("try:\n    import openpyxl_missing\nexcept ImportError as error:\n    raise ImportError('needs it') from error",
     "openpyxl-missing"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "package"), LACKING)
async def test_the_package_is_offered(code: str, package: str | None, tmp_path: Path) -> None:
    console = PythonConsole(str(tmp_path))
    with pytest.raises(PythonError) as failed:
        await console.run(code)
    assert failed.value.data.get("package") == package
    assert (failed.value.hint or "").endswith(f"%pip install {package}" if package else "")
    error = console.transcript.state()["entries"][-1]["error"]
    assert error and error.get("data", {}).get("package") == package


async def test_other_errors_need_no_package() -> None:
    assert await package_of(ValueError("No module named 'yaml'")) is None
    assert await package_of(ModuleNotFoundError("?", name="google.protobuf")) == "protobuf"


def test_the_distribution_names_modules() -> None:
    lock = {"packages": {"opencv-python": {"imports": ["cv2"]}, "numpy": {"imports": ["numpy"]}}}
    assert imports_of(lock) == {"cv2": "opencv-python", "numpy": "numpy"}


async def test_only_an_entry_that_lacks_a_package_installs_it(tmp_path: Path) -> None:
    console = PythonConsole(str(tmp_path))
    await console.run("1")
    with pytest.raises(InvalidArguments, match="console entry 1 lacks no package"):
        await console.install_missing(1)
