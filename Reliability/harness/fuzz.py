"""Inputs that libFuzzer makes, guided by which code of the framework they reach."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from .bench import Bench
from .worker import BUILD, ROOT, build_package

#: Where the bytes of a sound input are, below the originals.
FORMS = {
    "predicate": None, "model": "model.mom", "model-source": "model.xcdatamodel/contents",
    "mapping": "mapping.cdm", "mapping-source": "mapping.xcmappingmodel/xcmapping.xml",
    "xml": "store.xml", "binary": "store.binary", "sqlite": "store.sqlite",
}
PREDICATES = [
    'name BEGINSWITH[cd] "x" AND count > 2', 'ANY tags IN {"a", "b"}', 'SUBQUERY(tags, $t, $t == "a").@count > 0',
    'NOT (name MATCHES "a.*") OR count BETWEEN {1, 3}', "FUNCTION(count, 'add:', 1) == 4 && TRUEPREDICATE",
]
#: Seconds that one case runs.
TURN = 30
FUZZER = BUILD / "fuzzer/debug/Fuzz"


def build() -> None:
    """Builds the framework and the fuzzer with coverage."""
    build_package(ROOT / "Reliability/Fuzz", FUZZER.parents[1], "--sanitize=fuzzer")


class Fuzz:
    """One form; each case is a run of libFuzzer that goes on from what the ones before have found."""

    def __init__(self, bench: Bench, form: str):
        self.bench, self.form = bench, form
        self.label = f"fuzz {form}"
        self.corpus = bench.root / f"fuzz-{form}"
        self.corpus.mkdir()
        self._lock = threading.Lock()
        self._fill(FORMS[form])

    def _fill(self, original: str | None) -> None:
        if original is None:
            for number, text in enumerate(PREDICATES):
                (self.corpus / str(number)).write_text(text)
            return
        shutil.copy(self.bench.originals() / original, self.corpus / "sound")

    def run_case(self, case: int) -> None:
        # The corpus is one: runs of a form follow each other.
        with self._lock:
            self._run(case)

    def _run(self, case: int) -> None:
        seed = self.bench.settings.seed * 10_000 + case + 1
        artifacts = self.bench.root / f"fuzz-found-{self.form}-{case}"
        artifacts.mkdir()
        environment = {**os.environ, "FUZZ_FORM": self.form, "FUZZ_FOLDER": str(self.bench.root)}
        done = subprocess.run(
            [str(FUZZER), f"-seed={seed}", f"-max_total_time={TURN}", "-timeout=10", "-rss_limit_mb=4096",
             "-max_len=200000", "-print_final_stats=1", f"-artifact_prefix={artifacts}/", str(self.corpus)],
            env=environment, capture_output=True, text=True, errors="replace", start_new_session=True)
        units = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
        self.bench.report.case(self.label, cases=int(units[1]) if units else 1)
        if done.returncode != 0:
            self._tell(artifacts, done.stderr)

    def _tell(self, artifacts: Path, text: str) -> None:
        found = sorted(artifacts.iterdir())
        kept = ROOT / ".build/fuzz-found"
        kept.mkdir(parents=True, exist_ok=True)
        copies = [shutil.copy(path, kept / f"{self.form}-{path.name}") for path in found]
        column = "hangs" if "timeout" in text else "traps"
        reason = "\n".join(re.findall(r"(?:Fatal error|Assertion failed|ERROR: libFuzzer|SUMMARY).*", text)[:3])
        replay = " ".join([f"FUZZ_FORM={self.form}", str(FUZZER)] + [str(copy) for copy in copies])
        self.bench.report.fail(self.label, column, replay, reason or text[-600:])
