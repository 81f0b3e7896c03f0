"""The providers file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gemini_companion.models import Provider, configuration_file, load_providers
from gemini_companion.models.errors import ConfigurationProblem


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "providers.toml"


def test_without_a_file_only_the_built_in_providers_exist(file: Path) -> None:
    assert list(load_providers(file)) == ["openai", "anthropic", "google", "ollama", "lmstudio"]


def test_a_file_adds_and_changes_providers(file: Path) -> None:
    file.write_text(
        """
        [providers.openrouter]
        base_url = "https://openrouter.ai/api/v1/"

        [providers.my-own]
        kind = "anthropic"
        base_url = "https://models.example"
        key_env = ["FIRST", "SECOND"]
        requests_per_minute = 10
        concurrent = 2

        [providers.bench]
        base_url = "http://localhost:9000/v1"

        [providers.ollama]
        base_url = "http://192.168.1.5:11434"
        key = "none"
        """
    )
    providers = load_providers(file)

    def facts(name: str) -> tuple[object, ...]:
        provider: Provider = providers[name]
        return provider.kind.name, provider.base_url, provider.variables, provider.key

    assert facts("openrouter") == (
        "openai",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "needed",
    )
    assert facts("my-own") == ("anthropic", "https://models.example", ("FIRST", "SECOND"), "needed")
    assert facts("bench") == ("openai", "http://localhost:9000/v1", ("BENCH_API_KEY",), "optional")
    assert facts("ollama") == ("ollama", "http://192.168.1.5:11434", ("OLLAMA_API_KEY",), "none")
    assert (providers["my-own"].requests_per_minute, providers["my-own"].concurrent) == (10, 2)


def test_the_example_in_the_docs_is_valid(file: Path) -> None:
    docs = Path(__file__).parents[4] / "docs/models.md"
    file.write_text(docs.read_text("utf-8").split("```toml")[1].split("```")[0], "utf-8")
    providers = load_providers(file)
    assert providers["openrouter"].variables == ("OPENROUTER_API_KEY",)
    assert providers["ollama"].key == "none"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[providers", "is not TOML"),
        ("[models.a]", "something besides providers"),
        ("[providers]\na = 1", "a isn't a table"),
        ("[providers.a]", "has no base_url"),
        ("[providers.a]\nbase_url = 1", "base_url of the provider a isn't text"),
        ("[providers.A]\nbase_url = 'https://a.example'", "can't be a provider's name"),
        ("[providers.own]\nbase_url = 'https://a.example'", "can't be a provider's name"),
        ("[providers.a]\nbase_url = 'ftp://a.example'", "isn't an http or https URL"),
        ("[providers.a]\nbase_url = 'https://a:b@a.example'", "more than a host and a path"),
        ("[providers.a]\nbase_url = 'https://a.example?x'", "more than a host and a path"),
        ("[providers.a]\nbase_url = 'https://a.example:x'", "isn't a URL"),
        ("[providers.a]\nbase_url = 'https://a.example/ b'", "has invalid characters"),
        ("[providers.a]\nbase_url = 'http://a.example'", "get its key unencrypted"),
        ("[providers.openai]\nbase_url = 'http://a.example'", "get its key unencrypted"),
        ("[providers.a]\nbase_url = 'https://a.example'\nkind = 'x'", "kind of the provider a is 'x'"),
        ("[providers.a]\nbase_url = 'https://a.example'\nkey = 'secret'", "key of the provider a"),
        ("[providers.a]\nbase_url = 'https://a.example'\napi_key = 'x'", "unknown member 'api_key'"),
        ("[providers.a]\nbase_url = 'https://a.example'\nkey_env = [1]", "neither a variable's name"),
        ("[providers.a]\nbase_url = 'https://a.example'\nconcurrent = 0", "isn't a number above 0"),
        ("[providers.a]\nbase_url = 'https://a.example'\nconcurrent = true", "isn't a number above 0"),
    ],
)
def test_a_mistake_in_a_file_is_reported(file: Path, content: str, message: str) -> None:
    file.write_text(content)
    with pytest.raises(ConfigurationProblem, match=message) as problem:
        load_providers(file)
    assert str(file) in problem.value.message
    assert problem.value.hint


def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationProblem, match="can't be read"):
        load_providers(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has %APPDATA%")
def test_the_file_is_in_the_systems_configuration_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert configuration_file() == tmp_path / "control-surface/providers.toml"
    for value in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
        assert configuration_file() == Path.home() / ".config/control-surface/providers.toml"
