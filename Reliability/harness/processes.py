"""Processes and threads that count in one store, with optimistic locking and constraints, and readers beside them."""

from __future__ import annotations

import random
from pathlib import Path

from .bench import Bench, told
from .kinds import Kind
from .states import Reader
from .worker import Died, Hung, Worker

INCREMENTS = 12


class Processes:
    label = "processes"

    def __init__(self, bench: Bench, kind: Kind):
        self.bench, self.kind = bench, kind
        self.fields: dict[str, int] = {}

    def run_case(self, case: int) -> None:
        seed = self.bench.settings.seed
        rng = random.Random(f"{seed}/{self.label}/{case}")
        processes, threads, readers = rng.randint(2, 8), rng.choice([1, 1, 2, 8]), rng.randint(0, 2)
        replay = self.bench.replay("processes", case) + f"   # {processes} processes of {threads} threads"
        folder = self.bench.root / f"processes-{case}"
        folder.mkdir(exist_ok=True)
        place = {"folder": str(folder), "seed": seed, "journal": rng.choice(["WAL", "WAL", "WAL", "DELETE"])}
        workers = [Worker(limit=120) for _ in range(processes + readers)]
        try:
            self._run(workers[:processes], workers[processes:], threads, place, replay)
        except Hung:
            self.bench.report.fail(self.label, "hangs", replay, "120 s are not enough")
        except Died as death:
            self.bench.report.fail(self.label, "traps", replay, str(death))
        finally:
            for worker in workers:
                worker.close()
        self.bench.report.case(self.label, acknowledged=processes * threads * INCREMENTS)
        self.bench.drop(folder)

    def _run(self, writers: list[Worker], readers: list[Worker], threads: int, place: dict, replay: str) -> None:
        def fail(column: str, reason: str) -> None:
            self.bench.report.fail(self.label, column, replay, reason)

        writers[0].ask(**{**place, "do": "counter"})
        for number, worker in enumerate(writers):
            worker.send({**place, "do": "count", "threads": threads, "increments": INCREMENTS,
                         "process": number, **self.fields})
        for worker in readers:
            worker.send({**place, "do": "watch", "reads": 40})
        won = 0
        for worker in writers:
            answer = worker.answer()
            if "error" in answer:
                return fail("wrong code", told(answer["error"]))
            won += answer["won"]
        for worker in readers:
            answer = worker.answer()
            if "error" in answer:
                fail("wrong code", f"a reader: {told(answer['error'])}")
            elif answer["wrong"] and place["journal"] == "WAL":
                fail("half done", f"a reader sees {answer['wrong'][:3]}")
        total = len(writers) * threads * INCREMENTS
        with Reader(Path(place["folder"]) / "store.sqlite", place["seed"]) as reader:
            found = reader.rows("SELECT (SELECT ZVALUE FROM ZCOUNTER), (SELECT COUNT(*) FROM ZITEM), "
                                "(SELECT COUNT(*) FROM ZTAG)")[0]
            if found != [total, total, INCREMENTS] or won != INCREMENTS:
                fail("lost", f"counter, rows and tags are {found}, not {[total, total, INCREMENTS]}; {won} tags won")
            problems = reader.problems()
            if problems:
                fail("damaged", str(problems))
