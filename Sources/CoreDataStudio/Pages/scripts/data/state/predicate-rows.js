// @ts-check
// A predicate as rows and groups: what a person's choices make of them.

/** @typedef {import("./predicate-keys.js").PredicateKeys} PredicateKeys */
/** @typedef {import("./predicate-keys.js").Property} Property */
/** @typedef {PredicateGroup & { type: "and" | "or" }} Compound */

const operators = ["==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES",
  "IN", "BETWEEN"];
const textual = new Set(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "==", "!=", "IN"]);
const ordered = ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"], equal = ["==", "!=", "IN"],
  same = ["==", "!="];

/**
 * The operators for each kind of property; texts for all.
 * @type {Record<string, string[] | undefined>}
 */
const fitting = {
  number: ordered, decimal: ordered, date: ordered, boolean: same, uuid: equal,
  uri: [...equal, "CONTAINS", "BEGINSWITH", "ENDSWITH"],
  toOne: equal, toMany: equal, ordered: equal, binary: same, image: same, tree: same, composite: same,
};

/** @type {Record<string, Operand["type"]>} */
const valueTypes = { number: "number", decimal: "number", date: "date", boolean: "boolean" };

// Groups.

/** @param {PredicateTree | undefined} tree @returns {tree is Compound} */
const isCompound = (tree) => tree?.type === "and" || tree?.type === "or";

/**
 * Tells whether a part is drawn as a group.
 * @param {PredicateTree} tree
 * @returns {tree is PredicateGroup}
 */
export const isGroup = (tree) => isCompound(tree) || tree.type === "not";

/**
 * A tree whose outermost part is a group.
 * @param {PredicateTree} tree
 * @returns {PredicateGroup}
 */
export const asGroup = (tree) => isCompound(tree) || tree.type === "not" && isCompound(tree.parts[0]) ? tree
  : { type: "and", parts: [tree] };

/**
 * The group that has the rows: for a negation the one within, which is put there if there is none.
 * @param {PredicateGroup} node
 * @returns {Compound}
 */
export function innerGroup(node) {
  if (isCompound(node)) return node;
  const [only] = node.parts;
  /** @type {Compound} */
  const inner = isCompound(only) ? only : { type: "and", parts: node.parts };
  node.parts = [inner];
  return inner;
}

export const groupKinds = /** @type {[string, string][]} */ ([
  ["and", "All of these"], ["or", "Any of these"], ["nand", "Not all of these"], ["nor", "None of these"]]);

/** @param {PredicateGroup} node */
export const groupKind = (node) => (node.type === "not" ? "n" : "") + innerGroup(node).type;

/**
 * Makes a group one of another kind; its rows stay.
 * @param {PredicateGroup} node
 * @param {string} kind
 */
export function chooseGroupKind(node, kind) {
  const { parts } = innerGroup(node), type = /** @type {"and" | "or"} */ (kind.replace(/^n/, ""));
  Object.assign(node, kind.startsWith("n") ? { type: "not", parts: [{ type, parts }] } : { type, parts });
}

/** @param {Compound} group @param {PredicateKeys} keys */
export const addRow = (group, keys) => group.parts.push(newRow(keys));

/**
 * Adds a group of the other kind.
 * @param {Compound} group
 * @param {PredicateKeys} keys
 */
export const addGroup = (group, keys) =>
  group.parts.push({ type: group.type === "and" ? "or" : "and", parts: [newRow(keys)] });

// Rows.

/**
 * @param {PredicateKeys} keys
 * @returns {PredicateRow}
 */
export const newRow = (keys) => ({
  type: "row", isNew: true, modifier: "", left: { kind: "key", text: keys.first }, op: "==", options: "",
    right: { kind: "constant", type: "text", text: "" } });

/**
 * Whether a row was added that doesn't say yet what it compares with: it would leave nothing to see.
 * @param {PredicateRow} row
 */
function isUnfinished(row) {
  const { kind, type, text } = row.right;
  const isEmpty = kind === "constant" && type !== "nil" && type !== "boolean" && text === "";
  // Who empties a value later means the empty one.
  if (!isEmpty) delete row.isNew;
  return row.isNew === true;
}

/**
 * A tree without rows that aren't finished, and without groups that have no others; null if nothing is left.
 * @param {PredicateTree} tree
 * @returns {PredicateTree | null}
 */
export function finished(tree) {
  if (tree.type === "row") return isUnfinished(tree) ? null : tree;
  if (tree.type === "text") return tree;
  const parts = tree.parts.flatMap((part) => finished(part) ?? []);
  return parts.length || !tree.parts.length ? { ...tree, parts } : null;
}

/**
 * The property that a row is about.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 */
export const leftProperty = (keys, row) => row.left.kind === "key" ? keys.property(row.left.text) : undefined;

/**
 * The type of the values that a row compares with.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 */
const typeOf = (keys, row) => valueTypes[leftProperty(keys, row)?.kind ?? ""] ?? "text";

/**
 * The operators that fit a row; the one that it has among them.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 */
export function operatorsOf(keys, row) {
  const known = fitting[leftProperty(keys, row)?.kind ?? ""] ?? operators;
  return known.includes(row.op) ? known : [row.op, ...known];
}

/**
 * Tells whether a row compares texts, so that case and accents may be ignored.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 */
export function hasTextOptions(keys, row) {
  const property = leftProperty(keys, row);
  return textual.has(row.op) && (!property || ["text", "longText", "choice", "uri"].includes(property.kind));
}

/** @param {PredicateRow} row @param {string} letter `c` for case, `d` for accents */
export function toggleOption(row, letter) {
  row.options = row.options.includes(letter) ? row.options.replace(letter, "") : row.options + letter;
}

/** @param {PredicateRow} row */
const takesList = (row) => row.op === "IN" || row.op === "BETWEEN";

/**
 * Another operator; the right side becomes a list or a single value where that one needs it.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 * @param {string} op
 */
export function chooseOperator(keys, row, op) {
  row.op = op;
  const { right } = row, items = right.items ?? [];
  if (takesList(row) && right.kind === "constant") row.right = listOf(row, typeOf(keys, row),
    [right.text ?? ""]);
  else if (takesList(row) && right.kind === "list") row.right = listOf(row, right.type, items);
  else if (right.kind === "list") row.right = { kind: "constant", type: right.type, text: items[0] ?? "" };
}

/**
 * @param {Operand["type"]} type
 * @param {string[]} items
 */
const listOperand = (type, items) => /** @type {Operand} */ ({ kind: "list", type, items });

/**
 * A list as an operator takes it: two values for BETWEEN, any that aren't empty for IN.
 * @param {PredicateRow} row
 * @param {Operand["type"]} type
 * @param {string[]} items
 * @returns {Operand}
 */
function listOf(row, type, items) {
  const fit = row.op === "BETWEEN" ? [items[0] ?? "", items[1] ?? ""]
    : items.filter((item, index) => item !== "" || index === 0);
  return listOperand(type, fit);
}

/**
 * Another kind of side: a value, a list, a key, a variable. Gives the variable's name if it stands for an
 * object.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 * @param {"left" | "right"} side
 * @param {string} kind
 */
export function chooseOperand(keys, row, side, kind) {
  const name = (row.left.text ?? "").split(".").at(-1)?.replace(/\W/g, "") || "value";
  const type = typeOf(keys, row);
  /** @type {Record<string, Operand>} */
  const fresh = {
    constant: { kind: "constant", type, text: "" }, list: listOperand(type, [""]),
    key: { kind: "key", text: keys.entity.titleKey ?? "SELF" }, variable: { kind: "variable", text: name },
    object: { kind: "variable", text: name }, expression: { kind: "expression", text: "0" },
  };
  row[side] = fresh[kind];
  return kind === "object" ? name : null;
}

/**
 * Another key; on the left the operator, the modifier and the value become such as fit it.
 * @param {PredicateKeys} keys
 * @param {PredicateRow} row
 * @param {Operand} own
 * @param {string} text
 */
export function chooseKey(keys, row, own, text) {
  const before = typeOf(keys, row);
  own.text = text.trim();
  if (row.left !== own) return;
  const property = leftProperty(keys, row), known = property && fitting[property.kind],
    type = typeOf(keys, row);
  if (known && !known.includes(row.op)) row.op = "==";
  row.modifier = keys.isMany(own.text) ? row.modifier || "ANY" : "";
  if (property?.destination) row.right = { kind: "constant", type: "nil", text: "" };
  else if (row.right.kind === "constant" && type !== before) row.right = { kind: "constant", type,
    text: type === "boolean" ? "YES" : "" };
  else if (row.right.kind === "list" && type !== before) row.right = listOperand(type,
    row.op === "BETWEEN" ? ["", ""] : [""]);
  if (row.right.kind === "list" && !takesList(row)) row.right = { kind: "constant", type, text: "" };
}

/** @param {Operand} own @param {string} type */
export function chooseType(own, type) {
  own.type = /** @type {Operand["type"]} */ (type);
  if (own.type === "boolean" && own.kind === "constant") own.text = "YES";
}

/**
 * Tells whether a text means yes, as predicates write it.
 * @param {string} text
 */
export const isYes = (text) => !/^(no|false|0)$/i.test(text);
