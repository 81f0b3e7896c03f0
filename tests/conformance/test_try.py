import subprocess, os


def test_try(companion, surface):
    subprocess.run(os.environ["TRY"], shell=True, env={**os.environ, "URL": companion.mcp_url})
