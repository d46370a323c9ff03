// @ts-check
// The grid: asks for an entity's rows and shows them, with what is done to several at once.

import { h, show, button, empty } from "../ui.js";
import { attempt, toast } from "../dialogs.js";
import { held } from "../keyboard.js";
import { get, post } from "../api.js";
import { Turns } from "../state/turns.js";
import { pageSize } from "./state/grid-query.js";
import { GridRows } from "./state/grid-rows.js";
import { keepLayout, chooseColumns } from "./columns.js";
import { question } from "./questions.js";
import { queryOf } from "./remembered.js";
import { FacetPanel } from "./facets.js";
import { GridHead } from "./grid-head.js";
import { GridBody } from "./grid-body.js";
import { editCell } from "./grid-cell.js";
import { drawPager } from "./grid-pager.js";
import { GridTools, newButton } from "./grid-tools.js";
import { PredicatePanel } from "./predicate.js";
import { deleteObjects } from "./delete.js";
import { setInAll } from "./set-value.js";

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {Record<string, string>} address
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showGrid(root, name, address, world) {
  /** @type {EntityPage} */
  const entity = await get("data/entities/" + encodeURIComponent(name));
  const query = queryOf(entity, world);
  if (address.predicate) Object.assign(query,
    { predicate: address.predicate, source: address.source ?? null });
  const grid = new Grid(root, entity, query, world);
  await grid.load();
  return { showsUnsaved: true, reload: (options = {}) => grid.load(options), stop: () => grid.stop() };
}

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */

class Grid {
  /**
   * @param {HTMLElement} root
   * @param {EntityPage} entity
   * @param {GridQuery} query
   * @param {DataWorld} world
   */
  constructor(root, entity, query, world) {
    this.entity = entity;
    this.query = query;
    this.world = world;
    this.canEdit = !world.overview.isReadOnly;
    this.rows = new GridRows();
    this.turns = new Turns();
    /** Whether rows or their number are asked for. */
    this.isReading = false;
    /** Whether rows came while somebody typed in one of them. */
    this.isPostponed = false;
    this.table = h("table.grid", { "aria-label": entity.name, "aria-rowcount": "-1" });
    /** @type {GridHead} */
    this.head = this.#makeHead();
    /** @type {GridBody} */
    this.body = this.#makeBody();
    show(this.table, this.head.element, this.body.element);
    this.facets = new FacetPanel(entity, query,
      { filtered: () => this.#showQuery(), keepLayout: () => this.#keepLayout() });
    this.tools = new GridTools(entity, query, this.rows, world, {
      remove: () => {
        this.#removeSelected();
      }, setValue: () => { this.#setInSelected(); },
      acted: () => { this.load({ quiet: true }); }, arrange: () => { this.#arrange(); },
        reload: () => { this.load(); },
      changed: () => this.#showQuery() }, this.facets.toggle);
    this.predicate = new PredicatePanel(entity, query, world, () => { query.offset = 0; this.load(); });
    /** The reason why other rows than those asked for are shown. */
    this.problem = h("div.notice.wrong.grid-problem", { role: "alert", hidden: true });
    this.note = h("div.grid-note", {});
    this.pager = h("nav.toolbar.pager", { "aria-label": "Pages" });
    this.area = h("div.grid-area", {}, this.table);
    this.frame = h("div.grid-frame", {}, this.facets.element, this.area);
    show(root, this.tools.element, this.predicate.element, this.problem, this.frame, this.note, this.pager);
  }

  #makeHead() {
    return new GridHead(this.table, this.query, this.rows, {
      reload: () => { this.load(); }, keepLayout: () => this.#keepLayout(),
      moveColumn: (key, step) => { this.#moveColumn(key, step); },
      selectAll: (isOn) => this.body.tick(this.rows.markAll(isOn), isOn),
      focusCell: (row, column) => this.body.cellAt(row, column)?.focus(),
    });
  }

  #makeBody() {
    return new GridBody(this.entity.name, this.rows, this.world.refused, {
      edit: (cell, start) => this.#edit(cell, start ?? null), turnPage: (step) => this.#turnPage(step),
      removeSelected: this.canEdit ? () => { this.#removeSelected(); } : null,
      focusFilter: (column) => this.head.focusFilter(column), selectionChanged: () => this.#drawSelection(),
    });
  }

  // Reading.

  /**
   * @param {{ quiet?: boolean }} options quiet for the same rows again, as somebody changed them
   * @returns {Promise<void>}
   */
  async load({ quiet = false } = {}) {
    // The answer to a change may come when the page was left: a question would end the next page's.
    if (this.turns.isEnded) return;
    const isMine = this.turns.next();
    this.isReading = true;
    this.question = question();
    this.area.setAttribute("aria-busy", "true");
    /** @type {RowsAnswer} */
    let answer;
    try {
      answer = await post("data/rows", { question: this.question, query: this.query.fields(),
        offset: this.query.offset, limit: pageSize });
    } catch (error) {
      if (isMine()) this.#fail(error);
      return;
    }
    await held();
    if (!isMine()) return;
    this.area.removeAttribute("aria-busy");
    this.predicate.fail(null);
    this.problem.hidden = true;
    this.world.take(answer.status);
    // Also in another order: a cell that is taken away would send the half of what is typed in it.
    this.isPostponed = this.body.isEditing;
    if (this.isPostponed) return;
    if (!answer.rows.length && this.query.offset > 0) { this.query.stepBack(); return this.load({ quiet }); }
    this.rows.take(answer, quiet);
    this.#keepLayout();
    this.#draw();
    this.#readCount(isMine);
    this.facets.refresh();
  }

  /** @param {import("../api.js").ApiError} error */
  #fail(error) {
    this.area.removeAttribute("aria-busy");
    const isTold = this.predicate.fail(error);
    // Above the rows, for who is shown a hundred of them doesn't look below.
    const isSome = this.rows.rows.length > 0;
    show(this.note);
    show(this.problem, !isTold && h("p", {}, error.message),
      isSome && h("p", {}, "The rows below were found before."));
    this.problem.hidden = isTold && !isSome;
  }

  /** @param {() => boolean} isMine */
  async #readCount(isMine) {
    let answer;
    try {
      answer = await post("data/count", { question: this.question, query: this.query.fields() });
    } catch {
      // The rows say what is wrong.
      return;
    }
    if (!isMine()) return;
    this.isReading = false;
    this.rows.total = answer.count;
    this.tools.drawCount(answer.count);
    this.table.setAttribute("aria-rowcount", String(answer.count + 2));
    this.#drawPager();
  }

  stop() {
    this.turns.end();
    this.facets.stop();
    // A long read would hold up the page that comes next.
    if (this.isReading) attempt(() => post("data/stop", { question: this.question }));
  }

  #keepLayout() { keepLayout(this.world, this.entity.name, this.query.layout()); }

  // Drawing.

  #draw() {
    const focus = this.body.focusPlace();
    this.head.draw();
    this.body.draw();
    this.#drawSelection();
    this.#drawNote();
    this.#drawPager();
    this.body.focusAgain(focus);
  }

  #drawNote() {
    const isEmpty = this.rows.rows.length === 0;
    show(this.note, isEmpty && (this.query.isFiltered
      ? empty("No object matches.", button("Show all", () => this.#showAll()))
      : empty(`There are no objects of ${this.entity.name} yet.`, newButton(this.entity, this.world))));
  }

  #drawPager() {
    drawPager(this.pager, this.query, this.rows, {
      goTo: (offset) => this.#goTo(offset), turnPage: (step) => this.#turnPage(step), reload: () => {
        this.load();
      } });
  }

  #drawSelection() {
    this.body.drawSelection();
    this.head.drawSelection();
    this.tools.drawSelection();
  }

  // Actions of the person.

  #showAll() {
    this.query.showAll();
    this.#showQuery();
  }

  /** Shows a query that was changed elsewhere than in the fields above the rows. */
  #showQuery() {
    this.predicate.set(this.query.predicate);
    this.tools.search.draw();
    this.head.forget();
    this.load();
  }

  /** @param {number} offset */
  async #goTo(offset) {
    this.query.offset = offset;
    await this.load();
    if (!this.isPostponed) this.body.cellAt(0, 0)?.focus();
  }

  /** @param {number} step */
  #turnPage(step) {
    const offset = this.rows.pageAfter(this.query.offset, step);
    if (offset !== null) this.#goTo(offset);
  }

  /**
   * @param {string} key
   * @param {number} step
   */
  async #moveColumn(key, step) {
    if (!this.query.moveColumn(this.rows.keys(), key, step)) return;
    await this.load();
    if (!this.isPostponed) this.head.focusTitle(key);
  }

  async #arrange() {
    const chosen = await chooseColumns(this.entity, this.rows.keys());
    if (!chosen) return;
    this.query.chooseColumns(chosen);
    this.head.forget();
    this.load();
  }

  async #removeSelected() {
    if (!await deleteObjects([...this.rows.selected], this.world)) return;
    this.rows.selected.clear();
    await this.load({ quiet: true });
  }

  async #setInSelected() {
    if (await setInAll(this.entity, [...this.rows.selected], this.world)) await this.load({ quiet: true });
  }

  /**
   * @param {HTMLTableCellElement} cell
   * @param {string | null} start
   */
  #edit(cell, start) {
    const at = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    const row = this.rows.rows[at.row], column = this.rows.columns[at.column];
    if (!this.canEdit) { toast("Nothing can be changed here: the studio is read-only, or you may only look."); return; }
    if (column.lock) { toast(column.lock); return; }
    if (row.state === "deleted") return;
    editCell(cell, row, column, row.cells[at.column], this.world, {
      open: () => this.body.open(at.row),
      neighbour: (down, right) => this.body.cellAt(at.row + down, at.column + right),
      given: () => this.isPostponed ? this.load({ quiet: true }) : undefined,
      sent: () => this.load({ quiet: true }),
    }, start);
  }
}
