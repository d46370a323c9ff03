"""Breaks what the harness watches over, once in each way, and sees that the table tells it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from .bench import Bench, Settings
from .damage import Damages
from .faults import Faults, FullDisk
from .kills import Kills
from .kinds import BEFORE, KINDS, Kind
from .locks import Locks
from .processes import Processes
from .report import Report
from .states import blob, blob_size
from .worker import Died, Hung, Worker

SAVE = next(kind for kind in KINDS if kind.name == "save-wal")


def run(seed: int) -> int:
    """Returns how many ways of failing aren't told."""
    silent = 0
    for name, column, way in WAYS:
        report = Report()
        bench = Bench(Settings(seed, None, None, False, 1), report)
        try:
            way(bench)
        finally:
            bench.close()
        found = {failure[1] for failure in report.failures}
        if column not in found if column else found:
            silent += 1
            print(f"{name}: {column or 'nothing'} is to be told, but {sorted(found) or 'nothing'} is")
    print(f"self-test of {len(WAYS)} ways to fail: {f'{silent} are not told' if silent else 'each one is told'}")
    return silent


def _cases(run_case: Callable[[int], None], report: Report, column: str, most: int) -> None:
    for case in range(most):
        run_case(case)
        if any(failure[1] == column for failure in report.failures):
            return


def _lying_worker(bench: Bench) -> None:
    _cases(Kills(bench, SAVE, lies=True).run_case, bench.report, "lost", 40)


def _honest_worker(bench: Bench) -> None:
    folder = bench.fresh(SAVE, "honest")
    bench.examine(SAVE, "self-test", folder, SAVE.files(0, bench.settings.seed), "")


def _changed(sql: str) -> Callable[[Bench], None]:
    """A store that was changed behind the framework's back."""
    def way(bench: Bench) -> None:
        folder = bench.fresh(SAVE, "changed")
        database = sqlite3.connect(folder / "store.sqlite")
        for name in ("NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"):
            database.create_function(name, -1, lambda *_: None)
        database.execute(sql)
        database.commit()
        database.close()
        bench.examine(SAVE, "self-test", folder, SAVE.files(0, bench.settings.seed), "")
    return way


def _files(change: Callable[[Path, int], None]) -> Callable[[Bench], None]:
    def way(bench: Bench) -> None:
        folder = bench.fresh(SAVE, "files")
        change(folder, bench.settings.seed)
        bench.examine(SAVE, "self-test", folder, SAVE.files(0, bench.settings.seed), "")
    return way


def _other_bytes(folder: Path, seed: int) -> None:
    for path in (folder / ".store_SUPPORT/_EXTERNAL_DATA").iterdir():
        path.write_bytes(blob(BEFORE - 1, seed + 1, blob_size(BEFORE - 1)))


def _no_header(folder: Path, seed: int) -> None:
    data = (folder / "store.sqlite").read_bytes()
    (folder / "store.sqlite").write_bytes(bytes(100) + data[100:])


def _trap(bench: Bench) -> None:
    try:
        Worker().ask(do="trap")
    except Died as death:
        if death.is_trap:
            bench.report.fail("self-test", "traps", "", str(death))


def _hang(bench: Bench) -> None:
    try:
        Worker(limit=1).ask(do="hang")
    except Hung:
        bench.report.fail("self-test", "hangs", "", "")


def _with(kind: Kind, **fields: object) -> Kind:
    return Kind(kind.name, kind.operation, kind.files, kind.steps, {**kind.fields, **fields}, kind.prepares, kind.is_sqlite)


def _forgetful(bench: Bench) -> None:
    _cases(Faults(bench, _with(SAVE, forgets=1)).run_case, bench.report, "changes gone", 60)


def _undocumented(bench: Bench) -> None:
    faults = Faults(bench, SAVE)
    faults.codes = set()
    _cases(faults.run_case, bench.report, "wrong code", 60)


def _no_second_try(bench: Bench) -> None:
    _cases(Faults(bench, _with(SAVE, givesUp=1)).run_case, bench.report, "no retry", 60)


def _wrong_disk(bench: Bench) -> None:
    disk = FullDisk(bench, _with(SAVE, forgets=1))
    _cases(disk.run_case, bench.report, "changes gone", 12)


def _dropped_locks(bench: Bench) -> None:
    locks = Locks(bench, SAVE)
    locks.cases = [("drop-locks", "")]
    locks.run_case(0)


def _deleted_log(bench: Bench) -> None:
    _dropped_locks(bench)


def _careless_counting(bench: Bench) -> None:
    processes = Processes(bench, SAVE)
    processes.fields = {"careless": 1}
    _cases(processes.run_case, bench.report, "lost", 4)


def _silent_rows(bench: Bench) -> None:
    damages = Damages(bench, "sqlite-rows")
    damages.overlooks = True
    _cases(damages.run_case, bench.report, "wrong values", 200)


#: What is broken, the column that must tell it (none: no column may), and how.
WAYS: list[tuple[str, str, Callable[[Bench], None]]] = [
    ("a sound store", "", _honest_worker),
    ("a worker that acknowledges before it saves", "lost", _lying_worker),
    ("a counter set back", "lost", _changed("UPDATE ZCOUNTER SET ZVALUE = 2")),
    ("a note removed", "half done", _changed("DELETE FROM ZNOTE WHERE Z_PK = (SELECT MAX(Z_PK) FROM ZNOTE)")),
    ("a join row removed", "half done", _changed("DELETE FROM Z_4TAGS WHERE rowid = (SELECT MAX(rowid) FROM Z_4TAGS)")),
    ("a transaction removed", "half done", _changed("DELETE FROM ATRANSACTION WHERE Z_PK = 2")),
    ("a change without its transaction", "damaged", _changed("DELETE FROM ATRANSACTION WHERE Z_PK = 2")),
    ("a derived attribute wrong", "half done", _changed("UPDATE ZFOLDER SET ZNOTECOUNT = 7")),
    ("a key counter too low", "damaged", _changed("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'")),
    ("a relationship to nothing", "damaged", _changed("UPDATE ZNOTE SET ZFOLDER = 999 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ZNOTE)")),
    ("external files of other bytes", "half done", _files(_other_bytes)),
    ("a file without a header", "unopenable", _files(_no_header)),
    ("a file removed", "lost", _files(lambda folder, _: (folder / "store.sqlite").unlink())),
    ("a process that traps", "traps", _trap),
    ("a process that hangs", "hangs", _hang),
    ("changes dropped after a failed save", "changes gone", _forgetful),
    ("a code that no document has", "wrong code", _undocumented),
    ("a retry that fails", "no retry", _no_second_try),
    ("changes dropped on a full disk", "changes gone", _wrong_disk),
    ("a descriptor closed by the process", "locks lost", _dropped_locks),
    ("a log that another program deletes", "lost", _deleted_log),
    ("counting without optimistic locking", "lost", _careless_counting),
    ("values that aren't the file's", "wrong values", _silent_rows),
]
