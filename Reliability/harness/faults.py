"""Files that fail: the Nth open, write, sync, truncate, rename, unlink, read; and a file system that is full."""

from __future__ import annotations

import random
import re
import resource
import subprocess
import threading
from pathlib import Path

from .bench import Bench, told
from .kinds import Kind
from .worker import ROOT, Died, Hung, Worker

#: What can befall a call of each class.
ACTIONS = {
    "open": ["eio", "emfile", "enospc"], "write": ["eio", "enospc", "short"], "sync": ["eio", "enospc"],
    "truncate": ["eio"], "rename": ["eio", "enospc"], "unlink": ["eio"], "read": ["eio", "short"],
    "mkdir": ["eio", "enospc"], "link": ["eio", "enospc"], "map": ["eio"],
}
#: How a full disk is told; in a migration by mapping beneath its own code.
FULL = {640, 134160}
#: Where SQLite doesn't tell that the disk is full: growing the -shm.
HIDING = {4874}
#: Codes that say something else than that a file failed: apps make a new store on 260 and migrate on 134100.
MISLEADING = {259, 260, 134010, 134020, 134081, 134100, 133020, 133021, 134504, 134506}


def documented() -> set[int]:
    """The codes in Docs/Errors.md."""
    text = (ROOT / "Docs/Errors.md").read_text()
    codes = {int(n) for n in re.findall(r"\b\d{3,6}\b", "\n".join(
        line for line in text.split("\n") if line.startswith("|")))}
    return codes - MISLEADING


class Faults:
    def __init__(self, bench: Bench, kind: Kind):
        self.bench, self.kind = bench, kind
        self.label = f"fault {kind.name}"
        self.codes = documented()
        self._local = threading.local()
        self.plans = self._plans()

    def _plans(self) -> list[str]:
        """Every call of an undisturbed step with all that can befall it, in an order that the seed decides."""
        folder = self.bench.fresh(self.kind, f"measure-fault-{self.kind.name}")
        answer = self._ask(folder, "")
        self.bench.drop(folder)
        if "error" in answer:
            raise SystemExit(f"{self.label}: the undisturbed step fails: {answer}")
        plans = [
            f"{action}:{name}:{number}{often}"
            for name, actions in ACTIONS.items() for number in range(1, answer["counts"].get(name, 0) + 1)
            for action in actions for often in ("", ":ever")
        ]
        random.Random(f"{self.bench.settings.seed}/{self.label}").shuffle(plans)
        return plans

    def _ask(self, folder: Path, plan: str) -> dict:
        worker = getattr(self._local, "worker", None)
        if worker is None or worker.process.poll() is not None:
            worker = self._local.worker = self.bench.keep(Worker(self.bench.root))
        return worker.ask(**{**self.kind.request(folder, self.bench.settings.seed), "do": "fault", "plan": plan})

    def run_case(self, case: int) -> None:
        bench = self.bench
        plan = bench.settings.plan or self.plans[case % len(self.plans)]
        replay = bench.replay(self.label.replace(" ", "-"), case, plan)
        folder = bench.fresh(self.kind, f"fault-{self.kind.name}-{case}")
        try:
            answer = self._ask(folder, plan)
        except Hung:
            bench.report.fail(self.label, "hangs", replay, f"no answer under {plan}")
            bench.report.case(self.label, faults=1)
            return bench.drop(folder)
        except Died as death:
            bench.report.fail(self.label, "traps", replay, str(death))
            bench.report.case(self.label, faults=1)
            # The store must be sound after the trap none the less.
            bench.examine(self.kind, self.label, folder, self._after(0), replay)
            return bench.drop(folder)
        acked = 0 if "retry" in answer else 1
        bench.report.case(self.label, acked, faults=min(1, answer.get("delivered", 0)))
        self._check(answer, plan, replay)
        bench.examine(self.kind, self.label, folder, self._after(acked), replay)
        bench.drop(folder)

    def _after(self, acked: int):
        files = self.kind.files(acked, self.bench.settings.seed)
        if acked:
            # Acknowledged or tried again: the state before is none any more, nor is there a step after it.
            for file in files:
                file.states = file.states[:1]
        return files

    def _check(self, answer: dict, plan: str, replay: str) -> None:
        def fail(column: str, reason: str) -> None:
            self.bench.report.fail(self.label, column, replay, reason)

        error = answer.get("error")
        if error and "Worker.Request.Problem" in str(error.get("domain", "")):
            if "wrong values" in error["text"]:
                fail("wrong values", error["text"])
        elif error:
            is_tool = error.get("domain") == "StoreTools.ToolFailure"  # says its reason in words
            if not is_tool and (error.get("domain") != "NSCocoaErrorDomain" or error.get("code") not in self.codes):
                fail("wrong code", told(error))
            elif plan.startswith("enospc:write") and self.kind.is_sqlite and error["code"] not in FULL \
                    and error.get("sqlite") not in HIDING:
                fail("wrong code", f"a full disk is not told as 640 but as {told(error)}")
        if error and not answer.get("delivered"):
            fail("wrong code", f"an error without a fault: {told(error)}")
        if answer.get("pending") is False:
            fail("changes gone", f"after {told(error)}")
        if "retry" in answer:
            fail("no retry", f"after {told(error)} the retry gives {told(answer['retry'])}")


class FullDisk:
    """Saves to a file system of one or two megabytes until it is full, then with more space."""

    label = "full disk"

    def __init__(self, bench: Bench, kind: Kind):
        self.bench, self.kind = bench, kind
        self.codes = documented()

    def run_case(self, case: int) -> None:
        bench, seed = self.bench, self.bench.settings.seed
        rng = random.Random(f"{seed}/{self.label}/{case}")
        replay = bench.replay("full-disk", case)
        base = bench.base(self.kind)
        used = sum(path.stat().st_size for path in base.rglob("*") if path.is_file())
        folder = bench.root / f"full-{case}"
        folder.mkdir(exist_ok=True)
        size = used // 1024 + 160 + rng.randint(0, 600)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(folder)],
                                 capture_output=True).returncode == 0
        try:
            self._run(folder, base, size, mounted, replay)
        except Hung:
            bench.report.fail(self.label, "hangs", replay, "no answer on a full disk")
        except Died as death:
            bench.report.fail(self.label, "traps", replay, str(death))
        finally:
            if mounted:
                subprocess.run(["umount", "-l", str(folder)], check=True)

    def _run(self, folder: Path, base: Path, size: int, mounted: bool, replay: str) -> None:
        bench = self.bench
        subprocess.run(["cp", "-a", f"{base}/.", str(folder)], check=True)
        worker = Worker()
        try:
            answer = worker.ask(**{**self.kind.request(folder, bench.settings.seed), "do": "hold"})
            if "error" in answer:
                return bench.report.fail(self.label, "unopenable", replay, told(answer["error"]))
            if not mounted:
                # Without the right to mount, files may not grow instead: EFBIG in place of ENOSPC.
                resource.prlimit(worker.process.pid, resource.RLIMIT_FSIZE, (size * 1024 // 4, -1))
            answer = worker.ask(do="save", steps=60)
            steps = answer["steps"]
            bench.report.case(self.label, steps, faults=1 if "error" in answer else 0)
            if "error" in answer:
                self._check(answer, mounted, replay)
                if mounted:
                    subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
                else:
                    resource.prlimit(worker.process.pid, resource.RLIMIT_FSIZE, (-1, -1))
                answer = worker.ask(do="save", steps=1)
                steps += answer["steps"]
                if "error" in answer:
                    bench.report.fail(self.label, "no retry", replay, told(answer["error"]))
            worker.ask(do="release")
        finally:
            worker.close()
        copy = bench.root / (folder.name + "-left")
        subprocess.run(["cp", "-a", str(folder), str(copy)], check=True)
        files = self.kind.files(steps, bench.settings.seed)
        for file in files:
            file.states = file.states[:1]
        bench.examine(self.kind, self.label, copy, files, replay)
        bench.drop(copy)

    def _check(self, answer: dict, mounted: bool, replay: str) -> None:
        error = answer["error"]
        wrong = error["code"] != 640 if mounted else error["code"] not in self.codes
        if error["domain"] != "NSCocoaErrorDomain" or wrong:
            self.bench.report.fail(self.label, "wrong code", replay, told(error))
        if answer.get("pending") is False:
            self.bench.report.fail(self.label, "changes gone", replay, told(error))
