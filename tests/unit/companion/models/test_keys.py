"""The sources of keys, and the places where they never appear."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from keyring.errors import KeyringLocked

from gemini_companion.models.errors import KeyringUnavailable, KeyUnusable
from gemini_companion.models.key_file import KeyFile
from gemini_companion.models.keys import Keys
from gemini_companion.models.providers import OPENAI, Provider
from gemini_companion.storage.system_keyring import keyring_name
from tests.unit.companion.keyrings import MemoryKeyring
from tests.unit.companion.models.upstreams import KEY

PROVIDER = Provider("test", OPENAI, "https://models.example", ("TEST_API_KEY", "SECOND_API_KEY"))


class LockedKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"locked, and it would show {KEY}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"can't save {password}")


async def test_the_environment_comes_before_the_keyring(
    secrets: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keys()
    assert await keys.find(PROVIDER) is None
    await keys.set(PROVIDER, f" {KEY}\n")
    assert secrets.saved == {("control-surface", "test"): KEY}
    found = await keys.find(PROVIDER)
    assert found is not None
    assert (found.reveal(), found.origin) == (KEY, "keyring")
    for variable, text in (("SECOND_API_KEY", "second-key"), ("TEST_API_KEY", "first-key\n")):
        monkeypatch.setenv(variable, text)
        found = await keys.find(PROVIDER)
        assert found is not None
        assert (found.reveal(), found.origin) == (text.strip(), "environment")


async def test_a_key_does_not_reveal_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", KEY)
    found = await Keys().find(PROVIDER)
    assert f"{found} {found!r} {[found]}" == " ".join(
        ["<Key from the environment>"] * 2 + ["[<Key from the environment>]"]
    )


@pytest.mark.parametrize(
    "text", ["short", "two words here", "line\nbreak-break", "grün-grün-grün", 'quo"tation']
)
async def test_an_invalid_key_is_refused_and_not_repeated(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyUnusable) as refused:
        await Keys().set(PROVIDER, text)
    assert text not in str(refused.value.as_answer())
    monkeypatch.setenv("TEST_API_KEY", text)
    with pytest.raises(KeyUnusable, match="the variable TEST_API_KEY"):
        await Keys().find(PROVIDER)


async def test_a_machine_without_a_keyring_is_normal() -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    assert keyring_name() is None
    assert await Keys().find(PROVIDER) is None
    assert not await Keys().delete(PROVIDER)
    with pytest.raises(KeyringUnavailable) as refused:
        await Keys().set(PROVIDER, KEY)
    assert "TEST_API_KEY" in str(refused.value.hint)
    assert KEY not in "".join(traceback.format_exception(refused.value))


async def test_a_file_stores_a_key_only_without_a_keyring_and_if_the_person_agrees(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "data" / "keys.json")
    await Keys(file).set(PROVIDER, KEY, in_file=True)
    assert not file.path.exists()
    await Keys(file).delete(PROVIDER)

    keyring.set_keyring(keyring.backends.fail.Keyring())
    await Keys(file).set(PROVIDER, KEY, in_file=True)
    if os.name != "nt":
        assert file.path.stat().st_mode & 0o777 == 0o600
    found = await Keys(KeyFile(file.path)).find(PROVIDER)
    assert found is not None and (found.reveal(), found.origin) == (KEY, "file")
    assert await Keys(file).delete(PROVIDER)
    assert await Keys(file).find(PROVIDER) is None
    assert KEY not in file.path.read_text()


@pytest.mark.parametrize("content", ["{", "[]", '{"test": 1}'])
async def test_a_damaged_file_has_no_keys(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    path.chmod(0o600)
    assert await Keys(KeyFile(path)).find(PROVIDER) is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
async def test_a_file_that_others_can_read_has_no_keys(tmp_path: Path) -> None:
    file = KeyFile(tmp_path / "keys.json")
    file.set("test", KEY)
    file.path.chmod(0o644)
    assert await Keys(file).find(PROVIDER) is None


async def test_a_locked_keyring_is_reported_without_its_message() -> None:
    keyring.set_keyring(LockedKeyring())
    for asked in (Keys().find(PROVIDER), Keys().set(PROVIDER, KEY), Keys().delete(PROVIDER)):
        with pytest.raises(KeyringUnavailable, match="KeyringLocked") as refused:
            await asked
        assert KEY not in "".join(traceback.format_exception(refused.value))


async def test_a_provider_without_keys_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_API_KEY", KEY)
    without = Provider("test", OPENAI, "http://models.example", ("TEST_API_KEY",), key="none")
    assert await Keys().find(without) is None
