"""The rule for sentences in comments, which Scripts/house-rules applies: none has a clause as its subject.

Refused are What, Whether and Who (Whose, Whoever) at the beginning of any sentence, and Where, Which and How at that of
a comment, of one of its paragraphs or list items. Questions are let through.
"""

import re

NAME = "no-clause-as-subject"
REASON = "a sentence begins with What, Whether or Who, or a comment with Where, Which or How: name the thing (Docs/Style.md)"
WHERE = re.compile(r"(Tools/)?Sources/")

ANYWHERE = re.compile(r"(?:What|Whether|Who|Whose|Whoever)\b")
AT_THE_BEGINNING = re.compile(r"(?:What|Whether|Who|Whose|Whoever|Where|Which|How)\b")
# A list item may name what it is about: "- Returns:", "- Parameter key:", "- key:".
ITEM = re.compile(r"(?:[-*]|\d+\.) (?:[\w ()`:]*?\w`?: )?|MARK: (?:- )?")
END = re.compile(r"[.!?:][\"”)`*]*\s+")


def paragraphs(lines):
    """The paragraphs and list items of comments: lists of line number and text. Blocks of code aren't among them."""
    current, column, fenced = [], None, False
    for number, line in lines:
        text = re.sub(r"^/{2,3}", "", line.comment).strip()
        # A comment on lines of its own goes on in the same column; one behind code ends with its line.
        here = len(line.code) if line.comment and not line.code.strip() else None
        goes_on = here is not None and here == column
        item = ITEM.match(text)
        if not goes_on:
            fenced = False
        if current and (not goes_on or not text or item or text.startswith("```")):
            yield current
            current = []
        column = here
        if text.startswith("```"):
            fenced = not fenced
        elif text and not fenced:
            current.append((number, text[item.end():] if item else text))
    if current:
        yield current


def is_question(text):
    end = re.search(r"[.!?](?=\s|$)", text)
    return end is not None and end.group() == "?"


def clauses_as_subject(path, lines):
    if not WHERE.match(path):
        return
    for paragraph in paragraphs(lines):
        text = "\n".join(part for _, part in paragraph)
        starts = [0] + [end.end() for end in END.finditer(text)]
        for start in starts:
            refused = (ANYWHERE if start else AT_THE_BEGINNING).match(text, start)
            if refused and not is_question(text[start:]):
                yield paragraph[text.count("\n", 0, start)][0]


# Comments, each with the numbers of the lines that are refused.
EXAMPLES = [
    ("/// What a store holds.\n", [1]),
    ("/// Whether saves fail.\n", [1]),
    ("let a = 1  // Who reads it.\n", [1]),
    ("// Where no store can sort, rows are sorted.\n", [1]),
    ("/// Reads rows. What can't\n/// be read is nil.\n", [1]),
    ("/// Reads rows.\n/// Whether they exist is no matter.\n", [2]),
    ("/// Reads rows.\n///\n/// Which ones, the key says.\n", [3]),
    ("/// - Parameters:\n///   - key: what it is. Who has it.\n///   - row: How it lies.\n", [2, 3]),
    ("/// - Returns: Whether it is there.\n", [1]),
    ("// MARK: What contexts ask\n", [1]),
    ("// First.\nlet a = 1\n// How it goes on.\n", [3]),
    ("// What if nobody reads it?\n", []),
    ("/// Indicates whether saves fail. Where they do, which is rare, nothing is written.\n", []),
    ("/// The rows, and\n/// What's New in Core Data tells how.\n", []),
    ("/// ```swift\n/// // What stands here is code.\n/// ```\n", []),
    ('let a = "// What it is."\n', []),
    ("/// Whatever happens, it ends.\n", []),
]


def self_test(swift_lines):
    """The faults of the rule: a sentence for each example that it takes for something else."""
    for text, expected in EXAMPLES:
        found = sorted(set(clauses_as_subject("Sources/A.swift", swift_lines(text))))
        if found != expected:
            yield f"{NAME}: lines {found} of {text!r} are refused, not {expected}"
