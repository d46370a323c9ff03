// The predicate builder: a predicate's rows and groups, which the person changes in place.

import { h, show, button, select, unique } from "./ui.js";
import { get } from "./api.js";

const operators = ["==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN"];
const textual = new Set(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "==", "!=", "IN"]);
const ordered = ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"], equal = ["==", "!=", "IN"];
/** What each kind of property can be asked for. */
const fitting = {
  number: ordered, decimal: ordered, date: ordered, boolean: ["==", "!="], uuid: equal, uri: [...equal, "CONTAINS", "BEGINSWITH", "ENDSWITH"],
  toOne: equal, toMany: equal, ordered: equal, binary: ["==", "!="], image: ["==", "!="], tree: ["==", "!="], composite: ["==", "!="],
};
const spoken = {
  "==": "is", "!=": "is not", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least", CONTAINS: "contains", BEGINSWITH: "begins with",
  ENDSWITH: "ends with", LIKE: "is like (* and ?)", MATCHES: "matches", IN: "is one of", BETWEEN: "is between",
};

/**
 * A builder for an entity's predicates. `tell()` is called after each change, `pick(name, relation)` when an object is
 * to be chosen for a variable.
 */
export function predicateBuilder(entity, tell, pick) {
  const element = h("div.builder", { hidden: true, role: "group", "aria-label": "Predicate builder" });
  const others = new Map();
  let form = null, edits = 0, turn = 0;
  const changed = () => { edits += 1; tell(); };

  /** The entities that relationships lead to, for paths of two keys. */
  async function readOthers() {
    const names = [...new Set(entity.relationships.map((relation) => relation.destination))].filter((name) => !others.has(name)).slice(0, 30);
    await Promise.all(names.map(async (name) => {
      try { others.set(name, await get("data/entities/" + encodeURIComponent(name))); } catch { others.set(name, null); }
    }));
  }

  const group = (tree) => ["and", "or"].includes(tree.type) || tree.type === "not" && ["and", "or"].includes(tree.parts[0]?.type) ? tree : { type: "and", parts: [tree] };

  const fields = (one) => [...one.attributes, ...one.relationships];
  /** The property that a path leads to; a number for counts. */
  function property(path) {
    const [first, second] = path.split(".");
    const own = fields(entity).find((field) => field.key === first);
    if (!own || !second) return own;
    if (second.startsWith("@")) return { kind: "number", label: path };
    if (own.elements) return own.elements.find((element) => element.key === second);
    return others.get(own.destination) && fields(others.get(own.destination)).find((field) => field.key === second);
  }

  function paths() {
    const found = fields(entity).map((field) => field.key);
    for (const relation of entity.relationships) {
      if (relation.kind !== "toOne") found.push(relation.key + ".@count");
      for (const field of others.get(relation.destination)?.attributes ?? []) found.push(`${relation.key}.${field.key}`);
    }
    return [...found, "SELF"];
  }

  const isMany = (path) => ["toMany", "ordered"].includes(entity.relationships.find((relation) => relation.key === path.split(".")[0])?.kind) && !path.includes("@");
  const left = (row) => row.left.kind === "key" ? property(row.left.text) : null;
  const typeOf = (row) => ({ number: "number", decimal: "number", date: "date", boolean: "boolean" }[left(row)?.kind] ?? "text");
  const newRow = () => ({ type: "row", modifier: "", left: { kind: "key", text: entity.titleKey ?? entity.attributes[0]?.key ?? "SELF" }, op: "==", options: "", right: { kind: "constant", type: "text", text: "" } });

  function draw(focus) {
    show(element, drawGroup(form, null));
    if (focus) element.querySelectorAll(focus)[element.querySelectorAll(focus).length - 1]?.focus();
  }
  const redraw = (focus) => { draw(focus); changed(); };

  function drawGroup(node, remove) {
    const isNot = node.type === "not";
    const inner = isNot ? (["and", "or"].includes(node.parts[0]?.type) ? node.parts[0] : { type: "and", parts: node.parts }) : node;
    if (isNot) node.parts = [inner];
    const kinds = [["and", "All of these"], ["or", "Any of these"], ["nand", "Not all of these"], ["nor", "None of these"]];
    const choose = select(kinds, (isNot ? "n" : "") + inner.type, { "aria-label": "Kind of group", onchange: () => {
      const parts = inner.parts, own = choose.value.replace(/^n/, "");
      Object.keys(node).forEach((key) => delete node[key]);
      if (choose.value.startsWith("n")) Object.assign(node, { type: "not", parts: [{ type: own, parts }] }); else Object.assign(node, { type: own, parts });
      redraw();
    } });
    return h("fieldset.group", {}, h("legend.row", {}, choose,
      button("Row", () => { inner.parts.push(newRow()); redraw(".rule input.key"); }, { icon: "add", kind: "quiet", label: "Add a row" }),
      button("Group", () => { inner.parts.push({ type: inner.type === "and" ? "or" : "and", parts: [newRow()] }); redraw(".rule input.key"); }, { icon: "add", kind: "quiet", label: "Add a group" }),
      remove && button("", remove, { icon: "close", kind: "quiet", label: "Remove the group" })),
    inner.parts.length === 0 && h("p.hint", {}, "No rows: everything is shown."),
    inner.parts.map((part, index) => {
      const drop = () => { inner.parts.splice(index, 1); redraw(".group select"); };
      return ["and", "or", "not"].includes(part.type) ? drawGroup(part, drop) : drawRow(part, drop);
    }));
  }

  function drawRow(row, remove) {
    const drop = button("", remove, { icon: "close", kind: "quiet", label: "Remove the row" });
    if (row.type === "text") {
      return h("div.rule", {}, h("div.row", {}, h("input.mono.wide", { type: "text", value: row.text, "aria-label": "Condition", onchange: (event) => { row.text = event.target.value; changed(); } }), drop),
        h("p.hint", {}, "The builder has no row for this condition: it is kept as text."));
    }
    const field = left(row), path = row.left.text ?? "";
    const known = field ? fitting[field.kind] ?? operators : operators;
    const choices = known.includes(row.op) ? known : [row.op, ...known];
    const many = row.left.kind === "key" && isMany(path);
    const operator = select(choices.map((op) => [op, spoken[op] ? `${op}  ${spoken[op]}` : op]), row.op, { "aria-label": "Operator", onchange: () => {
      row.op = operator.value;
      const isList = row.op === "IN" || row.op === "BETWEEN";
      if (isList && row.right.kind === "constant") row.right = { kind: "list", type: typeOf(row), items: row.op === "BETWEEN" ? [row.right.text ?? "", ""] : [row.right.text ?? ""] };
      if (row.op === "IN" && row.right.kind === "list" && row.right.items.length > 1) row.right.items = row.right.items.filter((item, index) => item !== "" || index === 0);
      if (isList && row.right.kind === "list" && row.op === "BETWEEN") row.right.items = [row.right.items[0] ?? "", row.right.items[1] ?? ""];
      if (!isList && row.right.kind === "list") row.right = { kind: "constant", type: row.right.type, text: row.right.items[0] ?? "" };
      redraw();
    } });
    return h("div.row.rule", {},
      (many || row.modifier) && select([["", "–"], ["ANY", "ANY"], ["ALL", "ALL"], ["NONE", "NONE"]], row.modifier, { "aria-label": "Modifier", onchange: (event) => { row.modifier = event.target.value; changed(); } }),
      operand(row, "left"), operator, optionButtons(row, field), operand(row, "right"), drop);
  }

  function optionButtons(row, field) {
    if (!textual.has(row.op) || field && !["text", "longText", "choice", "uri"].includes(field.kind)) return null;
    return h("span.row.options", {}, [["c", "Aa", "Ignore case"], ["d", "Áa", "Ignore accents"]].map(([letter, text, title]) => {
      const own = button(text, () => {
        row.options = row.options.includes(letter) ? row.options.replace(letter, "") : row.options + letter;
        own.setAttribute("aria-pressed", String(row.options.includes(letter)));
        changed();
      }, { kind: "quiet", title, label: title, "aria-pressed": String(row.options.includes(letter)) });
      return own;
    }));
  }

  // MARK: Operands

  function operand(row, side) {
    const own = row[side], relation = side === "right" && left(row)?.destination ? left(row) : null;
    const kinds = [["constant", "Value"], ["list", "List"], relation && ["object", "Object"], ["key", "Key"], ["variable", "Variable"], ["expression", "Expression"]]
      .filter((kind) => kind && (side === "right" || kind[0] !== "list"));
    const kind = select(kinds, own.kind, { "aria-label": side === "left" ? "Left side" : "Right side", class: "kind", onchange: () => {
      const name = row.left.text.split(".").at(-1).replace(/\W/g, "") || "value";
      row[side] = { constant: { kind: "constant", type: typeOf(row), text: "" }, list: { kind: "list", type: typeOf(row), items: [""] }, key: { kind: "key", text: entity.titleKey ?? "SELF" },
        variable: { kind: "variable", text: name }, object: { kind: "variable", text: name }, expression: { kind: "expression", text: "0" } }[kind.value];
      const isObject = kind.value === "object";
      redraw();
      if (isObject) pick(name, relation);
    } });
    return h("span.row.operand", { role: "group", "aria-label": side === "left" ? "What is compared" : "What it is compared with" }, kind, control(own, row, relation));
  }

  function control(own, row, relation) {
    switch (own.kind) {
      case "key": return keyField(own, row);
      case "list": return listFields(own, row);
      case "constant": return valueField(own, row);
      case "variable": return [h("input.mono", { type: "text", value: own.text, "aria-label": "Variable’s name", onchange: (event) => { own.text = event.target.value.trim(); changed(); } }),
        relation && button("Choose…", () => pick(own.text, relation), { label: `Choose the object for $${own.text}` })];
      default: return h("input.mono", { type: "text", value: own.text, "aria-label": "Expression", onchange: (event) => { own.text = event.target.value; changed(); } });
    }
  }

  function keyField(own, row) {
    const id = "keys-" + unique();
    const field = h("input.mono.key", { type: "text", value: own.text, list: id, "aria-label": "Key", onchange: () => {
      const before = typeOf(row);
      own.text = field.value.trim();
      if (row.left === own) settle(row, before);
      redraw();
    } });
    return [field, h("datalist", { id }, paths().map((key) => h("option", { value: key })))];
  }

  /** Another key on the left: operator, modifier and value become such as fit it. */
  function settle(row, before) {
    const field = left(row), known = field && fitting[field.kind];
    if (known && !known.includes(row.op)) row.op = "==";
    if (isMany(row.left.text) && !row.modifier) row.modifier = "ANY";
    if (!isMany(row.left.text)) row.modifier = "";
    if (field?.destination) row.right = { kind: "constant", type: "nil", text: "" };
    else if (row.right.kind === "constant" && typeOf(row) !== before) row.right = { kind: "constant", type: typeOf(row), text: typeOf(row) === "boolean" ? "YES" : "" };
    else if (row.right.kind === "list" && typeOf(row) !== before) row.right = { kind: "list", type: typeOf(row), items: row.op === "BETWEEN" ? ["", ""] : [""] };
    if (row.right.kind === "list" && row.op !== "IN" && row.op !== "BETWEEN") row.right = { kind: "constant", type: typeOf(row), text: "" };
  }

  const typeField = (own) => {
    const type = select([["text", "text"], ["number", "number"], ["date", "date"], ["boolean", "yes/no"], own.kind === "constant" && ["nil", "nil"]].filter(Boolean), own.type, { "aria-label": "Type of value",
      onchange: () => { own.type = type.value; if (own.type === "boolean" && own.kind === "constant") own.text = "YES"; redraw(); } });
    return type;
  };

  function textField(value, type, label, put, row) {
    const choices = left(row)?.choices, id = choices && "values-" + unique();
    const field = h("input", { type: "text", value, "aria-label": label, list: id ?? null, placeholder: type === "date" ? "2024-05-01" : "", inputmode: type === "number" ? "decimal" : null, onchange: () => { put(field.value); changed(); } });
    return [field, choices && h("datalist", { id }, choices.map((choice) => h("option", { value: choice.value }, choice.label)))];
  }

  function valueField(own, row) {
    if (own.type === "nil") return typeField(own);
    if (own.type === "boolean") {
      return [typeField(own), select([["YES", "yes"], ["NO", "no"]], /^(no|false|0)$/i.test(own.text) ? "NO" : "YES", { "aria-label": "Value", onchange: (event) => { own.text = event.target.value; changed(); } })];
    }
    return [typeField(own), textField(own.text, own.type, "Value", (text) => { own.text = text; }, row)];
  }

  function listFields(own, row) {
    const isRange = row.op === "BETWEEN";
    const name = (index) => isRange ? (index ? "To" : "From") : `Value ${index + 1}`;
    return [typeField(own), own.items.map((item, index) => [isRange && index === 1 && h("span.dim", {}, "to"), textField(item, own.type, name(index), (text) => { own.items[index] = text; }, row),
      !isRange && own.items.length > 1 && button("", () => { own.items.splice(index, 1); redraw(); }, { icon: "remove", kind: "quiet", label: `Remove value ${index + 1}` })]),
    !isRange && button("", () => { own.items.push(""); draw(".operand input"); }, { icon: "add", kind: "quiet", label: "Add a value" })];
  }

  return {
    element,
    form: () => form,
    /** How often the person changed something: what was asked for before that comes too late. */
    edits: () => edits,
    async show(tree, before) {
      const mine = ++turn;
      await readOthers();
      if (edits !== before || mine !== turn) return;
      form = group(tree);
      draw();
    },
    say(text) { turn += 1; form = null; show(element, h("p.hint", {}, text)); },
  };
}
