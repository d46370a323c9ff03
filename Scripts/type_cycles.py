"""The rule for cycles of types, which Scripts/house-rules applies: in a module at most 10 files need each other.

A file needs another one if it names a type of the outermost level that the other declares. What members of extensions
need doesn't count: a class and its `+Topic` files are one thing.

Scripts/type_cycles.py           shows each module's largest cycle
Scripts/type_cycles.py MODULE    lists its files, with the types for which each is needed
"""

import collections
import os
import re
import sys

import signature_rules

NAME = "cycles-of-types"
LIMIT = 10
# Apple's classes name each other in public signatures: a context its coordinator, a coordinator its stores, a store its
# coordinator. It grows only with members that must stand in a class to be overridden (Decisions/0110-overridable-members.md).
KNOTS = {"CoreData": 84}

DECLARATION = re.compile(
    r"(?<![\w.#`])(?<!import )(class|struct|enum|protocol|actor|typealias)\s+(`?[A-Za-z_]\w*`?)")
HIDDEN = re.compile(r"\b(?:private|fileprivate)\s+(?:\w+\s+)*$")
WORD = re.compile(r"[A-Za-z_]\w*")


def outermost_types(bare):
    """The types that a file declares for others: not those in braces, not private ones."""
    depth, last, types = 0, 0, set()
    for match in DECLARATION.finditer(bare):
        between = bare[last:match.start()]
        depth += between.count("{") - between.count("}")
        last = match.start()
        line = bare[bare.rfind("\n", 0, match.start()) + 1:match.start()]
        if depth == 0 and not HIDDEN.search(line) and match.group(2) not in ("func", "var", "let", "subscript"):
            types.add(match.group(2).strip("`"))
    return types


def needs(texts):
    """For each file the other files that it needs, each with the types for which it does. `texts` are bare."""
    owners = collections.defaultdict(set)
    for path, text in texts.items():
        for name in outermost_types(text):
            owners[name].add(path)
    owner = {name: next(iter(paths)) for name, paths in owners.items() if len(paths) == 1}
    needed = {}
    for path, text in texts.items():
        others = needed[path] = collections.defaultdict(set)
        for name in set(WORD.findall(text)):
            if name in owner and owner[name] != path:
                others[owner[name]].add(name)
    return needed


def largest_cycle(needed):
    """The largest set of files each of which needs every other one, if only by others. Tarjan's algorithm."""
    numbers, lowest, stack, stacked, largest = {}, {}, [], set(), []
    for root in sorted(needed):
        if root in numbers:
            continue
        work = [(root, iter(sorted(needed[root])))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        stacked.add(root)
        while work:
            path, rest = work[-1]
            for other in rest:
                if other not in numbers:
                    numbers[other] = lowest[other] = len(numbers)
                    stack.append(other)
                    stacked.add(other)
                    work.append((other, iter(sorted(needed[other]))))
                    break
                if other in stacked:
                    lowest[path] = min(lowest[path], numbers[other])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[path])
                if lowest[path] == numbers[path]:
                    cycle = []
                    while not cycle or cycle[-1] != path:
                        cycle.append(stack.pop())
                        stacked.discard(cycle[-1])
                    if len(cycle) > max(1, len(largest)):
                        largest = sorted(cycle)
    return largest


def modules(files, read):
    """The bare texts of each module's files."""
    found = collections.defaultdict(dict)
    for path in files:
        match = re.match(r"Sources/(\w[\w-]*)/.*\.swift$", path)
        if match and ".docc/" not in path:
            found[match.group(1)][path] = signature_rules.bare(read(path))
    return found


def breaches(files, read):
    for module, texts in sorted(modules(files, read).items()):
        cycle = largest_cycle(needs(texts))
        allowed = KNOTS.get(module, LIMIT)
        if len(cycle) > allowed:
            yield (cycle[0], 1, NAME,
                   f"{len(cycle)} files of {module} need each other, {allowed} may: see Scripts/type_cycles.py {module}")
        elif module in KNOTS and len(texts) > allowed > len(cycle):
            yield (min(texts), 1, NAME,
                   f"only {len(cycle)} files of {module} need each other: lower the number in Scripts/type_cycles.py")


def ring(count):
    return {f"Sources/CoreDataFiles/Ring{n}.swift": f"struct Ring{n} {{ let next: Ring{(n + 1) % count}? }}\n" for n in range(count)}


def self_test():
    failures = []
    for count, expected in ((LIMIT, []), (LIMIT + 1, [NAME])):
        texts = ring(count)
        # A comment, a nested type and a private one of another file's name need nothing.
        texts["Sources/CoreDataFiles/Beside.swift"] = (
            "// Ring0\nenum Beside {\n    struct Ring99 {}\n}\nprivate struct Hidden { let a: Ring0, b = \"Beside\" }\n")
        texts["Sources/CoreDataFiles/Ring0.swift"] += "let a = Hidden.self, b = Ring99.self\n"
        found = [rule for _, _, rule, _ in breaches(sorted(texts), texts.get)]
        if found != expected:
            failures.append(f"{NAME}: {count} files in a ring give {found}")
    return failures


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    files = [os.path.relpath(os.path.join(folder, name), root)
             for folder, _, names in os.walk(os.path.join(root, "Sources")) for name in sorted(names)]

    def read(path):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return file.read()

    for module, texts in sorted(modules(files, read).items()):
        needed = needs(texts)
        cycle = largest_cycle(needed)
        if sys.argv[1:] == [module]:
            for path in cycle:
                print(path)
                for other in sorted(set(needed[path]) & set(cycle)):
                    print(f"    {other}: {', '.join(sorted(needed[path][other]))}")
        elif not sys.argv[1:]:
            print(f"{module}: {len(cycle)} of {len(texts)} files")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
