// @ts-check
// A table whose rows can be chosen, also several, also by keys.

import { h } from "../ui.js";
import { state, checksOf, choose, severity } from "./document.js";
import { dragging } from "./transfer.js";
import { Clicks, picked } from "./state/picking.js";

/** @type {Clicks<number>} */
const clicks = new Clicks();

/**
 * @typedef {object} TableOptions
 * @property {number[]} [numbers] the columns of numbers
 * @property {((node: ModelElement) => void) | null} [open] what Return and a double click do
 * @property {boolean} [isAligned] whether its columns begin where those of the page's other tables do
 */

/**
 * @param {string} label
 * @param {string[]} heads
 * @param {ModelElement[]} nodes
 * @param {(node: ModelElement) => Content[]} cells of which the first is the element's name
 * @param {TableOptions} options
 */
export function choiceTable(label, heads, nodes, cells, options = {}) {
  const { numbers = [], open = null, isAligned = false } = options;
  const rows = new TableRows(nodes, open);
  /** @param {number} index */
  const style = (index) => numbers.includes(index) ? "number" : null;
  const attributes = { "aria-label": label, class: isAligned ? "aligned" : null };
  return h("div.model-scroll", { dataset: { scroll: "table-" + label } }, h("table", attributes,
    h("thead", {}, h("tr", {}, heads.map((head, index) =>
      h("th", { scope: "col", class: style(index) }, head || h("span.model-hidden", {}, "More"))))),
    h("tbody", {}, nodes.map((node, row) => h("tr", {
      class: state.selection.includes(node.id) ? "chosen" : null,
      ...dragging(node), onclick: (event) => rows.click(event, node.id),
        onkeydown: (event) => rows.key(event, row),
    }, cells(node).map((cell, index) => index ? h("td", { class: style(index) }, cell)
      : rows.head(node, cell)))))));
}

class TableRows {
  /**
   * @param {ModelElement[]} nodes
   * @param {((node: ModelElement) => void) | null} open
   */
  constructor(nodes, open) {
    this.nodes = nodes;
    this.ids = nodes.map((node) => node.id);
    this.open = open;
  }

  /**
   * The first cell: a button that chooses the row.
   * @param {ModelElement} node
   * @param {Content} cell
   */
  head(node, cell) {
    const isChosen = state.selection.includes(node.id), mark = severity(node),
      worst = checksOf(node.id)[0]?.message ?? mark;
    const name = typeof cell === "string" || !cell
      ? h("button.model-pick", { type: "button", "aria-pressed": String(isChosen),
        class: node.values.isAbstract ? "abstract" : null,
        dataset: { key: "pick" + node.id }, onclick: (event) => this.#pick(event, node.id) },
          cell || "(no name)")
      : cell;
    return h("th", { scope: "row" }, h("span.row", {}, name,
      mark && h("span.dot", { class: mark, title: worst }, h("span.model-hidden", {}, worst))));
  }

  /**
   * @param {MouseEvent} event
   * @param {number} id
   */
  click(event, id) {
    if (!/** @type {Element} */ (event.target).closest("a, select, input, button")) this.#pick(event, id);
  }

  /**
   * @param {MouseEvent} event
   * @param {number} id
   */
  #pick(event, id) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (clicks.isAgain(id, event.timeStamp) && this.open
      && isPlain) this.open(this.nodes[this.ids.indexOf(id)]);
    else choose(picked(this.ids, state.selection, id, event));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  key(event, index) {
    const isOnName = /** @type {Element} */ (event.target).closest("button.model-pick") !== null;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && isOnName) {
      const next = this.ids[index + step];
      if (next === undefined) return;
      choose(picked(this.ids, state.selection, next, { shiftKey: event.shiftKey }));
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="pick${next}"]`))?.focus();
    } else if (this.open && event.key === "Enter" && isOnName) this.open(this.nodes[index]);
    else if (event.key === "F2" || (event.key === "Enter" && isOnName)) this.#rename(index);
    else return;
    event.preventDefault();
  }

  /**
   * Goes to the name in the inspector.
   * @param {number} index
   */
  #rename(index) {
    choose([this.ids[index]]);
    /** @type {HTMLInputElement | null} */
    const input = document.querySelector(".inspector [data-field=name]");
    input?.focus();
    input?.select?.();
  }
}
