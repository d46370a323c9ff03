"""The contents that a store must have, those that plain SQLite reads from it, and their differences.

A state is a dictionary as the worker's judge makes it (Sources/Worker/Judge.swift)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

State = dict[str, Any]
KEPT = 5
ROWS = 40  # of a batch


def blob_size(generation: int) -> int:
    return 131_073 + generation * 7919 % 40_000


def blob(generation: int, seed: int, count: int) -> bytes:
    head = f"{seed}/{generation}/{count};".encode()
    block = head * -(-4096 // len(head))
    return (block * (count // len(block) + 1))[:count]


def expected(generation: int, seed: int, version: int = 1, batches: int = 0, history: bool = True) -> State:
    """After so many saves and steps of batches. Generation.swift makes the saves."""
    state: State = {"counter": [generation] if generation else [], "folders": [], "notes": [], "tags": [], "items": []}
    alive = range(max(1, generation - KEPT + 1), generation + 1)
    for made in alive:
        state["folders"].append([made, 3])
        state["tags"].append([made, f"tag {seed}/{made}"])
        for index in range(3):
            was_updated = made + 3 <= generation
            number = 1000 + made + 3 if index == 1 and was_updated else made
            key = made + 3 if index == 0 and was_updated and (made + 3) % 2 == 0 else made
            label = [f"{key}/{blob_size(key)}", f"{made}/100", "nil"][index]
            tags = [[made - 1, made], [made], []][index]
            names = sorted(f"tag {seed}/{tag}" for tag in tags if tag in alive)
            note = [made, index, number, f"note {seed}/{made}/{index}", label, made, names]
            state["notes"].append(note + ([3] if version > 1 else []))
    state["items"] = items(batches)
    if history:
        # Step 3 deletes the rows of batch 0: there are none, so it is no transaction.
        state["history"] = [f"g{n}" for n in range(1, generation + 1)] + [
            f"b{n}" for n in range(1, batches + 1) if n != 3]
    return state


def items(steps: int) -> list[list[int]]:
    """Rows after so many steps of BatchOperation."""
    rows: dict[int, list[list[int]]] = {}
    for step in range(1, steps + 1):
        batch = (step + 2) // 3
        if step % 3 == 1:
            rows[batch] = [[batch, n, n] for n in range(ROWS)]
        elif step % 3 == 2:
            rows[batch] = [[batch, n, n * 2 + batch] for n in range(ROWS)]
        else:
            rows.pop(batch - 1, None)
    return [row for batch in sorted(rows) for row in rows[batch]]


def without_counts(state: State) -> State:
    """A state with the history's authors alone, one for each transaction that changed something."""
    if "history" not in state:
        return state
    authors = [entry[0] if isinstance(entry, list) else entry for entry in state["history"]]
    return {**state, "history": authors}


def difference(found: State, wanted: State) -> str | None:
    """The first difference, as a sentence."""
    found, wanted = without_counts(found), without_counts(wanted)
    for key in wanted:
        if found.get(key) == wanted[key]:
            continue
        if isinstance(found.get(key), list):
            missing = [row for row in wanted[key] if row not in found[key]]
            added = [row for row in found[key] if row not in wanted[key]]
            return f"{key}: missing {missing[:3]}, added {added[:3]}"
        return f"{key}: {found.get(key)} in place of {wanted[key]}"
    return None


def generation(state: State) -> int:
    return state["counter"][0] if state.get("counter") else 0


class Reader:
    """A store through plain SQLite, without the framework."""

    def __init__(self, path: Path, seed: int, version: int = 1):
        self.path, self.seed, self.version = path, seed, version
        self.external = path.parent / f".{path.stem}_SUPPORT" / "_EXTERNAL_DATA"
        self.database = sqlite3.connect(path, timeout=5)
        self.database.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def rows(self, sql: str, *values: Any) -> list[list[Any]]:
        return [list(row) for row in self.database.execute(sql, values)]

    def has(self, table: str) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table))

    def state(self) -> State:
        text = "ZBODY" if self.version > 1 else "ZTEXT"
        rating = ", N.ZRATING" if self.version > 1 else ""
        join, (notes, tags) = self.join()
        state: State = {
            "counter": [row[0] for row in self.rows("SELECT ZVALUE FROM ZCOUNTER ORDER BY 1")],
            "folders": self.rows("SELECT ZGEN, ZNOTECOUNT FROM ZFOLDER ORDER BY 1"),
            "tags": self.rows("SELECT ZGEN, ZNAME FROM ZTAG ORDER BY 1"),
            "items": self.rows("SELECT ZBATCH, ZNUMBER, ZVALUE FROM ZITEM ORDER BY 1, 2"),
            "notes": [],
        }
        for row in self.rows(
                f"SELECT N.Z_PK, N.ZGEN, N.ZINDEX, N.ZSTATE, N.{text}, N.ZBLOB, F.ZGEN{rating} FROM ZNOTE N "
                "LEFT JOIN ZFOLDER F ON F.Z_PK = N.ZFOLDER ORDER BY N.ZGEN, N.ZINDEX"):
            names = ["nil" if r[0] is None else r[0] for r in self.rows(
                f"SELECT T.ZNAME FROM {join} J JOIN ZTAG T ON T.Z_PK = J.{tags} WHERE J.{notes} = ? ORDER BY 1", row[0])]
            state["notes"].append(
                row[1:5] + [self.label(row[5]), -1 if row[6] is None else row[6], names] + row[7:])
        state["history"] = []
        if self.has("ATRANSACTION"):
            state["history"] = self.rows(
                "SELECT COALESCE(T.ZAUTHOR, S.ZNAME, ''), "
                "(SELECT COUNT(*) FROM ACHANGE C WHERE C.ZTRANSACTIONID = T.Z_PK) FROM ATRANSACTION T "
                "LEFT JOIN ATRANSACTIONSTRING S ON S.Z_PK = T.ZAUTHORTS ORDER BY T.Z_PK")
        return state

    def join(self) -> tuple[str, list[str]]:
        name = self.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*TAGS'")[0][0]
        columns = [row[1] for row in self.rows(f"PRAGMA table_info({name})")]
        return name, sorted(columns, key=lambda column: "NOTES" not in column)

    def label(self, value: Any) -> str:
        """The generation of these bytes: 01 and the bytes, or 02 and a file's name."""
        if value is None:
            return "nil"
        if not isinstance(value, bytes):
            return f"no bytes: {value!r}"
        content: bytes | None = value[1:]
        if value[:1] == b"\x02":
            try:
                content = (self.external / value[1:].rstrip(b"\0").decode()).read_bytes()
            except (OSError, ValueError):
                return "no file"
        elif value[:1] != b"\x01":
            return f"mark {value[:1]!r}"
        made = content[:64].split(b"/")
        if len(made) > 1 and made[1].isdigit() and content == blob(int(made[1]), self.seed, len(content)):
            return f"{int(made[1])}/{len(content)}"
        return f"wrong/{len(content)}"

    def problems(self) -> list[str]:
        """The faults that are inconsistent in any state."""
        found = [row[0] for row in self.rows("PRAGMA integrity_check") if row[0] != "ok"]
        if found:
            return found[:3]
        for number, name, maximum in self.rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY"):
            if not self.has("Z" + name.upper()):
                continue
            highest = self.rows(f"SELECT IFNULL(MAX(Z_PK), 0) FROM Z{name.upper()}")[0][0]
            if highest > maximum:
                found.append(f"the counter of {name} is {maximum}, but there is row {highest}")
            if self.rows(f"SELECT 1 FROM Z{name.upper()} WHERE Z_ENT <> ?", number):
                found.append(f"rows of {name} have another entity's number")
        join, (notes, tags) = self.join()
        checks = {
            "join rows without a note": f"SELECT 1 FROM {join} WHERE {notes} NOT IN (SELECT Z_PK FROM ZNOTE)",
            "join rows without a tag": f"SELECT 1 FROM {join} WHERE {tags} NOT IN (SELECT Z_PK FROM ZTAG)",
            "notes whose folder is gone":
                "SELECT 1 FROM ZNOTE WHERE ZFOLDER NOT NULL AND ZFOLDER NOT IN (SELECT Z_PK FROM ZFOLDER)",
        }
        if self.has("ACHANGE"):
            checks["changes without a transaction"] = (
                "SELECT 1 FROM ACHANGE WHERE ZTRANSACTIONID IS NULL "
                "OR ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
            checks["transactions without changes"] = (
                "SELECT 1 FROM ATRANSACTION WHERE Z_PK NOT IN (SELECT ZTRANSACTIONID FROM ACHANGE)")
        return found + [name for name, sql in checks.items() if self.rows(sql)]

    def litter(self) -> list[str]:
        """Files below the folder that no row names and that no other store has."""
        used = {bytes(row[0])[1:].rstrip(b"\0").decode("utf-8", "replace") for row in self.rows(
            "SELECT ZBLOB FROM ZNOTE WHERE typeof(ZBLOB) = 'blob'") if row[0][:1] == b"\x02"}
        found = [p.name for p in self.external.glob("*") if p.name not in used] if self.external.exists() else []
        return found


def strangers(folder: Path, stores: list[str]) -> list[str]:
    """The files of a folder beside stores and their companions."""
    own = {name + end for name in stores for end in ("", "-wal", "-shm", "-journal")}
    own |= {f".{Path(name).stem}_SUPPORT" for name in stores}
    return sorted(p.name for p in folder.iterdir() if p.name not in own)
