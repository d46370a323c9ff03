// @ts-check
// The predicate builder: a predicate's rows and groups, which the person changes in place.

import { h, show, button, select } from "../ui.js";
import { Turns } from "../state/turns.js";
import { PredicateKeys } from "./state/predicate-keys.js";
import {
  addGroup, addRow, asGroup, chooseGroupKind, chooseOperator, groupKind, groupKinds, hasTextOptions,
  innerGroup, isGroup, operatorsOf, toggleOption,
} from "./state/predicate-rows.js";
import { operandView } from "./builder-operand.js";

/** @type {Record<string, string | undefined>} */
const spoken = {
  "==": "is", "!=": "is not", "<": "less than", "<=": "at most", ">": "more than", ">=": "at least",
  CONTAINS: "contains", BEGINSWITH: "begins with",
  ENDSWITH: "ends with", LIKE: "is like (* and ?)", MATCHES: "matches", IN: "is one of",
  BETWEEN: "is between",
};

/** @typedef {import("./builder-operand.js").BuilderHost} BuilderHost */

/** @implements {BuilderHost} */
export class PredicateBuilder {
  /**
   * @param {BuilderEntity} entity
   * @param {() => void} tell is called after each change
   * @param {(name: string, relation: any) => void} pick is called when an object is to be chosen for a
   *   variable
   * @param {(name: string) => BuilderEntity | null | Promise<BuilderEntity>} read finds an entity that a
   *   relationship leads to
   */
  constructor(entity, tell, pick, read) {
    this.keys = new PredicateKeys(entity);
    this.read = read;
    this.tell = tell;
    this.pick = pick;
    this.turns = new Turns();
    this.element = h("div.builder", { hidden: true, role: "group", "aria-label": "Predicate builder" });
    /**
     * The tree that is shown; null while the text is wrong.
     * @type {PredicateGroup | null}
     */
    this.form = null;
    /** The number of the person's changes: answers to questions before the last one come too late. */
    this.edits = 0;
  }

  /**
   * Shows a tree, unless the person changes something before related entities are read.
   * @param {PredicateTree} tree
   * @param {number} before the number of changes when it was asked for
   */
  async show(tree, before) {
    const isMine = this.turns.next();
    await this.#readOthers(this.keys);
    if (this.edits !== before || !isMine()) return;
    this.form = asGroup(tree);
    this.draw();
  }

  /**
   * Takes an entity that may have other properties by now. Rows that are drawn later offer them.
   * @param {BuilderEntity} entity
   */
  async describe(entity) {
    const keys = new PredicateKeys(entity);
    await this.#readOthers(keys);
    this.keys = keys;
  }

  /**
   * Shows words in place of rows.
   * @param {string} text
   */
  say(text) {
    this.turns.next();
    this.form = null;
    show(this.element, h("p.hint", {}, text));
  }

  changed() {
    this.edits += 1;
    this.tell();
  }

  /** @param {string} [focus] of several that match, the last one gets it */
  draw(focus) {
    show(this.element, this.form && this.#group(this.form, null));
    if (focus) /** @type {HTMLElement | undefined} */ ([...this.element.querySelectorAll(focus)].at(-1))?.focus();
  }

  /** @param {string} [focus] */
  redraw(focus) {
    this.draw(focus);
    this.changed();
  }

  /**
   * The entities that relationships lead to, for keys of two parts.
   * @param {PredicateKeys} keys
   */
  async #readOthers(keys) {
    const { others } = keys;
    await Promise.all(keys.missing().map(async (name) => {
      try {
        others.set(name, await this.read(name));
      } catch { others.set(name, null); }
    }));
  }

  /**
   * @param {PredicateGroup} node
   * @param {(() => void) | null} remove
   * @returns {HTMLElement}
   */
  #group(node, remove) {
    const inner = innerGroup(node);
    const kind = select(groupKinds, groupKind(node), { "aria-label": "Kind of group",
      onchange: (event) => { chooseGroupKind(node, event.target.value); this.redraw(); } });
    return h("fieldset.group", {}, h("legend.row", {}, kind,
      button("Row", () => {
        addRow(inner, this.keys);
        this.redraw(".rule input.key");
      }, { icon: "add", kind: "quiet", label: "Add a row" }),
      button("Group", () => {
        addGroup(inner, this.keys);
        this.redraw(".rule input.key");
      }, { icon: "add", kind: "quiet", label: "Add a group" }),
      remove && button("", remove, { icon: "close", kind: "quiet", label: "Remove the group" })),
    inner.parts.length === 0 && h("p.hint", {}, "No rows: everything is shown."),
    inner.parts.map((part, index) => {
      const drop = () => { inner.parts.splice(index, 1); this.redraw(".group select"); };
      return isGroup(part) ? this.#group(part, drop) : part.type === "row" ? this.#row(part, drop)
        : this.#text(part, drop);
    }));
  }

  /** @param {() => void} remove */
  #drop(remove) { return button("", remove, { icon: "close", kind: "quiet", label: "Remove the row" }); }

  /**
   * @param {PredicateText} part
   * @param {() => void} remove
   */
  #text(part, remove) {
    const input = h("input.mono.wide", { type: "text", value: part.text, "aria-label": "Condition",
      onchange: (event) => { part.text = event.target.value; this.changed(); } });
    return h("div.rule", {}, h("div.row", {}, input, this.#drop(remove)),
      h("p.hint", {}, "The builder has no row for this condition: it is kept as text."));
  }

  /**
   * @param {PredicateRow} row
   * @param {() => void} remove
   */
  #row(row, remove) {
    const isMany = row.left.kind === "key" && this.keys.isMany(row.left.text);
    const modifier = (isMany || row.modifier)
      && select([["", "–"], "ANY", "ALL", "NONE"], row.modifier, { "aria-label": "Modifier",
      onchange: (event) => { row.modifier = event.target.value; this.changed(); } });
    const names = operatorsOf(this.keys, row).map((op) =>
      /** @type {[string, string]} */ ([op, spoken[op] ? `${op}  ${spoken[op]}` : op]));
    const operator = select(names, row.op, { "aria-label": "Operator",
      onchange: (event) => { chooseOperator(this.keys, row, event.target.value); this.redraw(); } });
    return h("div.row.rule", {}, modifier,
      operandView(row, "left", this), operator, this.#options(row), operandView(row, "right", this),
        this.#drop(remove));
  }

  /** @param {PredicateRow} row */
  #options(row) {
    if (!hasTextOptions(this.keys, row)) return null;
    /**
     * @param {string} letter
     * @param {string} text
     * @param {string} title
     */
    const option = (letter, text, title) => {
      /** @type {HTMLButtonElement} */
      const own = button(text, () => {
        toggleOption(row, letter);
        own.setAttribute("aria-pressed", String(row.options.includes(letter)));
        this.changed();
      }, { kind: "quiet", title, label: title, "aria-pressed": String(row.options.includes(letter)) });
      return own;
    };
    return h("span.row.options", {}, option("c", "Aa", "Ignore case"), option("d", "Áa", "Ignore accents"));
  }
}
