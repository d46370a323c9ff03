"""The command line: which kinds run, for how long, and the table at the end."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import fuzz, selftest, worker
from .bench import Bench, Settings
from .damage import Damages, forms
from .faults import Faults, FullDisk
from .kills import Kills
from .kinds import KINDS
from .locks import Locks
from .processes import Processes
from .report import Report


@dataclass
class Suite:
    """A kind as the command line knows it, with the cases of its two forms."""
    name: str
    make: Callable[[Bench], Any]
    short: int
    long: int


def suites() -> list[Suite]:
    save = KINDS[0]
    return (
        [Suite(f"kill-{kind.name}", lambda bench, kind=kind: Kills(bench, kind), 10, 1000) for kind in KINDS]
        + [Suite(f"fault-{kind.name}", lambda bench, kind=kind: Faults(bench, kind), 60, 100_000) for kind in KINDS]
        + [Suite("full-disk", lambda bench: FullDisk(bench, save), 6, 200),
           Suite("locks", lambda bench: Locks(bench, save), 1000, 1000),
           Suite("processes", lambda bench: Processes(bench, save), 2, 100)]
        + [Suite(f"damage-{form}", lambda bench, form=form: Damages(bench, form), 100, 10_000) for form in forms()]
        + [Suite(f"fuzz-{form}", lambda bench, form=form: fuzz.Fuzz(bench, form), 1, 20) for form in fuzz.FORMS])


def run_suite(suite: Suite, bench: Bench, count: int, deadline: float, stopped: threading.Event) -> None:
    runner = suite.make(bench)
    run_case = runner.run_case
    if bench.settings.case is not None:
        return run_case(bench.settings.case)
    # Kinds that have so many different cases and no more.
    for limit in ("plans", "cases"):
        count = min(count, len(getattr(runner, limit, range(count))))
    numbers = iter(range(count))
    lock = threading.Lock()
    failures: list[BaseException] = []

    def work() -> None:
        while not failures and not stopped.is_set():
            with lock:
                case = next(numbers, None)
            # The first case of a kind runs whatever the time: a kind without cases would show nothing.
            if case is None or case and time.monotonic() > deadline:
                return
            try:
                run_case(case)
            except BaseException as failure:  # of the harness itself: told by the main thread
                failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(bench.settings.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def main(usage: str) -> int:
    parser = argparse.ArgumentParser(usage=usage, add_help=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--plan")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the folders of all cases")
    parser.add_argument("--verbose", action="store_true", help="tell failures as they come")
    parser.add_argument("--build", action="store_true", help="build only")
    parser.add_argument("--skip-build", action="store_true")
    parser.add_argument("kinds", nargs="*")
    options = parser.parse_args()
    # The fuzzer is built with all of the framework: for the long form, or when it is asked for.
    fuzzes = options.long or any(name.startswith("fuzz") for name in options.kinds)
    if not options.skip_build:
        worker.build()
        if fuzzes:
            fuzz.build()
    if options.build:
        return 0
    if options.self_test:
        return 1 if selftest.run(options.seed) else 0
    chosen = [suite for suite in suites()
              if (fuzzes or not suite.name.startswith("fuzz"))
              and (not options.kinds or any(suite.name.startswith(name) for name in options.kinds))]
    if not chosen:
        print("kinds: " + ", ".join(suite.name for suite in suites()))
        return 64
    start = time.monotonic()
    report = Report(options.verbose)
    bench = Bench(Settings(options.seed, options.case, options.plan, options.keep, options.jobs), report)
    limit = options.minutes * 60 if options.minutes else 86_400 if options.long else 170
    # A person who interrupts a long run wants to see its findings.
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        for position, suite in enumerate(chosen):
            # The kinds that are left share the rest of the time.
            left = start + limit - time.monotonic()
            deadline = time.monotonic() + left / (len(chosen) - position)
            count = suite.short if not options.long and not options.minutes else suite.long
            run_suite(suite, bench, count, deadline, stopped)
            if stopped.is_set():
                break
    finally:
        bench.close()
    print(report.table())
    if report.failures:
        print("\n" + report.listing())
    cases = sum(row.cases for row in report.rows.values())
    print(f"\n{cases} cases of seed {options.seed} in {time.monotonic() - start:.0f} s: "
          f"{len(report.failures) or 'no'} failures" + (", interrupted" if stopped.is_set() else ""))
    return 1 if report.failures else 0
