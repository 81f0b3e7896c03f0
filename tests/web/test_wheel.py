"""The wheel: the page and the command `control-surface`, without the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from urllib.request import urlopen

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(sys.platform == "win32", reason="programs of environments are elsewhere there"),
]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment with this one's packages, and return its command."""
    output = subprocess.run(
        [sys.executable, "build.py", "wheel"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    wheel = ROOT / output.stdout.splitlines()[-1]
    environment = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", wheel], check=True)
    folder = subprocess.check_output(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True
    )
    (Path(folder.strip()) / "ours.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin/control-surface"


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {
        "XDG_DATA_HOME": str(tmp_path / "data")
    }


def test_the_command_serves_its_page(command: Path, env: dict[str, str], tmp_path: Path) -> None:
    serve = [command, "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(serve, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[1]
        with urlopen(url) as page:
            assert page.read() == (ROOT / "dist/index.html").read_bytes()
            assert page.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        process.terminate()
        assert process.stdout.read().endswith("Stopped.\n")
    assert process.returncode == 0


async def test_the_command_is_a_complete_mcp_server(command: Path, env: dict[str, str]) -> None:
    server = StdioServerParameters(command=str(command), args=["mcp", "--headless"], env=env)
    async with Client(stdio_client(server)) as client:
        answer = await client.call_tool("python_run", {"code": "6 * 7"})
    assert not answer.is_error, answer.content
    assert "42" in str(answer.structured_content)


def test_the_plugin_finds_the_page(command: Path, env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it(surface): assert surface.python('6 * 7') == 42\n")
    run = [command.parent / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert "1 passed" in ran.stdout, ran.stdout


def test_doctor_finds_the_page(command: Path, env: dict[str, str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [command, "doctor"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert "ok       page: " in ran.stdout
    assert "gemini_companion/dist" in ran.stdout
