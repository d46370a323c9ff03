// @ts-check
// The rows that a grid shows: which are selected, which are new, and where the page stands among all.

import { number, plural } from "../../state/text.js";
import { pageSize } from "./grid-query.js";

export class GridRows {
  constructor() {
    /** @type {GridRow[]} */
    this.rows = [];
    /** @type {GridColumn[]} */
    this.columns = [];
    this.isLast = true;
    /**
     * The number of rows on all pages, once that is counted.
     * @type {number | null}
     */
    this.total = null;
    /**
     * The names of the selected ones.
     * @type {Set<string>}
     */
    this.selected = new Set();
    /**
     * The name of the object from whose row Shift selects.
     * @type {string | null}
     */
    this.anchor = null;
    /**
     * The rows as they were before others changed them.
     * @type {Map<string, string>}
     */
    this.before = new Map();
  }

  /**
   * Takes a page of rows; the selection keeps what is there still.
   * @param {Pick<RowsAnswer, "rows" | "columns" | "isLast">} answer
   * @param {boolean} isQuiet whether it is the same page, read again
   */
  take({ rows, columns, isLast }, isQuiet) {
    this.before = isQuiet ? new Map(this.rows.map((row) => [row.id, JSON.stringify(row.cells)])) : new Map();
    Object.assign(this, { rows, columns, isLast });
    const ids = new Set(rows.map((row) => row.id));
    for (const id of [...this.selected]) if (!ids.has(id)) this.selected.delete(id);
  }

  /**
   * Tells whether a row was changed since it was shown first.
   * @param {GridRow} row
   */
  isFresh(row) {
    const before = this.before.get(row.id);
    return before !== undefined && before !== JSON.stringify(row.cells);
  }

  keys() { return this.columns.map((column) => column.column); }

  /** @param {string | null} id */
  #indexOf(id) { return this.rows.findIndex((row) => row.id === id); }

  /**
   * The number of the row of an object that was at a place before; where the object is gone, that of the one
   * in its place, or of the last one. Null if there are no rows.
   * @param {string | undefined} id
   * @param {number} before
   */
  placeOf(id, before) {
    if (!this.rows.length) return null;
    const now = id === undefined ? -1 : this.#indexOf(id);
    return now >= 0 ? now : Math.min(before, this.rows.length - 1);
  }

  // Selection.

  /**
   * Selects the rows from one to another, or no longer. Gives the numbers of those that are there.
   * @param {number} from
   * @param {number} to
   * @param {boolean} isOn
   */
  mark(from, to, isOn) {
    const marked = [];
    for (let index = Math.max(0, Math.min(from, to)); index <= Math.min(this.rows.length - 1,
      Math.max(from, to)); index += 1) {
      if (isOn) this.selected.add(this.rows[index].id); else this.selected.delete(this.rows[index].id);
      marked.push(index);
    }
    return marked;
  }

  /**
   * A click on a row's box; with Shift it counts for all rows from the one that was clicked before.
   * @param {number} index
   * @param {boolean} isOn
   * @param {boolean} isFurther
   */
  click(index, isOn, isFurther) {
    const from = isFurther ? this.#indexOf(this.anchor) : -1;
    this.selectFrom(index);
    return this.mark(from < 0 ? index : from, index, isOn);
  }

  /**
   * Shift selects from this row on.
   * @param {number} index
   */
  selectFrom(index) { this.anchor = this.rows[index]?.id ?? null; }

  /** @param {boolean} isOn */
  markAll(isOn) { return this.mark(0, this.rows.length - 1, isOn); }

  get isAllSelected() { return this.rows.length > 0 && this.selected.size === this.rows.length; }

  get selectionText() { return this.selected.size ? plural(this.selected.size, "row") + " selected" : ""; }

  // Keys.

  /**
   * The cell to which a key goes from another one; null for a key that goes nowhere. Row -1 is the filters
   * above.
   * @param {{ key: string, ctrlKey?: boolean }} event
   * @param {number} row
   * @param {number} column
   * @returns {[row: number, column: number] | null}
   */
  cellAfter({ key, ctrlKey }, row, column) {
    switch (key) {
      case "ArrowUp": return [row - 1, column];
      case "ArrowDown": return [row + 1, column];
      case "ArrowLeft": return [row, column - 1];
      case "ArrowRight": return [row, column + 1];
      case "Home": return [ctrlKey ? 0 : row, 0];
      case "End": return [ctrlKey ? this.rows.length - 1 : row, this.columns.length - 1];
      default: return null;
    }
  }

  // Pages.

  /**
   * The place of the page that begins at an offset.
   * @param {number} offset
   */
  position(offset) {
    const { total } = this;
    const saved = this.rows.filter((row) => row.state !== "new").length;
    const from = this.rows.length ? offset + 1 : 0, to = offset + saved;
    const last = total === null ? null : Math.max(0, Math.floor((total - 1) / pageSize) * pageSize);
    return {
      from, last, isFirst: offset === 0, hasNext: !this.isLast && (total === null || to < total),
      hasLast: last !== null && offset < last,
      hasSeveral: total !== null && total > pageSize,
      text: saved ? `${number(from)}–${number(to)}` + (total === null ? "" : ` of ${number(total)}`)
        : "No rows",
    };
  }

  /**
   * The offset of the page that is some pages further; null if there is none.
   * @param {number} offset
   * @param {number} step
   */
  pageAfter(offset, step) {
    if (step < 0 && offset === 0 || step > 0 && this.isLast) return null;
    return Math.max(0, offset + step * pageSize);
  }
}
