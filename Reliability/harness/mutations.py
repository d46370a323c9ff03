"""Seeded damage to bytes, texts and rows."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from pathlib import Path

PAGE = 4096


def bytes_of(data: bytes, rng: random.Random) -> bytes:
    """Flipped bytes, overwritten or moved stretches, another length."""
    found = bytearray(data)
    if not found:
        return bytes(rng.randbytes(rng.randint(1, 64)))
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(found)) if rng.random() < 0.7 else rng.randrange(min(len(found), 256))
        kind = rng.randrange(8)
        if kind <= 2:
            found[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            found[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 4:
            size = rng.choice([2, 4, 8, 64])
            found[at:at + size] = rng.randbytes(min(size, len(found) - at))
        elif kind == 5:
            other, size = rng.randrange(len(found)), rng.randint(1, 256)
            found[at:at + size] = found[other:other + size]
        elif kind == 6:
            del found[at:at + rng.randint(1, 64)]
        else:
            found[at:at] = rng.randbytes(rng.randint(1, 64))
        if not found:
            break
    if rng.random() < 0.1:
        del found[rng.randrange(len(found) + 1):]
    return bytes(found)


def page(data: bytes, rng: random.Random) -> bytes:
    """A page of zeros, of noise, of another page; a byte of a page's head; a file cut in a page's middle."""
    found = bytearray(data)
    count = max(1, len(found) // PAGE)
    at, other = rng.randrange(count) * PAGE, rng.randrange(count) * PAGE
    kind = rng.randrange(6)
    if kind == 0:
        found[at:at + PAGE] = bytes(PAGE)
    elif kind == 1:
        found[at:at + PAGE] = rng.randbytes(PAGE)
    elif kind == 2:
        found[at:at + PAGE] = found[other:other + PAGE]
    elif kind == 3:
        found[at:at + PAGE], found[other:other + PAGE] = found[other:other + PAGE], found[at:at + PAGE]
    elif kind == 4:
        found[at + rng.randrange(12)] = rng.randrange(256)
    else:
        del found[at + rng.randrange(PAGE):]
    return bytes(found)


VALUES = [None, 0, 1, -1, 2, 5, 2**31, -2**31, 2**53, 2**63 - 1, -2**63, 0.5, 1e308, -1e308, float("inf"), "", "x",
          "7", "tag 1/5", "\0", "ä" * 300, b"", b"\x01", b"\x02", b"\x02nowhere\0", b"\x03abc", bytes(200), b"bplist00"]


def rows(path: Path, rng: random.Random) -> None:
    """Statements that a careless program runs on a store."""
    database = sqlite3.connect(path, isolation_level=None)
    try:
        names = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
        # The triggers of derived attributes call functions that only the framework has.
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            if rng.random() < 0.98:
                database.create_function("NSCoreDataDATriggerUpdatedAffectedObjectValue", -1, lambda *_: None)
                database.create_function("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", -1, lambda *_: None)
                break
            database.execute(f'DROP TRIGGER "{trigger}"')
        for _ in range(rng.choice([1, 1, 2, 4])):
            table = rng.choice(names)
            columns = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
            if not columns:
                continue  # dropped just now
            column, condition = rng.choice(columns), ""
            if rng.random() < 0.7:
                condition = f' WHERE rowid % {rng.randint(1, 4)} = 0'
            try:
                _one(database, table, column, condition, rng)
            except sqlite3.Error:
                pass  # a constraint held: as good
    finally:
        database.close()


def _one(database: sqlite3.Connection, table: str, column: str, condition: str, rng: random.Random) -> None:
    kind = rng.randrange(12)
    if kind <= 6:
        database.execute(f'UPDATE "{table}" SET "{column}" = ?{condition}', [rng.choice(VALUES)])
    elif kind == 7:
        database.execute(f'DELETE FROM "{table}"{condition}')
    elif kind == 8:
        database.execute(f'INSERT INTO "{table}" ("{column}") VALUES (?)', [rng.choice(VALUES)])
    elif kind == 9:
        database.execute(f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{column}X"')
    elif kind == 10:
        database.execute(rng.choice([f'DROP TABLE "{table}"', f'ALTER TABLE "{table}" RENAME TO "{table}X"']))
    else:
        index = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")]
        if index:
            database.execute(f'DROP INDEX "{rng.choice(index)}"')


# Texts

PREDICATES = [
    "gen == 3", "text BEGINSWITH[cd] 'note' AND index < 2", "ANY tags.gen IN {1, 2, 3}", "tags.@count > 1",
    "SUBQUERY(tags, $t, $t.gen > 2 AND $t.name CONTAINS 'tag').@count == 1", "folder.notes.@max.gen > 3",
    "NOT (gen BETWEEN {2, 4})", "text MATCHES '.*/[0-9]+/1'", "text LIKE[c] '*3/?'", "state + 2 * gen - index > 10",
    "folder.gen == gen AND blob != nil", "ALL tags.gen < 4", "NONE tags.gen = 2", "gen % 2 == 0 OR index = 1",
    "TERNARY(gen > 3, index, state) == 1", "folder.notes.@avg.index >= 1", "CAST(gen, 'NSString') == '4'",
    "text IN {'a', 'note 1/3/1'} OR TRUEPREDICATE", "uppercase(text) ENDSWITH '/2'", "length(text) > 5",
    "$x == 1 AND gen == %@", "max({1, index, 2}) == 2", "gen == 3 AND (index == 1 OR (state > 0 AND NOT gen > 9))",
]
WORDS = re.findall(r"\w+|[^\w\s]", " ".join(PREDICATES)) + [
    "(", ")", "{", "}", "'", '"', "\\", "%@", "%K", "@", "$", "#", "&&", "||", "!", "nil", "SELF", "FALSEPREDICATE",
    "1e308", "9223372036854775808", "-9223372036854775808", "0x", "1.5", "**", "&", "|", "<<", "~", "function(", "now()",
    "[first]", "[last]", "[size]", "FETCH(", "@distinctUnionOfObjects", "'\\u0000'", "ñ", "🙂", "random()", "/ 0", "-1"]


def text(original: str, words: list[str], rng: random.Random) -> str:
    """Words left out, doubled, replaced, put elsewhere; characters too; now and then a deep nesting."""
    found = re.findall(r"\w+|\s+|[^\w\s]", original)
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        at = rng.randrange(len(found) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            del found[at:at + rng.randint(1, 3)]
        elif kind <= 2:
            found.insert(at, rng.choice(words))
        elif kind == 3:
            found[at:at + 1] = [rng.choice(words)]
        elif kind == 4:
            found[at:at] = found[:rng.randint(1, 6)]
        elif kind == 5 and found:
            word = found[at % len(found)]
            found[at % len(found)] = word[:len(word) // 2] + chr(rng.randrange(1, 0x2FF)) + word[len(word) // 2:]
        else:
            rng.shuffle(found)
    result = "".join(found)
    if rng.random() < 0.02:
        result = rng.choice(["(", "NOT ", "-", "{", "gen == ("]) * rng.choice([10, 1000, 30_000]) + result
    return result


IMPORTS = {
    "json": json.dumps([{"batch": n % 3, "number": n, "value": n * 7, "name": f"row {n}"} for n in range(12)]),
    "csv": "batch,number,value,name\n" + "".join(f'{n % 3},{n},{n * 7},"row {n}"\n' for n in range(12)),
}
IMPORT_WORDS = ["null", "true", "{", "}", "[", "]", '"', ",", ":", "\n", "1e400", "-", "0.1", "99999999999999999999", "\\u",
                "\\ud800", "\\", ";", "name", "batch", "nowhere", "\ufeff", "[" * 2000, '{"a":' * 500, '""', "'"]

REQUESTS = [
    ("GET", "/api/session", ""), ("GET", "/api/data/entities", ""), ("GET", "/api/data/entities/Note", ""),
    ("GET", "/api/data/objects/Note/5", ""), ("GET", "/api/data/objects/Note/5/members/tags", ""),
    ("GET", "/api/data/objects/Note/5/bytes/blob", ""), ("GET", "/api/data/history", ""),
    ("GET", "/api/data/export/Note?format=json", ""), ("GET", "/api/data/changes?wait=0", ""),
    ("GET", "/api/data/choices/Folder", ""), ("GET", "/api/data/statements", ""), ("GET", "/api/data/unsaved", ""),
    ("POST", "/api/data/rows", '{"entity": "Note", "columns": ["gen", "text"], "predicate": "gen > 2", "limit": 5}'),
    ("POST", "/api/data/count", '{"entity": "Note", "predicate": "gen > 2"}'),
    ("POST", "/api/data/objects", '{"entity": "Item", "values": {"batch": 1, "number": 2}}'),
    ("POST", "/api/data/objects/Note/5", '{"key": "state", "value": 7}'),
    ("POST", "/api/data/values", '{"ids": ["Note/5", "Note/6"], "key": "state", "value": 7}'),
    ("POST", "/api/data/objects/Note/5/members", '{"key": "tags", "add": ["Tag/3"], "remove": ["Tag/4"]}'),
    ("POST", "/api/data/deletions/preview", '{"ids": ["Folder/3"]}'), ("POST", "/api/data/deletions", '{"ids": ["Note/7"]}'),
    ("POST", "/api/data/undo", "{}"), ("POST", "/api/data/redo", "{}"), ("POST", "/api/data/discard", "{}"),
    ("POST", "/api/data/rehearsal", "{}"), ("POST", "/api/data/save", "{}"),
    ("POST", "/api/data/predicate/parse", '{"entity": "Note", "text": "gen > 2 AND ANY tags.gen == 3"}'),
    ("POST", "/api/data/predicate/complete", '{"entity": "Note", "text": "gen > 2 AND tags.", "position": 17}'),
    ("POST", "/api/data/import/Item/preview", '{"text": "batch,number\\n1,2\\n", "format": "csv"}'),
    ("POST", "/api/data/resolution", '{"theirs": {"Note/5": ["state"]}}'),
]
REQUEST_WORDS = IMPORT_WORDS + WORDS + ["%00", "%", "..", "/", "?", "=", "Note", "Item", "-1", "9223372036854775807", "ids",
                                        "entity", "values", "#"]
