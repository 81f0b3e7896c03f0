"""Files of the user's calendars and contacts, and their collections on the user's server (CalDAV, CardDAV).

Each collection has a file, and next to it one with the state of the last time: ETag, path and digest of each item. What
changed on one side goes to the other. What changed on both is a conflict: the server's version stands in the file, the
user's own in a second file, and the result names it. So nothing is lost.
"""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from gemini.computer.files.edit import write as write_text
from gemini.errors import PersonalFileProblem
from gemini.personal import documents
from gemini.personal.calendar_rows import EMPTY, FORMAT
from gemini.personal.contacts import FORMAT as CARD_FORMAT
from gemini.personal.documents import Document, Part
from gemini.personal.rows import SyncedRow
from gemini.personal.text_of_items import item_text, parts_of_item

FOLDERS = {"calendar": "/home/user/calendars", "contacts": "/home/user/contacts"}
ENDINGS = {"calendar": ".ics", "contacts": ".vcf"}
# A question shows all that is written, and has room for so many characters.
MOST_SHOWN = 40_000
Json = Any
Ask = Callable[..., Awaitable[Json]]
"""Asks the companion: `ask(method, **params)`."""


class Sync:
    """One collection and its file.

    Args:
        ask: Asks the companion.
        collection: `{server, path, name, kind}`, as the companion lists it.
        folder: The folder of the file; by default the kind's folder.
    """

    def __init__(self, ask: Ask, collection: Json, folder: str | None = None) -> None:
        self._ask = ask
        self._collection = collection
        self._kind: str = collection["kind"]
        name = re.sub(r"[^\w.@ -]+", "_", f"{collection['name']} {collection['server']}").strip(" .")[:120]
        base = Path(folder or FOLDERS[self._kind]) / name
        self.path = f"{base}{ENDINGS[self._kind]}"
        self.conflicts_path = f"{base} (conflicts){ENDINGS[self._kind]}"
        self._state_path = Path(f"{base.parent}/.{base.name}.sync.json")

    async def run(self) -> SyncedRow:
        """Exchange what has changed.

        Raises:
            WebProblem: The companion or the server can't be reached.
            Refused: The user refused; what came from the server before is saved.
            PersonalFileProblem: A file can't be read.
        """
        document, state = self._document(), self._state()
        known = {row["path"]: row["etag"] for row in state.values()}
        asked = {name: self._collection[name] for name in ("server", "path")}
        found = await self._ask("dav/changes", **asked, known=known)
        result: SyncedRow = {
            "name": self._collection["name"],
            "server": self._collection["server"],
            "path": self.path,
            "pulled": 0,
            "pushed": 0,
            "conflicts": [],
        }
        document = self._pull(document, state, found, result)
        # Saved before the server is written: a refusal loses nothing that was read.
        self._save(document, state)
        await self._push(document, state, result)
        self._save(document, state)
        return result

    def _pull(self, document: Document, state: dict[str, Json], found: Json, result: SyncedRow) -> Document:
        by_path = {row["path"]: uid for uid, row in state.items()}
        for item in found["changed"]:
            parts = parts_of_item(item["text"], self._kind)
            uid = next((part.uid for part in parts if part.kind != "VTIMEZONE"), None)
            if uid is None:
                continue
            mine = self._of(document, by_path.get(item["path"], uid))
            text, before = self._text(document, mine), state.get(uid)
            is_mine_changed = before is not None and _digest(text) != before["digest"]
            if mine and _same(text, item["text"]):
                pass
            elif mine and (is_mine_changed or before is None):
                self._keep_conflict(document, mine, "changed on both sides", uid, result)
                document = _with(document, mine, parts)
                result["pulled"] += 1
            elif before is not None and not mine:
                # Deleted here and changed there: what was changed comes back.
                result["conflicts"].append(f"{uid}: deleted here, but changed on the server, so it is back")
                document = _with(document, [], parts)
                result["pulled"] += 1
            else:
                document = _with(document, mine, parts)
                result["pulled"] += 1
            new = self._text(document, self._of(document, uid))
            state[uid] = {"path": item["path"], "etag": item["etag"], "digest": _digest(new)}
        for path in found["gone"]:
            document = self._gone(document, state, by_path.get(path, ""), result)
        return document

    def _gone(self, document: Document, state: dict[str, Json], uid: str, result: SyncedRow) -> Document:
        before = state.pop(uid, None)
        mine = self._of(document, uid)
        if before is None or not mine:
            return document
        if _digest(self._text(document, mine)) != before["digest"]:
            self._keep_conflict(document, mine, "deleted on the server", uid, result)
        result["pulled"] += 1
        return document.changed(mine, [])

    async def _push(self, document: Document, state: dict[str, Json], result: SyncedRow) -> None:
        changes = self._changes(document, state)
        for some in _batches(changes):
            sent = [{name: each[name] for name in ("name", "etag", "text")} for each in some]
            asked = {name: self._collection[name] for name in ("server", "path")}
            answer = await self._ask("dav/push", **asked, changes=sent)
            for change, done in zip(some, answer["results"], strict=True):
                uid = change["uid"]
                if not done["done"]:
                    result["conflicts"].append(f"{uid}: the server has another version; synchronize again")
                elif change["text"] is None:
                    del state[uid]
                    result["pushed"] += 1
                else:
                    # Without an ETag in the answer, the server may have changed the item: the next time reads it.
                    state[uid] = {
                        "path": done["path"],
                        "etag": done["etag"],
                        "digest": _digest(change["text"]),
                    }
                    result["pushed"] += 1

    def _changes(self, document: Document, state: dict[str, Json]) -> list[Json]:
        groups = self._groups(document)
        changes: list[Json] = []
        for uid, parts in groups.items():
            text, before = self._text(document, parts), state.get(uid)
            if before is None:
                name = f"{hashlib.sha256(uid.encode()).hexdigest()[:32]}{ENDINGS[self._kind]}"
                changes.append({"uid": uid, "name": name, "etag": "", "text": text})
            elif _digest(text) != before["digest"]:
                changes.append({"uid": uid, "name": before["path"], "etag": before["etag"], "text": text})
        changes += [
            {"uid": uid, "name": row["path"], "etag": row["etag"], "text": None}
            for uid, row in state.items()
            if uid not in groups
        ]
        return changes

    def _keep_conflict(
        self, document: Document, parts: list[Part], why: str, uid: str, result: SyncedRow
    ) -> None:
        """Add the user's own version to the file of conflicts."""
        retained = self._read(self.conflicts_path)
        documents.write(
            self.conflicts_path, _with(retained, [], parts_of_item(self._text(document, parts), self._kind))
        )
        result["conflicts"].append(f"{uid}: {why}; your version is in {self.conflicts_path}")

    def _document(self) -> Document:
        return self._read(self.path)

    def _read(self, path: str) -> Document:
        if self._kind == "calendar":
            return documents.read(path, "VCALENDAR", FORMAT) or Document(EMPTY, [], "END:VCALENDAR\r\n")
        return documents.read(path, "", CARD_FORMAT) or Document("", [], "")

    def _state(self) -> dict[str, Json]:
        try:
            return json.loads(self._state_path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise PersonalFileProblem(
                f"{self._state_path} can't be read: {error}",
                hint=f"Delete it: the next time compares {self.path} with the server and keeps what differs.",
            ) from error

    def _save(self, document: Document, state: dict[str, Json]) -> None:
        documents.write(self.path, document)
        write_text(str(self._state_path), json.dumps(state, indent=1, ensure_ascii=False))

    def _groups(self, document: Document) -> dict[str, list[Part]]:
        groups: dict[str, list[Part]] = {}
        for part in document.parts:
            if part.kind != "VTIMEZONE":
                groups.setdefault(part.uid, []).append(part)
        return groups

    def _of(self, document: Document, uid: str) -> list[Part]:
        return [part for part in document.of(uid) if part.kind != "VTIMEZONE"]

    def _text(self, document: Document, parts: list[Part]) -> str:
        return item_text(document, parts, self._kind) if parts else ""


def _with(document: Document, old: list[Part], new: Iterable[Part]) -> Document:
    """Return a document with the components of an item; zones that it has already stay as they are."""
    zones = {part.value("TZID") for part in document.parts if part.kind == "VTIMEZONE"}
    added = [part for part in new if part.kind != "VTIMEZONE" or part.value("TZID") not in zones]
    return document.changed(old, sorted(added, key=lambda part: part.kind != "VTIMEZONE"))


def _digest(text: str) -> str:
    return hashlib.sha256(_plain(text).encode("utf-8", "surrogateescape")).hexdigest()


def _same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    """Return a text without folds and the form of line ends, which servers change."""
    lines = re.sub(r"\r?\n[ \t]", "", text).replace("\r\n", "\n").strip().split("\n")
    # Servers may also order properties again, and put their own name into the calendar.
    return "\n".join(
        sorted(line for line in lines if not line.startswith(("PRODID", "CALSCALE", "METHOD", "X-WR-")))
    )


def _batches(changes: list[Json]) -> Iterable[list[Json]]:
    """Return changes in parts that a question has room for."""
    part: list[Json] = []
    size = 0
    for change in changes:
        length = len(change["text"] or "") + 200
        if part and (size + length > MOST_SHOWN or len(part) == 500):
            yield part
            part, size = [], 0
        part.append(change)
        size += length
    if part:
        yield part
