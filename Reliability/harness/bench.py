"""The surroundings of cases: folders in memory, a judge, and the stores that the cases of a kind begin with."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .kinds import File, Kind
from .report import Report
from .states import Reader, difference, generation, strangers
from .worker import Died, Hung, Worker

#: How many saves are in the stores that damage is done to.
GENERATIONS = 4


def told(error: dict) -> str:
    """An error in few words."""
    sqlite = f", SQLite {error['sqlite']}" if "sqlite" in error else ""
    return f"{error.get('domain', '')} {error.get('code', '')}{sqlite}: {error.get('text', error)}"


@dataclass
class Settings:
    seed: int
    case: int | None
    plan: str | None
    keep: bool
    jobs: int


class Bench:
    def __init__(self, settings: Settings, report: Report):
        self.settings, self.report = settings, report
        # Files in memory: a killed process leaves the same there as on a disk, and a sync takes no time.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="reliability-", dir=memory)))
        self._prepared: dict[str, Path] = {}
        self._lock = threading.Lock()
        self._local = threading.local()
        self._workers: list[Worker] = []

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        if self.settings.keep:
            print(f"kept: {self.root}")
        else:
            shutil.rmtree(self.root, ignore_errors=True)

    def replay(self, kind: str, case: int, plan: str | None = None) -> str:
        words = ["Scripts/reliability", "--seed", str(self.settings.seed), "--case", str(case)]
        return " ".join(words + (["--plan", plan] if plan else []) + [kind])

    def keep(self, worker: Worker) -> Worker:
        """Has a worker closed at the end."""
        with self._lock:
            self._workers.append(worker)
        return worker

    def shared(self, name: str, make: Callable[[Path], None]) -> Path:
        """A folder that several kinds read; the first of them fills it."""
        with self._lock:
            if name not in self._prepared:
                folder = self.root / name
                folder.mkdir()
                make(folder)
                self._prepared[name] = folder
            return self._prepared[name]

    def originals(self) -> Path:
        """Sound files of every form, to damage copies of."""
        return self.shared("originals", self._make_originals)

    def _make_originals(self, folder: Path) -> None:
        worker = Worker(limit=60)
        answer = worker.ask(do="originals", folder=str(folder), seed=self.settings.seed, before=GENERATIONS)
        worker.close()
        if "error" in answer:
            raise SystemExit(f"the sound files can't be made: {answer}")

    def judge_worker(self) -> Worker:
        """This thread's judge, whose file calls nobody touches."""
        judge = getattr(self._local, "judge", None)
        if judge is None or judge.process.poll() is not None:
            judge = self._local.judge = self.keep(Worker())
        return judge

    def base(self, kind: Kind) -> Path:
        """The folder that each case of a kind gets a copy of."""
        with self._lock:
            if kind.name not in self._prepared:
                folder = self.root / f"base-{kind.name}"
                folder.mkdir()
                worker = Worker()
                if kind.prepares:
                    answer = worker.ask(**{"do": "prepare", **kind.request(folder, self.settings.seed)})
                    if "error" in answer:
                        raise SystemExit(f"{kind.name} can't be prepared: {answer}")
                worker.close()
                self._prepared[kind.name] = folder
            return self._prepared[kind.name]

    def fresh(self, kind: Kind, name: str) -> Path:
        folder = self.root / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base(kind), folder)
        return folder

    def drop(self, folder: Path) -> None:
        if not self.settings.keep:
            shutil.rmtree(folder, ignore_errors=True)

    # The state after a case

    def examine(self, kind: Kind, label: str, folder: Path, files: list[File], replay: str) -> bool:
        """Judges all stores of a folder, through the framework and through plain SQLite. Returns whether all is well."""
        before = len(self.report.failures)
        copy = folder.with_name(folder.name + "-copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        for file in files:
            self._examine(kind, label, folder, copy, file, replay)
        self.report.tell(label, "litter", len(strangers(copy, [*(file.name for file in files), *kind.beside])))
        shutil.rmtree(copy, ignore_errors=True)
        return len(self.report.failures) == before

    def _examine(self, kind: Kind, label: str, folder: Path, copy: Path, file: File, replay: str) -> None:
        def fail(column: str, reason: str) -> None:
            self.report.fail(label, column, replay, f"{file.name}: {reason}")

        if not (folder / file.name).exists():
            if not any(state is None or generation(state) == 0 for state in file.states):
                fail("lost", "the file is gone")
            return
        request = {**kind.request(folder, self.settings.seed), "do": "judge", "file": file.name, "writes": 1,
                   "version": file.version}
        try:
            verdict = self.judge_worker().ask(limit=30, **request)
        except Died as death:
            return fail("traps", f"the judge {death}")
        except Hung:
            return fail("hangs", "opening and reading takes more than 30 s")
        if "error" in verdict:
            return fail("unopenable", told(verdict["error"]))
        if verdict.get("harmful"):
            fail("damaged", f"verify: {verdict['harmful']}")
        self._compare(verdict["state"], file, fail)
        if kind.is_sqlite:
            self._read_plainly(verdict["state"], file, copy, label, fail)

    def _compare(self, found: dict, file: File, fail) -> None:
        wanted = [state for state in file.states if state is not None]
        differences = [difference(found, self._settled(state)) for state in wanted]
        if None in differences:
            return
        if not wanted:
            return fail("half done", "there is a store where there may be none")
        generations = [generation(state) for state in wanted]
        if None in file.states and generation(found) == 0:
            fail("half done", f"a store without rows, where there may be none at all, or all: {differences[0]}")
        elif generation(found) in generations:
            fail("half done", f"{differences[generations.index(generation(found))]}")
        else:
            fail("lost", f"the counter is {generation(found)}, not one of {generations}; {differences[0]}")

    @staticmethod
    def _settled(state: dict) -> dict:
        """A state to compare with: what is `None` in it is not compared."""
        return {key: value for key, value in state.items() if value is not None}

    def _read_plainly(self, found: dict, file: File, copy: Path, label: str, fail) -> None:
        try:
            with Reader(copy / file.name, self.settings.seed, file.version) as reader:
                if not reader.has("Z_METADATA"):
                    return
                problems = reader.problems()
                if problems:
                    return fail("damaged", f"plain SQLite: {problems}")
                self.report.tell(label, "litter", len(reader.litter()))
                # A store of the first version was migrated by the judge when it opened it.
                names = [row[1] for row in reader.rows("PRAGMA table_info(ZNOTE)")]
                if ("ZBODY" in names) != (file.version > 1):
                    return
                wrong = difference(reader.state(), found)
                if wrong:
                    fail("wrong values", f"plain SQLite reads other values than the framework: {wrong}")
        except sqlite3.Error as error:
            fail("damaged", f"plain SQLite: {error}")
