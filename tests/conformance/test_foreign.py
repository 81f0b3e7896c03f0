"""The official suite for MCP clients, run on the companion as a client of the user's servers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.clients import CONFORMANCE, NODE

pytestmark = pytest.mark.extended

ROOT = Path(__file__).parents[2]
LONGEST_S = 120
# The others are for extensions, and for clients that have an identity before they connect: the companion has no page
# on the web that describes it (auth/basic-cimd), and no registration by hand (auth/pre-registration). The SDK refuses
# metadata of another issuer, which auth/2025-03-26-oauth-metadata-backcompat has.
SCENARIOS = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_for_clients_passes(scenario: str, tmp_path: Path) -> None:
    client = f"{sys.executable} -m tests.conformance.foreign_client"
    command = [NODE, CONFORMANCE, "client", "--command", client, "--scenario", scenario, "--timeout", "90000"]
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_S,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'py'}{os.pathsep}{ROOT}", "XDG_DATA_HOME": str(tmp_path)},
    )
    # It writes the verdict to stderr.
    assert "OVERALL: PASSED" in done.stderr, done.stdout + done.stderr
