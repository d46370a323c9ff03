"""The worker process: requests as lines of JSON, answers the same way, with a limit of time for each."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("RELIABILITY_BUILD", ROOT / ".build/clients"))
INTERPOSER = BUILD / "reliability-interposer.so"
#: What takes longer is hung.
LIMIT = 10.0


def build() -> None:
    """Builds worker and interposer."""
    package = ROOT / "Reliability"
    # Packages that are found by path are looked through for new files only when a manifest changes.
    os.utime(package / "Package.swift")
    build_package(package, BUILD, "--product", "Worker", "--disable-build-manifest-caching")
    subprocess.run(["clang", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared", "-o", str(INTERPOSER),
                    str(package / "Interposer/interposer.c"), "-ldl"], check=True)


def build_package(package: Path, scratch: Path, *options: str) -> None:
    """Builds a package; ends with what the compiler says if it can't be built."""
    done = subprocess.run(
        ["swift", "build", "--jobs", "2", "--package-path", str(package), "--scratch-path", str(scratch), *options],
        capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stdout[-8000:] + done.stderr[-8000:])


class Died(Exception):
    """The process ended while it was to answer."""

    def __init__(self, status: int, tail: str):
        reasons = re.findall(r"(?:Fatal error|Assertion failed).*", tail)[:1]
        #: The crashed thread's functions with their files, the innermost first.
        frames = re.findall(r"^ *\d+ .*?0x[0-9a-f]+ (.*)", tail, re.MULTILINE)
        ours = [frame for frame in frames if "/Sources/" in frame]
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        super().__init__(f"ended by {name}: {' '.join(reasons + frames[:1] + ours[:3]) or tail[-600:]}")
        self.status = status
        #: The process that writes the backtrace may die itself.
        self.has_backtrace = bool(frames)
        #: Whether it stopped itself, and was not killed by us or by a plan.
        self.is_trap = status != -signal.SIGKILL
        #: Whether it stopped inside of Foundation's unarchiver, which stops the process for some damaged archives.
        inner = frames[:next((n for n, frame in enumerate(frames) if " in Worker" in frame), 0)]
        self.is_foreign = any("NSKeyedUnarchiver" in frame and "libFoundation" in frame for frame in inner)


class Hung(Exception):
    """No answer came within the limit."""


class Worker:
    """One process. With a folder, its file calls below that folder are counted and can be failed."""

    def __init__(self, folder: Path | None = None, limit: float = LIMIT):
        environment = dict(os.environ)
        if folder:
            environment["LD_PRELOAD"] = str(INTERPOSER)
            environment["RELIABILITY_FOLDER"] = str(folder)
        # Archives list what dictionaries hold: the same bytes in each run.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        # The frames of a trap tell whose it is; those of other threads would take long.
        environment["SWIFT_BACKTRACE"] = (
            "enable=yes,color=no,threads=crashed,images=none,registers=none,limit=40,timeout=8s")
        self.limit = limit
        self._errors: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.process = subprocess.Popen(
            [str(BUILD / "debug/Worker")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", env=environment,
            # An interrupt at the terminal is the harness's, which ends what it has begun.
            start_new_session=True)
        self._stdout = threading.Thread(target=self._read, daemon=True)
        self._stderr = threading.Thread(target=self._read_errors, daemon=True)
        for reader in (self._stdout, self._stderr):
            reader.start()
        ready = self.answer()
        if folder and not ready.get("ready"):
            raise SystemExit("the interposer isn't loaded into the worker")

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_errors(self) -> None:
        for line in self.process.stderr:
            self._errors.append(line)
            del self._errors[300:-300]

    def send(self, request: dict[str, Any]) -> None:
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer tells how it ended

    def answer(self, limit: float | None = None) -> dict[str, Any]:
        """The next line. Raises `Died` or `Hung`."""
        try:
            line = self._lines.get(timeout=limit or self.limit)
        except queue.Empty:
            self.kill()
            raise Hung() from None
        if line is None:
            status = self.process.wait()
            self._stderr.join(1)
            self._lines.put(None)
            raise Died(status, "".join(self._errors))
        answer = json.loads(line)
        if "failure" in answer:
            raise SystemExit(f"the worker doesn't understand: {answer['failure']}")
        return answer

    def ask(self, limit: float | None = None, **request: Any) -> dict[str, Any]:
        self.send(request)
        return self.answer(limit)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Ends the process, which has nothing to do."""
        self.kill()
        # A reader must not find its stream closed. A grandchild may keep one open.
        for reader in (self._stdout, self._stderr):
            reader.join(1)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
