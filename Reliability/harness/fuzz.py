"""Inputs that libFuzzer makes, guided by which code of the framework they reach."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from .bench import Bench
from .worker import BUILD, ROOT, Worker

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
    package = ROOT / "Reliability/Fuzz"
    done = subprocess.run(
        ["swift", "build", "--jobs", "2", "--package-path", str(package), "--scratch-path", str(FUZZER.parents[1]),
         "--sanitize=fuzzer"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout[-8000:] + done.stderr[-8000:])


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
        folder = self.bench.root / f"fuzz-originals-{self.form}"
        folder.mkdir()
        worker = Worker(limit=60)
        answer = worker.ask(do="originals", folder=str(folder), seed=self.bench.settings.seed, before=1)
        worker.close()
        if "error" in answer:
            raise SystemExit(f"the sound files can't be made: {answer}")
        shutil.copy(folder / original, self.corpus / "sound")
        shutil.rmtree(folder)

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
            env=environment, capture_output=True, text=True, errors="replace")
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
