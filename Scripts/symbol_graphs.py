"""The public symbols of the built library, as the compiler's symbol graphs tell them. For the scripts beside this file."""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The modules of the library products.
PRODUCTS = ["CoreData", "CoreDataPostgreSQL", "AppleShims", "CombineShims", "CoreDataGenerator", "StoreTools", "CoreDataStudio"]
TYPES = {"swift.class", "swift.struct", "swift.enum", "swift.protocol"}
CALLABLE = {"swift.func", "swift.func.op", "swift.init", "swift.method", "swift.type.method"}


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def build_folder():
    return run("swift", "build", "--show-bin-path").strip()


def extract(module, modules, folder, *arguments):
    """Writes the graphs of a module into a folder: its own, and one for each module whose types it extends."""
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    # A build with traits has packages with modules in C: their own maps, or those that the build writes.
    paths = [path for pattern in (
        os.path.join(ROOT, "Sources/*"), os.path.join(ROOT, ".build/checkouts/*/*/include"), os.path.join(modules, "../C*.build"))
        for path in glob.glob(os.path.join(pattern, "module.modulemap"))]
    maps = [a for path in paths for a in ("-Xcc", "-fmodule-map-file=" + path)]
    # libpq's headers have a folder of their own.
    maps += [a for flag in run("pkg-config", "--cflags-only-I", "libpq").split() for a in ("-Xcc", flag)]
    run("swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", modules, "-output-dir", folder,
        "-minimum-access-level", "public", *maps, *arguments)


class Symbol:
    """A public symbol: its names, its place in the sources, its parts, and the comment that stands there."""

    def __init__(self, entry):
        self.path = entry["pathComponents"]
        self.name = ".".join(self.path)
        self.kind = entry["kind"]["identifier"]
        self.is_type = self.kind in TYPES
        self.is_callable = self.kind in CALLABLE
        self.file = entry["location"]["uri"].removeprefix("file://")
        self.line = entry["location"]["position"]["line"] + 1
        self.is_documented = "docComment" in entry
        self.declaration = "".join(part["spelling"] for part in entry["declarationFragments"])
        signature = entry.get("functionSignature", {})
        self.parameters = [parameter.get("internalName", parameter["name"]) for parameter in signature.get("parameters", [])]
        self.returns = "".join(part["spelling"] for part in signature.get("returns", []))
        self.comment, self.inherits_comment = self.comment_of(entry)

    def comment_of(self, entry):
        """The comment's text, and whether it is that of another declaration: of an overridden one, or a requirement."""
        comment = entry.get("docComment")
        if not comment:
            return "", False
        last = comment["lines"][-1].get("range", {}).get("end", {}).get("line", -1)
        # Attributes may stand between a comment and its declaration.
        is_own = comment.get("uri") == entry["location"]["uri"] and self.line - 12 <= last + 2 <= self.line
        return "\n".join(line["text"] for line in comment["lines"]), not is_own

    @property
    def throws(self):
        """Tells whether it throws by itself: rethrowing its closure's errors isn't that."""
        bare = re.sub(r"\([^()]*\)", "", self.declaration)
        while bare != (bare := re.sub(r"\([^()]*\)", "", bare)):
            pass
        return bool(re.search(r"\bthrows\b", bare))

    @property
    def throws_what_its_closure_throws(self):
        """`throws(Failure)`, where a closure's type has the failure too."""
        return self.declaration.count("throws(") > 1 or "rethrows" in self.declaration


def public_symbols(module, modules=None):
    """Every public symbol that a module's source states, by its unique name. Those declared unavailable are left out."""
    symbols = {}
    with tempfile.TemporaryDirectory() as folder:
        extract(module, modules or os.path.join(build_folder(), "Modules"), folder, "-skip-synthesized-members")
        for path in glob.glob(os.path.join(folder, "*.symbols.json")):
            with open(path, encoding="utf-8") as file:
                graph = json.load(file)
            for entry in graph["symbols"]:
                unavailable = any(a.get("isUnconditionallyUnavailable") for a in entry.get("availability", []))
                if not unavailable and "location" in entry:
                    symbols[entry["identifier"]["precise"]] = Symbol(entry)
    return symbols


def first_sentence(comment):
    """The first sentence of a comment, on one line; without its end if it has none."""
    paragraph = re.split(r"\n\s*\n|\n(?=- )|\n```", comment.strip())[0]
    text = " ".join(paragraph.split())
    # A full stop ends it where a space and no lower-case letter follows, or nothing.
    match = re.search(r'[.!?]["”)`]?(?=\s+[^a-z]|$)', text)
    return text[:match.end()] if match else text


def by_file(symbols):
    grouped = collections.defaultdict(list)
    for symbol in symbols:
        grouped[os.path.relpath(symbol.file, ROOT)].append(symbol)
    return grouped
