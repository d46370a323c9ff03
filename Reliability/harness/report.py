"""The counts, as one table, and the failures with the commands that replay them."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field

#: Columns that count, in their order; the last ones after `|` fail nothing.
FAILING = ["lost", "half done", "unopenable", "damaged", "wrong values", "no retry", "changes gone", "wrong code",
           "locks lost", "traps", "hangs"]
TOLD = ["litter", "in Foundation"]


@dataclass
class Row:
    cases: int = 0
    faults: int = 0
    acknowledged: int = 0
    counts: Counter[str] = field(default_factory=Counter)


class Report:
    def __init__(self, verbose: bool = False):
        self.rows: dict[str, Row] = {}
        self.failures: list[tuple[str, str, str, str]] = []
        self.verbose = verbose
        self._lock = threading.Lock()

    def case(self, kind: str, acknowledged: int = 0, faults: int = 0, cases: int = 1) -> None:
        with self._lock:
            row = self.rows.setdefault(kind, Row())
            row.cases += cases
            row.acknowledged += acknowledged
            row.faults += faults

    def fail(self, kind: str, column: str, replay: str, reason: str) -> None:
        """Counts a case as failed in a column."""
        assert column in FAILING, column
        with self._lock:
            self.rows.setdefault(kind, Row()).counts[column] += 1
            self.failures.append((kind, column, replay, reason))
            if self.verbose:
                print(f"  {kind}: {column}: {reason[:300]}\n    {replay}", flush=True)

    def tell(self, kind: str, column: str, count: int = 1) -> None:
        assert column in TOLD, column
        if count:
            with self._lock:
                self.rows.setdefault(kind, Row()).counts[column] += count

    def table(self) -> str:
        """Markdown; columns that are 0 throughout stay, since zeros are what it is to show."""
        heads = ["kind", "cases", "faults", "acknowledged"] + FAILING + TOLD
        lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" + " ---: |" * (len(heads) - 1)]
        for kind, row in self.rows.items():
            numbers = [row.cases, row.faults, row.acknowledged] + [row.counts[c] for c in FAILING + TOLD]
            lines.append("| " + " | ".join([kind] + [str(n) for n in numbers]) + " |")
        return "\n".join(lines)

    def listing(self, most: int = 3) -> str:
        """The failures by kind and column, of each a few."""
        groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for kind, column, replay, reason in self.failures:
            groups.setdefault((kind, column), []).append((replay, reason))
        lines = []
        for (kind, column), cases in groups.items():
            lines.append(f"{kind}: {column}, {len(cases)} times")
            seen: set[str] = set()
            for replay, reason in cases:
                short = " ".join(reason.split())[:400]
                if short[:80] in seen or len(seen) >= most:
                    continue
                seen.add(short[:80])
                lines += [f"    {replay}", f"        {short}"]
        return "\n".join(lines)
