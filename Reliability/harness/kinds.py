"""The operations on stores, and the states that are allowed after they were interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .states import State, expected

BEFORE, SOURCE = 6, 9


@dataclass
class File:
    """A store that must open, in one of the states. `None`: it may be absent."""
    name: str
    states: list[State | None]
    version: int = 1


@dataclass
class Kind:
    name: str
    operation: str
    #: The files after so many acknowledged steps, with a seed.
    files: Callable[[int, int], list[File]]
    steps: int = 1
    fields: dict[str, Any] = field(default_factory=dict)
    prepares: bool = True
    #: Whether the stores are SQLite files, which plain SQLite can judge.
    is_sqlite: bool = True
    #: Files beside the stores that belong there.
    beside: tuple[str, ...] = ()

    def request(self, folder: Any, seed: int) -> dict[str, Any]:
        return {"operation": self.operation, "folder": str(folder), "seed": seed, "steps": self.steps,
                "before": BEFORE if self.prepares else 0, "source": SOURCE, **self.fields}


def _saves(before: int, file: str = "store.sqlite", history: bool = True) -> Callable[[int, int], list[File]]:
    return lambda acked, seed: [
        File(file, [expected(before + acked + n, seed, history=history) for n in (0, 1)])]


def _migrated(acked: int, seed: int) -> list[File]:
    return [File("store.sqlite", [expected(BEFORE, seed, version=2)], version=2)]


def _mapped(acked: int, seed: int) -> list[File]:
    # A migration by a mapping model makes a new file, whose history begins anew.
    return [File("store.sqlite", [{**expected(BEFORE, seed, version=2), "history": None}], version=2)]


def _replaced(acked: int, seed: int) -> list[File]:
    states = [expected(SOURCE, seed)] + ([] if acked else [expected(BEFORE, seed)])
    return [File("store.sqlite", states), File("source.sqlite", [expected(SOURCE, seed)])]


def _moved(acked: int, seed: int) -> list[File]:
    state = {**expected(BEFORE, seed), "history": None}
    return [File("store.sqlite", [expected(BEFORE, seed)]),
            File("moved.sqlite", [state] + ([] if acked else [None]))]


def _destroyed(acked: int, seed: int) -> list[File]:
    return [File("store.sqlite", [expected(0, seed), None] + ([] if acked else [expected(BEFORE, seed)]))]


def _imported(acked: int, seed: int) -> list[File]:
    before = {**expected(BEFORE, seed), "history": None}
    after = {**before, "items": [[1, n, n] for n in range(300)]}
    return [File("store.sqlite", [after] if acked else [before, after])]


def _studio(acked: int, seed: int) -> list[File]:
    before = {**expected(BEFORE, seed), "history": None}
    return [File("store.sqlite", [
        {**before, "items": [[step, n, n] for step in range(1, steps + 1) for n in (0, 1)]}
        for steps in (acked, acked + 1)])]


XML, BINARY = {"type": "XML", "file": "store.xml"}, {"type": "Binary", "file": "store.binary"}

KINDS = [
    Kind("save-wal", "save", _saves(BEFORE), steps=6, fields={"constraints": 1}),
    Kind("save-delete", "save", _saves(BEFORE), steps=6, fields={"constraints": 1, "journal": "DELETE"}),
    Kind("create", "create", _saves(0), steps=2, prepares=False),
    Kind("open", "open", lambda acked, seed: [File("store.sqlite", [expected(BEFORE, seed)])]),
    Kind("migrate", "migrate", _migrated),
    Kind("map", "map", _mapped),
    Kind("batch", "batch", lambda acked, seed: [
        File("store.sqlite", [expected(BEFORE, seed, batches=acked + n) for n in (0, 1)])], steps=9),
    Kind("replace", "replace", _replaced),
    Kind("move", "move", _moved),
    Kind("destroy", "destroy", _destroyed),
    Kind("save-xml", "save", _saves(BEFORE, "store.xml", history=False), steps=4, fields=XML, is_sqlite=False),
    Kind("save-binary", "save", _saves(BEFORE, "store.binary", history=False), steps=4, fields=BINARY,
         is_sqlite=False),
    Kind("import", "import", _imported, beside=("import.json",)),
    Kind("studio", "studio", _studio, steps=4),
]
