// @ts-check
// A grid's rows: cells that are gone to with keys, selected and edited in place.

import { h, show } from "../ui.js";
import { attempt } from "../dialogs.js";
import { letterOf } from "../state/keys.js";
import { plain, idText, objectPlace, visible } from "../state/text.js";
import { shown, shownIn, stateMarks } from "./values.js";
import { isNumber } from "./grid-head.js";

/** @typedef {import("./state/grid-rows.js").GridRows} GridRows */
/**
 * @typedef {object} BodyActions
 * @property {(cell: HTMLTableCellElement, start?: string) => void} edit
 * @property {(step: number) => void} turnPage
 * @property {(() => void) | null} removeSelected null where nothing can be changed
 * @property {(column: number) => void} focusFilter
 * @property {() => void} selectionChanged
 */

export class GridBody {
  /**
   * @param {string} entity
   * @param {GridRows} rows
   * @param {import("./state/refused.js").RefusedTexts} refused
   * @param {BodyActions} actions
   */
  constructor(entity, rows, refused, actions) {
    this.entity = entity;
    this.rows = rows;
    this.refused = refused;
    this.actions = actions;
    this.element = h("tbody", {
      onfocusin: (event) => this.#enter(event), onkeydown: (event) => this.#key(event),
      ondblclick: (event) => {
        const cell = event.target.closest("td[data-row]");
        if (cell) { event.preventDefault(); actions.edit(cell); }
      },
    });
  }

  draw() { show(this.element, this.rows.rows.map((row, index) => this.#row(row, index))); }

  /** Rows don't change under somebody who is typing in one of them. */
  get isEditing() { return this.element.querySelector(".cell-editor") !== null; }

  /**
   * @param {number} row
   * @param {number} column
   * @returns {HTMLTableCellElement | null}
   */
  cellAt(row, column) { return this.element.querySelector(`td[data-row="${row}"][data-column="${column}"]`); }

  /** The object and the place of the cell that has the focus. */
  focusPlace() {
    const cell = document.activeElement;
    if (!(cell instanceof HTMLTableCellElement) || !this.element.contains(cell)
      || cell.dataset.row === undefined) return null;
    return { ...this.#placeOf(cell), id: cell.closest("tr")?.dataset.id };
  }

  /**
   * Goes back to the cell of the same object, wherever its row is now: the next key may change its value.
   * @param {ReturnType<GridBody["focusPlace"]>} focus
   */
  focusAgain(focus) {
    const row = focus && this.rows.placeOf(focus.id, focus.row);
    if (focus && row !== null) this.cellAt(row, focus.column)?.focus();
  }

  /**
   * Ticks the boxes of rows, or takes the ticks away.
   * @param {number[]} indexes
   * @param {boolean} isOn
   */
  tick(indexes, isOn) {
    for (const index of indexes) this.#box(index).checked = isOn;
    this.actions.selectionChanged();
  }

  drawSelection() {
    for (const tr of /** @type {Iterable<HTMLElement>} */ (this.element.children)) {
      tr.setAttribute("aria-selected", String(this.rows.selected.has(tr.dataset.id ?? "")));
    }
  }

  /** @param {number} index */
  #box(index) {
    return /** @type {HTMLInputElement} */ (this.element.children[index].querySelector("input"));
  }

  /** @param {HTMLTableCellElement} cell */
  #placeOf(cell) { return { row: Number(cell.dataset.row), column: Number(cell.dataset.column) }; }

  /**
   * @param {GridRow} row
   * @param {number} index
   */
  #row(row, index) {
    /** @type {HTMLInputElement} */
    const check = h("input", {
      type: "checkbox", checked: this.rows.selected.has(row.id), "aria-label": `Select ${row.id}`,
      tabindex: "-1",
      onclick: (event) => this.tick(this.rows.click(index, check.checked, event.shiftKey), check.checked),
    });
    return h("tr", { dataset: { id: row.id },
      class: [row.state, this.rows.isFresh(row) && "fresh"].filter(Boolean).join(" ") },
      h("td.check", {}, check), row.cells.map((value, at) => this.#cell(row, index, value, at)));
  }

  /**
   * @param {GridRow} row
   * @param {number} index
   * @param {StudioValue} value
   * @param {number} at the column's number
   */
  #cell(row, index, value, at) {
    const column = this.rows.columns[at], refused = this.refused.of(row.id, column.column);
    const key = column.column.split(".")[0], isChanged = row.changed.includes(key);
    const message = refused?.message ?? row.messages[key];
    const state = row.state === "saved" ? "" : ", " + row.state;
    return h("td", {
      class: [isNumber(column) && "number", isChanged && "changed",
        message && "wrong"].filter(Boolean).join(" ") || null,
      tabindex: index === 0 && at === 0 ? "0" : "-1", dataset: { row: index, column: at },
      "aria-label": at === 0 && !message ? `${plain(value) || "no value"}, ${row.id}${state}` : null,
    }, refused ? h("bdi", {}, visible(refused.text)) : at === 0 ? this.#name(row, value)
      : shownIn(column, value, { tabindex: "-1" }), message && h("p.message", {}, message));
  }

  /**
   * The first cell leads to the object.
   * @param {GridRow} row
   * @param {StudioValue} value
   */
  #name(row, value) {
    const isObject = value !== null && typeof value === "object" && value.$ === "object";
    return h("a.object", { href: objectPlace(row.id), tabindex: "-1" },
      value === null || value === "" ? h("span.dim", {}, idText(row.id))
        : shown(isObject ? value.title : value),
      row.entity !== this.entity && h("span.badge", {}, row.entity),
      row.state !== "saved" && h("span.badge", { class: stateMarks[row.state] }, row.state));
  }

  // Keys.

  /**
   * One cell is in the order of Tab: the one that was gone to last.
   * @param {FocusEvent} event
   */
  #enter(event) {
    /** @type {HTMLElement | null} */
    const cell = /** @type {Element} */ (event.target).closest("td[data-row]");
    if (!cell) return;
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll('td[tabindex="0"]'))) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const cell = /** @type {HTMLTableCellElement} */ (event.target);
    if (cell.tagName !== "TD" || cell.dataset.row === undefined) return;
    if (!this.#go(event, cell) && !this.#command(event, cell)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLTableCellElement} cell
   */
  #go(event, cell) {
    const { row, column } = this.#placeOf(cell), next = this.rows.cellAfter(event, row, column);
    if (!next) return false;
    if (next[0] < 0) { this.actions.focusFilter(column); return true; }
    if (event.shiftKey && event.key.startsWith("Arrow") && next[0] !== row && this.rows.rows[next[0]]) {
      this.tick(this.rows.mark(row, next[0], true), true);
      this.rows.selectFrom(next[0]);
    }
    this.cellAt(...next)?.focus();
    return true;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLTableCellElement} cell
   */
  #command(event, cell) {
    const { row, column } = this.#placeOf(cell), { key } = event, isControl = event.ctrlKey || event.metaKey;
    const letter = letterOf(event);
    /** @type {Record<string, (() => void) | undefined>} */
    const commands = {
      PageDown: () => this.actions.turnPage(1), PageUp: () => this.actions.turnPage(-1),
      F2: () => this.actions.edit(cell),
      " ": () => this.#box(row).click(), Escape: () => this.tick(this.rows.markAll(false), false),
      Enter: () => column === 0 || event.ctrlKey ? this.open(row) : this.actions.edit(cell),
      Delete: () => {
        if (!this.actions.removeSelected) return;
        this.tick(this.rows.mark(row, row, true), true);
        this.actions.removeSelected();
      },
    };
    if (isControl && letter === "a") this.tick(this.rows.markAll(true), true);
    else if (isControl && letter === "c" && !String(getSelection())) attempt(() =>
      navigator.clipboard.writeText(plain(this.rows.rows[row].cells[column])));
    else if (commands[key]) commands[key]?.();
    else if (key.length === 1 && !isControl && !event.altKey && key !== "/") this.actions.edit(cell, key);
    else return false;
    return true;
  }

  /**
   * Goes to the object's own page.
   * @param {number} row
   */
  open(row) { location.hash = objectPlace(this.rows.rows[row].id); }
}
