"""Calls on an open store's file: the store keeps its locks, and no other program may take its log away."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .bench import Bench, told
from .kinds import Kind
from .worker import ROOT, Died, Hung, Worker

#: Reads and closes a store as another program does: who closes last and finds no lock deletes the log.
OTHER = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=5)
print(database.execute("SELECT ZVALUE FROM ZCOUNTER").fetchone()[0])
database.close()
"""
#: Tries for the locks of an open store from another process, where /proc/locks shows none.
PROBE = """
import fcntl, struct, sys
found = []
for name, path, start, size in (("main", sys.argv[1], 0x40000002, 510), ("shm", sys.argv[1] + "-shm", 128, 1)):
    try:
        with open(path, "r+b") as file:
            query = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, start, size, 0)
            if struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, query))[0] != fcntl.F_UNLCK:
                found.append(name)
    except FileNotFoundError:
        pass
print(" ".join(found))
"""
#: By which path a call reaches the file.
PATHS = {"": "store.sqlite", "-hard-link": "hard.sqlite", "-symlink": "soft.sqlite"}


def calls() -> list[str]:
    """The names in Calls.swift."""
    text = (ROOT / "Reliability/Sources/Worker/Calls.swift").read_text()
    return [line.split('"')[1] for line in text.split("\n") if line.startswith('        "') and '":' in line]


class Locks:
    label = "locks"

    def __init__(self, bench: Bench, kind: Kind):
        self.bench, self.kind = bench, kind
        # A hard link has no log of its own, so opening a store by it reads a store without its last saves, whatever
        # this library does (howtocorrupt.html, 2.5); what only looks at the file must do no harm.
        self.cases = [(name, end) for end in PATHS for name in calls()
                      if name != "drop-locks" and (end != "-hard-link" or name.startswith(("metadata", "compatible", "add-as", "tools-metadata")))]

    def run_case(self, case: int) -> None:
        name, end = self.cases[case % len(self.cases)]
        replay = self.bench.replay("locks", case) + f"   # {name}{end}"
        folder = self.bench.fresh(self.kind, f"locks-{case}")
        os.link(folder / "store.sqlite", folder / "hard.sqlite")
        os.symlink(folder / "store.sqlite", folder / "soft.sqlite")
        worker = Worker(limit=30)
        try:
            self._run(worker, folder, name, PATHS[end], replay)
        except Hung:
            self.bench.report.fail(self.label, "hangs", replay, f"{name}{end} takes more than 30 s")
        except Died as death:
            self.bench.report.fail(self.label, "traps", replay, f"{name}{end}: {death}")
        finally:
            worker.close()
        self.bench.report.case(self.label, acknowledged=2)
        self.bench.drop(folder)

    def _run(self, worker: Worker, folder: Path, name: str, path: str, replay: str) -> None:
        def fail(column: str, reason: str) -> None:
            self.bench.report.fail(self.label, column, replay, f"{name} by {path}: {reason}")

        store = folder / "store.sqlite"
        request = self.kind.request(folder, self.bench.settings.seed)
        answer = worker.ask(**{**request, "do": "hold"})
        if "error" not in answer:
            answer = worker.ask(do="save", steps=1)
        if "error" in answer:
            return fail("unopenable", told(answer["error"]))
        before = self._locks(worker.process.pid, store)
        if len(before) < 2:
            raise SystemExit(f"an open store holds no locks on its file and its -shm: {before}")
        worker.ask(**{**request, "do": "call", "name": name, "path": path})
        after = self._locks(worker.process.pid, store)
        if not before <= after:
            fail("locks lost", f"{sorted(before - after)}")
        seen = subprocess.run([sys.executable, "-c", OTHER, str(store)], capture_output=True, text=True)
        if seen.returncode != 0:
            fail("damaged", f"another program can't read: {seen.stderr[-300:]}")
        if not Path(f"{store}-wal").exists():
            fail("lost", "another program that read and closed the store deleted the log of the open store")
        answer = worker.ask(do="save", steps=1)
        if "error" in answer:
            return fail("wrong code", f"the next save fails: {told(answer['error'])}")
        seen = subprocess.run([sys.executable, "-c", OTHER, str(store)], capture_output=True, text=True)
        wanted = self.kind.request(folder, 0)["before"] + 2
        if seen.stdout.strip() != str(wanted):
            fail("lost", f"after the save of generation {wanted} another program reads "
                         f"{seen.stdout.strip() or seen.stderr[-300:]}")
        worker.ask(do="release")

    @staticmethod
    def _locks(process: int, store: Path) -> set[str]:
        """The locks that a process holds on a store's file and on its `-shm`."""
        names = {}
        for path, name in ((store, "main"), (Path(f"{store}-shm"), "shm")):
            if path.exists():
                names[path.stat().st_ino] = name
        with open("/proc/locks") as file:
            lines = [line.split() for line in file]
        if not lines:
            found = subprocess.run([sys.executable, "-c", PROBE, str(store)], capture_output=True, text=True, check=True)
            return set(found.stdout.split())
        return {
            f"{names[int(words[5].split(':')[2])]} {words[3]} {words[6]}-{words[7]}" for words in lines
            if words[1] == "POSIX" and words[4] == str(process) and int(words[5].split(":")[2]) in names}
