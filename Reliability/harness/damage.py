"""Damaged files and texts: an error, a warning or the right answer, but no trap, no hang and no wrong value."""

from __future__ import annotations

import random
import shutil
import sqlite3
import threading
from pathlib import Path
from typing import Any

from . import mutations
from .bench import Bench
from .states import Reader, difference
from .worker import Died, Hung, Worker

#: Forms with the file that is damaged; without: texts.
FILES = {
    "sqlite-bytes": "store.sqlite", "sqlite-pages": "store.sqlite", "sqlite-rows": "store.sqlite",
    "xml": "store.xml", "binary": "store.binary", "model": "model.mom", "model-source": "model.xcdatamodel",
    "mapping": "mapping.cdm", "mapping-source": "mapping.xcmappingmodel", "predicate-archive": "predicate.archive",
    "request-archive": "request.archive", "token-archive": "token.archive",
}
TEXTS = ["predicate", "import", "studio"]
#: Made by Xcode, as nothing here writes one; without the shared files the form is left out.
OPTIMIZED = (Path(__file__).resolve().parents[3]
             / "shared/data/compiled/CoreDataPlus/SampleModel.momd/SampleModel.omo")
if OPTIMIZED.exists():
    FILES["model-optimized"] = "model.omo"


class Damages:
    def __init__(self, bench: Bench, form: str):
        self.bench, self.form = bench, form
        self.label = f"damage {form}"
        self._local = threading.local()
        #: Compares also what was warned of, for --self-test.
        self.overlooks = False
        self.originals = bench.originals()
        if form == "model-optimized" and not (self.originals / FILES[form]).exists():
            shutil.copyfile(OPTIMIZED, self.originals / FILES[form])

    def run_case(self, case: int) -> None:
        rng = random.Random(f"{self.bench.settings.seed}/{self.label}/{case}")
        replay = self.bench.replay(self.label.replace(" ", "-"), case)
        folder = self._folder()
        request = self._damaged(folder, rng)
        self.bench.report.case(self.label)
        try:
            answer = self._worker().ask(**request)
        except Hung:
            return self.bench.report.fail(self.label, "hangs", replay, f"10 s: {self._shown(request)}")
        except Died as first:
            death = self._explained(first, request)
            if death.is_foreign:
                return self.bench.report.tell(self.label, "in Foundation")
            return self.bench.report.fail(self.label, "traps", replay, f"{death} {self._shown(request)}")
        if self.form.startswith("sqlite"):
            self._judge_rows(answer, folder, replay)
        elif "stored" in answer and "memory" in answer and answer["stored"] != answer["memory"]:
            self.bench.report.fail(
                self.label, "wrong values", replay,
                f"SQL finds {answer['stored']}, memory {answer['memory']}: {self._shown(request)}")

    def _explained(self, death: Died, request: dict[str, Any]) -> Died:
        """A death without a backtrace is asked for once more: it doesn't tell whose fault it was."""
        if death.has_backtrace:
            return death
        try:
            self._worker().ask(**request)
        except Died as again:
            return again
        except Hung:
            pass
        return death

    @staticmethod
    def _shown(request: dict[str, Any]) -> str:
        return " ".join(str(request[key])[:300] for key in ("method", "target", "text") if key in request)

    def _worker(self) -> Worker:
        worker = getattr(self._local, "worker", None)
        if worker is None or worker.process.poll() is not None:
            worker = self._local.worker = self.bench.keep(Worker())
            # The stores that texts ask questions of, copied anew since the last trap.
            shutil.copytree(self.originals, self._folder() / "sound", dirs_exist_ok=True)
        return worker

    def _folder(self) -> Path:
        folder = getattr(self._local, "folder", None)
        if folder is None:
            folder = self._local.folder = self.bench.root / f"{self.label}-{threading.get_ident()}".replace(" ", "-")
            (folder / "sound").mkdir(parents=True)
            shutil.copytree(self.originals, folder / "sound", dirs_exist_ok=True)
        return folder

    def _damaged(self, folder: Path, rng: random.Random) -> dict[str, Any]:
        """Puts a damaged copy into the folder, and returns the request to read it."""
        request: dict[str, Any] = {
            "do": "damaged", "form": self.form, "folder": str(folder), "seed": self.bench.settings.seed,
            "sound": "sound/store.sqlite"}
        if self.form == "predicate":
            return {**request, "text": mutations.text(rng.choice(mutations.PREDICATES), mutations.WORDS, rng)}
        if self.form == "import":
            end = rng.choice(list(mutations.IMPORTS))
            data = mutations.text(mutations.IMPORTS[end], mutations.IMPORT_WORDS, rng).encode("utf-8", "surrogatepass")
            (folder / f"import.{end}").write_bytes(mutations.bytes_of(data, rng) if rng.random() < 0.3 else data)
            return {**request, "file": f"import.{end}"}
        if self.form == "studio":
            method, target, body = rng.choice(mutations.REQUESTS)
            if rng.random() < 0.4:
                target = mutations.text(target, mutations.REQUEST_WORDS, rng)
            return {**request, "method": method, "target": target,
                    "text": mutations.text(body, mutations.REQUEST_WORDS, rng)}
        return {**request, **self._damaged_file(folder, rng)}

    def _damaged_file(self, folder: Path, rng: random.Random) -> dict[str, Any]:
        name = FILES[self.form]
        for path in folder.glob(f"*{name}*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.rmtree(folder / ".store_SUPPORT", ignore_errors=True)
        original = self.originals / name
        if original.is_dir():
            shutil.copytree(original, folder / name)
            target = rng.choice(sorted(path for path in (folder / name).rglob("*") if path.is_file()))
            target.write_bytes(mutations.bytes_of(target.read_bytes(), rng))
            return {"form": self.form.split("-")[0], "file": name}
        data = original.read_bytes()
        if self.form == "sqlite-pages":
            data = mutations.page(data, rng)
        elif self.form != "sqlite-rows":
            data = mutations.bytes_of(data, rng)
        (folder / name).write_bytes(data)
        if not name.startswith("store"):
            return {"form": self.form.replace("-", "."), "file": name}
        if self.form == "sqlite-rows":
            mutations.rows(folder / name, rng)
        support = f".{Path(name).stem}_SUPPORT"
        if name.endswith(".sqlite"):
            shutil.copytree(self.originals / support, folder / support)
            if rng.random() < 0.1:
                file = rng.choice(sorted(path for path in (folder / support).rglob("*") if path.is_file()))
                file.unlink() if rng.random() < 0.3 else file.write_bytes(mutations.bytes_of(file.read_bytes(), rng))
            # A copy for plain SQLite, made before the framework writes.
            shutil.rmtree(folder / "copy", ignore_errors=True)
            (folder / "copy").mkdir()
            shutil.copy(folder / name, folder / "copy" / name)
            shutil.copytree(folder / support, folder / "copy" / support)
        types = {"xml": "XML", "binary": "Binary"}
        return {"form": "store", "file": name, "type": types.get(self.form, "SQLite")}

    def _judge_rows(self, answer: dict, folder: Path, replay: str) -> None:
        """A state that the framework gives without a warning must be what plain SQLite reads."""
        if "error" in answer or answer.get("warnings") and not self.overlooks:
            return
        try:
            with Reader(folder / "copy" / "store.sqlite", self.bench.settings.seed) as reader:
                wrong = difference(answer["state"], reader.state())
        except (sqlite3.Error, IndexError) as error:
            return self.bench.report.fail(
                self.label, "wrong values", replay, f"plain SQLite can't read it, but the framework does: {error}")
        if wrong:
            self.bench.report.fail(self.label, "wrong values", replay, f"found in place of plain SQLite's: {wrong}")


def forms() -> list[str]:
    return list(FILES) + TEXTS
