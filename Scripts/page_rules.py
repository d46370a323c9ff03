"""The rules for the studio's scripts, which Scripts/house-rules applies: sizes, imports without circles, types."""

import os
import re

PAGES = "Sources/CoreDataStudio/Pages/scripts/"
FUNCTION_LIMIT, COLUMNS = 40, 110
# Parts of lines that can't be broken: a long text or pattern, a type in a comment of one line.
UNBROKEN = re.compile(r'"(?:\\.|[^"\\]){40,}"|`[^`]{40,}`|/\S{40,}/|/\*\* @')
OPENING, CLOSING = "([{", ")]}"
# After these a slash begins a pattern, not a division.
BEFORE_PATTERN = re.compile(r"(?:[(,=:\[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|in|of|await)|=>)\s*$")
TOKEN = re.compile(r"=>|[()\[\]{},;]|\b(?:function|if|for|while|switch|catch|else|do|try|finally|class)\b")


def bare(text):
    """The script without comments, and with empty texts and patterns; lines stay where they are."""
    result, place, length = [], 0, len(text)
    depths = []  # of braces, for each template that a ${ interrupts

    def skip(end):
        nonlocal place
        result.append("\n" * text.count("\n", place, end))
        place = end

    def template():
        """Goes to the end of the template's text, or into its next ${."""
        at = place
        while at < length and text[at] != "`" and text[at:at + 2] != "${":
            at += 2 if text[at] == "\\" else 1
        is_open = text[at:at + 2] == "${"
        skip(at + (2 if is_open else 1))
        if is_open:
            depths.append(0)
            result.append("(")
        else:
            result.append('""')

    while place < length:
        two, one = text[place:place + 2], text[place]
        if two == "//":
            skip(text.find("\n", place) if "\n" in text[place:] else length)
        elif two == "/*":
            skip(text.index("*/", place) + 2)
        elif one in "\"'":
            skip(re.compile(r"(?:\\.|[^\\%s])*%s" % (one, one), re.S).match(text, place + 1).end())
            result.append('""')
        elif one == "`":
            place += 1
            template()
        elif one == "/" and BEFORE_PATTERN.search("".join(result[-60:])):
            skip(re.compile(r"/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\\[])+/\w*").match(text, place).end())
            result.append('""')
        elif one == "}" and depths and depths[-1] == 0:
            depths.pop()
            result.append(")")
            place += 1
            template()
        else:
            if depths:
                depths[-1] += (one == "{") - (one == "}")
            result.append(one)
            place += 1
    return "".join(result)


def functions(code):
    """Each function's first and last line. An arrow without braces ends with the expression."""
    stack = []     # for each open bracket: it, the line of the function that its brace belongs to or None
    arrows = []    # functions without braces: how many brackets are open around, first line
    starts = [0]   # where the statement or argument began
    previous, before = "", ""
    heads = {}     # the line of a bracket's opening, by depth
    line, done = 1, 0
    for token in TOKEN.finditer(code):
        line += code.count("\n", done, token.start())
        done, word = token.start(), token.group()
        while arrows and word in ",;)]}" and arrows[-1][0] == len(stack):
            yield arrows.pop()[1], line
        if word == "=>":
            following = code[token.end():].lstrip()
            if not following.startswith("{"):
                arrows.append((len(stack), line))
        elif word in OPENING:
            own = None
            if word == "{":
                between = code[starts[-1]:token.start()].rstrip()
                if previous == "=>":
                    own = heads.get("=>", line)
                elif previous == ")" and between.endswith(")") and before not in ("if", "for", "while", "switch", "catch"):
                    own = heads.get(len(stack), line)
            stack.append((word, own, before if word == "(" else ""))
            if word == "(":
                heads[len(stack) - 1] = line
                stack[-1] = (word, own, previous if previous in ("if", "for", "while", "switch", "catch") else "")
        elif word in CLOSING and stack:
            _, own, keyword = stack.pop()
            if own is not None:
                yield own, line
            before = keyword if word == ")" else ""
        if word == "=>":
            heads["=>"] = heads.get(len(stack), line) if previous == ")" else line
        previous = word


def imports(path, code, text):
    """The scripts that one imports, by their paths. Types that comments import are none."""
    for found in re.finditer(r'(?:\bfrom\s*|\bimport\s*\(?\s*)""', code):
        line = code.count("\n", 0, found.end())
        # Texts are empty in the bare script: the n-th one of a line is the n-th one of the file's.
        number = code[:found.end()].split("\n")[-1].count('""') - 1
        texts = re.findall(r'"((?:\\.|[^"\\])*)"', text.split("\n")[line])
        if number < len(texts) and texts[number].startswith("."):
            yield line + 1, os.path.normpath(os.path.join(os.path.dirname(path), texts[number]))


def circle(path, graph):
    """The scripts by which one comes back to itself, if there is such a way; the shortest one."""
    ways, seen = [[path]], set()
    while ways:
        way = ways.pop(0)
        for following in graph.get(way[-1], ()):
            if following == path:
                return way
            if following not in seen:
                seen.add(following)
                ways.append(way + [following])
    return None


def breaches(files, read):
    """Each breach: path, line, rule, reason."""
    scripts = [f for f in files if f.startswith(PAGES) and f.endswith(".js")]
    graph = {}
    for path in scripts:
        text = read(path)
        code = bare(text)
        if not text.startswith("// @ts-check\n") or re.search(r"@ts-(?:ignore|nocheck|expect-error)", text):
            yield path, 1, "scripts-are-checked", "begins with // @ts-check and has no exception from it"
        for number, words in enumerate(text.split("\n"), 1):
            if len(words) > COLUMNS and not UNBROKEN.search(words):
                yield path, number, "script-line-length", f"more than {COLUMNS} columns"
        for first, last in functions(code):
            if last - first + 1 > FUNCTION_LIMIT:
                yield path, first, "script-function-length", f"more than {FUNCTION_LIMIT} lines in one function"
        found = list(imports(path, code, text))
        graph[path] = [target for _, target in found]
        if "/state/" in path:
            for line, target in found:
                if "/state/" not in target:
                    yield path, line, "script-state-is-pure", "imports what isn't state"
            for number, words in enumerate(code.split("\n"), 1):
                if re.search(r"\b(?:document|window|location|history|localStorage|sessionStorage|navigator|fetch)\b(?=[.(])(?<!\.)", words) \
                        and not re.search(r"\.\s*(?:document|window|location|history|navigator|fetch)\b", words):
                    yield path, number, "script-state-is-pure", "state knows nothing of the page, so that tests need no browser"
    for path in scripts:
        way = circle(path, graph)
        if way and min(way) == path:
            yield path, 1, "script-circles", "imports itself by way of " + ", ".join(os.path.basename(f) for f in way[1:] or way)


RULES = ["scripts-are-checked", "script-line-length", "script-function-length", "script-state-is-pure", "script-circles"]

HEAD = "// @ts-check\n"
BREAKING = {
    "scripts-are-checked": (PAGES + "a.js", "export const a = 1;\n"),
    "script-line-length": (PAGES + "j.js", HEAD + "export const j = [" + "1, " * 40 + "];\n"),
    "script-function-length": (PAGES + "b.js", HEAD + "export function b(x = {}) {\n" + "  b();\n" * 39 + "}\n"),
    "script-state-is-pure": (PAGES + "state/c.js", HEAD + "export const c = () => document.title;\n"),
    "script-circles": (PAGES + "d.js", HEAD + 'import { e } from "./state/../e.js";\nexport const d = () => e;\n'),
}
KEEPING = {
    PAGES + "e.js": HEAD + 'import { d } from "./d.js";\nexport const e = () => d;\n',
    PAGES + "state/f.js": HEAD + '/** @typedef {import("../d.js").D} D */\n// document.title\nexport const f = `${"{"} document.title {`;\n',
    PAGES + "g.js": HEAD + "export class G {\n" + "  g() {\n    return /[/{`\"]/.test(\"{\");\n  }\n" * 30 + "}\n",
    PAGES + "k.js": HEAD + 'export const k = "' + "long " * 30 + '";\n',
    PAGES + "h.js": HEAD + "export function h(x = {}) {\n" + "  h();\n" * 38 + "}\n",
    PAGES + "i.js": HEAD + "export const i = [\n" + "  (x) => { i(x); },\n  (x) => i(x),\n" * 30 + "];\n",
}
