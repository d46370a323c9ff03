// @ts-check
// A grid's head: names of columns that sort, edges that make them wider, filters below them.

import { h, show } from "../ui.js";
import { debounce } from "../state/turns.js";
import { applyWidths, widthGrip } from "./columns.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */
/** @typedef {import("./state/grid-rows.js").GridRows} GridRows */
/**
 * @typedef {object} HeadActions
 * @property {() => void} reload
 * @property {() => void} keepLayout
 * @property {(isOn: boolean) => void} selectAll
 * @property {(key: string, step: number) => void} moveColumn
 * @property {(row: number, column: number) => void} focusCell
 */

/** @param {GridColumn} column */
export const isNumber = (column) => column.kind === "number" || column.kind === "decimal";

/**
 * What a filter takes, by the kind of column.
 * @type {Record<string, string | undefined>}
 */
const filterHints = { text: "a part of the text", number: "5, > 5 or 3..7", decimal: "5, > 5 or 3..7",
  date: "2024, 2024-05 or 2024-05-01", boolean: "yes or no", choice: "a choice",
  toOne: "a part of the title" };

export class GridHead {
  /**
   * @param {HTMLTableElement} table
   * @param {GridQuery} query
   * @param {GridRows} rows
   * @param {HeadActions} actions
   */
  constructor(table, query, rows, actions) {
    this.table = table;
    this.query = query;
    this.rows = rows;
    this.actions = actions;
    this.element = h("thead", {});
    /** @type {HTMLInputElement} */
    this.all = h("input", { type: "checkbox", "aria-label": "Select all rows of the page",
      onchange: () => actions.selectAll(this.all.checked) });
    this.drawn = "";
  }

  /** Columns that stay keep their filters, with what somebody is typing there. */
  draw() {
    const key = JSON.stringify(this.rows.keys());
    if (key !== this.drawn) {
      this.drawn = key;
      const { columns } = this.rows;
      show(this.element,
        h("tr", {}, h("th.check", {}, this.all), columns.map((column) => this.#title(column))),
        h("tr.filters", {}, h("th", { "aria-hidden": "true" }),
          columns.map((column, index) => h("th", {}, this.#filter(column, index)))));
    }
    applyWidths(this.table, this.query.widths);
    for (const th of this.#titles()) this.#drawSorting(th);
  }

  /** The next drawing makes all anew. */
  forget() { this.drawn = ""; }

  drawSelection() {
    this.all.checked = this.rows.isAllSelected;
    this.all.indeterminate = this.rows.selected.size > 0 && !this.rows.isAllSelected;
  }

  /** @param {number} column */
  focusFilter(column) { this.#filters()[column]?.focus(); }

  /** @param {string} key */
  focusTitle(key) {
    /** @type {HTMLElement | null} */ (this.element.querySelector(`th[data-key="${CSS.escape(key)}"] .sort`))?.focus();
  }

  #titles() { return /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("th[data-key]")); }

  #filters() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll("input.filter"));
  }

  /** @param {HTMLElement} th */
  #drawSorting(th) {
    const { direction, place, count } = this.query.sorting(th.dataset.key ?? "");
    // Readers are told of the column that counts most.
    if (direction && place === 0) th.setAttribute("aria-sort", direction);
    else th.removeAttribute("aria-sort");
    const arrow = th.querySelector(".arrow"),
      sign = direction === "ascending" ? "▲" : direction === "descending" ? "▼" : "";
    if (arrow) arrow.textContent = sign + (direction && count > 1 ? place + 1 : "");
  }

  /** @param {GridColumn} column */
  #title(column) {
    const title = column.help ?? column.type ?? column.destination;
    const name = column.isSortable ? this.#sortButton(column, title)
      : h("span.plain", { title }, column.label);
    return h("th", { scope: "col", dataset: { key: column.column },
      class: isNumber(column) ? "number" : null },
      name, widthGrip(column, this.table, this.query.widths, () => this.actions.keepLayout()));
  }

  /**
   * @param {GridColumn} column
   * @param {string | undefined} title
   */
  #sortButton(column, title) {
    /** @param {KeyboardEvent} event */
    const move = (event) => {
      if (!event.altKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
      event.preventDefault();
      this.actions.moveColumn(column.column, event.key === "ArrowLeft" ? -1 : 1);
    };
    /** @param {MouseEvent} event */
    const sort = (event) => { this.query.sortBy(column.column, event.shiftKey); this.actions.reload(); };
    return h("button.quiet.sort", { type: "button", title, onclick: sort, onkeydown: move },
      h("span", {}, column.label), h("span.arrow", { "aria-hidden": "true" }));
  }

  /**
   * @param {GridColumn} column
   * @param {number} index
   */
  #filter(column, index) {
    /** @param {string} text */
    const set = (text) => { if (this.query.setFilter(column.column, text)) this.actions.reload(); };
    /** @param {KeyboardEvent & { target: HTMLInputElement }} event */
    const keys = (event) => {
      if (event.key === "Enter") set(event.target.value);
      if (event.key === "ArrowDown") { event.preventDefault(); this.actions.focusCell(0, index); }
    };
    return h("input.filter", {
      type: "search", value: this.query.filters[column.column] ?? "",
      placeholder: "Filter…", "aria-label": `Filter ${column.label}`,
      title: `${filterHints[column.kind] ?? "nil or !nil"}; also =value, !=value, nil, !nil`,
      oninput: debounce((event) => set(event.target.value), 300), onkeydown: keys,
    });
  }
}
