"""kill -9: at random instants, and before or after the Nth file call."""

from __future__ import annotations

import random
import time
from pathlib import Path

from .bench import Bench
from .kinds import Kind
from .worker import Died, Hung, Worker


class Kills:
    """The cases of one kind."""

    def __init__(self, bench: Bench, kind: Kind, lies: bool = False):
        self.bench, self.kind, self.lies = bench, kind, lies
        self.label = f"kill {kind.name}"
        self._calls, self._seconds = self._measure()

    def _measure(self) -> tuple[int, float]:
        """The number of file calls of an undisturbed run, and the time that it takes."""
        folder = self.bench.fresh(self.kind, f"measure-{self.kind.name}")
        worker = Worker(folder)
        start = time.monotonic()
        acked, end = self._run(worker, folder, "")
        seconds = time.monotonic() - start
        worker.close()
        if acked != self.kind.steps or "error" in end:
            raise SystemExit(f"{self.label}: the undisturbed run fails: {acked} steps, {end}")
        files = self.kind.files(acked, self.bench.settings.seed)
        if not self.bench.examine(self.kind, self.label, folder, files, "undisturbed"):
            self.bench.report.case(self.label)
        self.bench.drop(folder)
        return sum(end["counts"].values()), seconds

    def plan(self, case: int) -> str:
        rng = random.Random(f"{self.bench.settings.seed}/{self.label}/{case}")
        if rng.random() < 0.25:
            return f"instant:{rng.uniform(0, self._seconds):.5f}"
        side = rng.choice(["kill-before", "kill-after"])
        # Most calls are locks; half of the cases leave those out.
        classes = rng.choice(["any", "open+write+sync+truncate+rename+unlink+link+mkdir"])
        calls = self._calls if classes == "any" else max(4, self._calls // 3)
        return f"{side}:{classes}:{rng.randint(1, calls)}"

    def run_case(self, case: int) -> None:
        bench = self.bench
        plan = bench.settings.plan or self.plan(case)
        replay = bench.replay(self.label.replace(" ", "-"), case, plan)
        folder = bench.fresh(self.kind, f"{self.kind.name}-{case}")
        worker = Worker(folder)
        try:
            acked, end = self._run(worker, folder, plan)
        except Hung:
            bench.report.fail(self.label, "hangs", replay, "no answer")
            return bench.report.case(self.label)
        except Died as death:
            bench.report.fail(self.label, "traps", replay, str(death))
            return bench.report.case(self.label)
        finally:
            worker.close()
        if "error" in end:
            bench.report.fail(self.label, "wrong code", replay, f"an error without a fault: {end['error']}")
        bench.report.case(self.label, acked, faults=0 if "done" in end else 1)
        self._kill_again(case, folder, replay)
        bench.examine(self.kind, self.label, folder, self.kind.files(acked, bench.settings.seed), replay)
        bench.drop(folder)

    def _kill_again(self, case: int, folder: Path, replay: str) -> None:
        """Kills also the next process that opens the store, in some cases: while it brings things in order."""
        rng = random.Random(f"{self.bench.settings.seed}/{self.label}/{case}/again")
        request = {**self.kind.request(folder, self.bench.settings.seed), "do": "run", "operation": "open", "steps": 1}
        # If there is no file, opening would make one.
        if rng.random() > 0.25 or self.lies or not (folder / request.get("file", "store.sqlite")).exists():
            return
        worker = Worker(folder)
        try:
            worker.ask(**request, plan=f"kill-before:any:{rng.randint(1, 120)}")
        except Hung:
            self.bench.report.fail(self.label, "hangs", replay, "opening after a kill")
        except Died as death:
            if death.is_trap:
                self.bench.report.fail(self.label, "traps", replay, f"opening after a kill: {death}")
        finally:
            worker.close()

    def _run(self, worker: Worker, folder, plan: str) -> tuple[int, dict]:
        """The steps that were acknowledged, and the last answer, empty if the process was killed."""
        request = {**self.kind.request(folder, self.bench.settings.seed), "do": "run", "lie": int(self.lies)}
        instant = float(plan.split(":")[1]) if plan.startswith("instant") else None
        worker.send({**request, "plan": "" if instant is not None else plan})
        if instant is not None:
            time.sleep(instant)
            worker.kill()
        acked = 0
        try:
            while True:
                answer = worker.answer()
                if "ack" not in answer:
                    return acked, answer
                acked = answer["ack"]
        except Died as death:
            if death.is_trap:
                raise
            return acked, {}
