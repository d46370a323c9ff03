"""The rule for signatures, which Scripts/house-rules applies: of 100 functions in Sources less than 4 have two parameters
without a label or more, and of 100 initialisers. Operators don't count.

Apple's own functions, functions inside of functions and the likes of `raise(_:_:)` are what the share is for.
"""

import functools
import re

NAME = "labelled-parameters"
LIMIT = 4
WHERE = re.compile(r"Sources/.*\.swift$")

HEAD = re.compile(r"(?<![\w.#`])(?:func\s+(`?[A-Za-z_]\w*`?)|(init)[?!]?)\s*(?=[<(])")
SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""(?:[^\\]|\\.)*?"""\1|(#+)".*?"\2|"(?:[^"\\\n]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*"', re.S)


@functools.lru_cache(maxsize=None)
def bare(text):
    """The text without comments and strings, each line where it was."""
    return SKIPPED.sub(lambda match: "\n" * match.group().count("\n") or " ", text)


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        character = text[place]
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[place - 1] != "-"):
            depth -= 1
            if depth == 0:
                return place
    return len(text)


def unlabelled(parameters):
    """How many of these parameters are called without a label."""
    count, start, depth = 0, 0, 0
    for place, character in enumerate(parameters + ","):
        if character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and parameters[place - 1] != "-"):
            depth -= 1
        elif character == "," and depth == 0:
            parameter = re.sub(r"^(?:\s*@\w+(?:\([^)]*\))?)*\s*", "", parameters[start:place])
            count += bool(re.match(r"_\s*(?::|`?\w+`?\s*:)", parameter))
            start = place + 1
    return count


def signatures(text):
    """Line, whether an initialiser, and number of unlabelled parameters, of each declared function."""
    text = bare(text)
    for head in HEAD.finditer(text):
        start = head.end()
        # An initialiser is declared, not called: nothing but attributes and modifiers stands before it on its line.
        if head.group(2):
            before = text[text.rfind("\n", 0, head.start()) + 1:head.start()]
            if not re.fullmatch(r"(?:[\w@().:, ]*[\s{;])?", before) or re.search(r"[=.(]\s*$|\breturn\b|\btry\b", before):
                continue
        if text[start] == "<":
            start = closing(text, start) + 1
            start += len(text[start:]) - len(text[start:].lstrip())
        if text[start:start + 1] == "(":
            yield (text.count("\n", 0, head.start()) + 1, head.group(2) is not None,
                   unlabelled(text[start + 1:closing(text, start)]))


def breaches(files, read):
    for is_initializer, what in ((False, "functions"), (True, "initialisers")):
        count, several = 0, []
        for path in (f for f in files if WHERE.match(f)):
            for line, kind, unlabelled_count in signatures(read(path)):
                if kind == is_initializer:
                    count += 1
                    if unlabelled_count > 1:
                        several.append((path, line))
        if len(several) * 100 >= count * LIMIT:
            for path, line in several:
                yield (path, line, NAME,
                       f"{len(several)} of {count} {what} have two unlabelled parameters or more; label all but the first")


BREAKING = {NAME: ("Sources/CoreData/P.swift", "func p(_ a: Int, _ b: [Int: Int] = [:]) {}\n")}
KEEPING = {
    "Sources/CoreData/Labels.swift": "struct L {\n    init(_ a: (Int, Int), b: Int) { self.init(_: a, _: b) }\n}\n"
                                     'func p<A: B<C>>(_ a: (_ x: Int, _ y: Int) -> A, and b: String = "_ c: D, _ e: F") {}\n'
                                     "func < (_ a: L, _ b: L) -> Bool { true }\n",
}

# Declarations with the number of their unlabelled parameters, and lines that only call.
COUNTED = [
    ("func a(_ a: Int, _ b: Int)", [2]), ("static func b<A: B<C>>(_: A, _ b: [A: B], c: D)", [2]),
    ("func c(_ body: (_ x: Int, _ y: Int) -> Void, and b: (Int, Int))", [1]), ("func == (_ a: A, _ b: A)", []),
    ("package init?(\n    _ a: @escaping () -> Void, @B _ b: A = .init(1, 2),\n    c d: A\n)", [2]),
    ("self.init(_: 1, _: 2)", []), ("let a = A.init(b, c)", []), ("// func d(_ a: A, _ b: A)", []),
    ('let a = "func e(_ a: A, _ b: A)"', []), ("func f(a: A) {}; func g(_ a: A, _ b: A) {}", [0, 2]),
]


def self_test():
    return [f"{NAME}: {text!r} is counted wrong" for text, counts in COUNTED
            if [count for _, _, count in signatures(text)] != counts]
