"""litellm's proxy (https://docs.litellm.ai/docs/simple_proxy), which translates between the providers' wire formats."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from builder import uv
from builder.project import Project
from tests.programs import started

ROOT = Path(__file__).parents[1]
# With its packages it has 600 MB. The first test that needs it installs it.
ENVIRONMENT = ROOT / ".build" / "litellm"
PROGRAM = ENVIRONMENT / "bin" / "litellm"
# It would ask a server for prices, and its clients for a key.
VARIABLES = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
}


@contextmanager
def proxy(folder: Path, upstream: str) -> Generator[str]:
    """Run a proxy whose models `gpt-5` and `claude-haiku-4-5` come from another server; yield its address."""
    _install()
    models = {
        "gpt-5": {"model": "openai/gpt-5", "api_base": f"{upstream}/v1"},
        "claude-haiku-4-5": {"model": "anthropic/claude-haiku-4-5", "api_base": upstream},
    }
    listed = [
        {"model_name": name, "litellm_params": {**settings, "api_key": "mock"}}
        for name, settings in models.items()
    ]
    # JSON is YAML.
    config = folder / "litellm.yaml"
    # Retries are tested, and are ours.
    routes = {"num_retries": 0, "disable_cooldowns": True}
    config.write_text(json.dumps({"model_list": listed, "router_settings": routes}), encoding="utf-8")
    command = [PROGRAM, "--config", config, "--host", "127.0.0.1", "--port", "0", "--telemetry", "False"]
    with started(command, r"running on (http://\S+)", VARIABLES) as url:
        yield url


def _install() -> None:
    """Create the environment of the proxy, unless an earlier test did."""
    if (ENVIRONMENT / "done").exists():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", ENVIRONMENT], check=True)
    uv.install_into(Project(ROOT), "litellm", ENVIRONMENT / "bin" / "python")
    (ENVIRONMENT / "done").touch()
