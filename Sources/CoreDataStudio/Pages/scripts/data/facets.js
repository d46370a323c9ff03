// @ts-check
// Beside a grid: the values of columns with how many rows have each. Choosing one filters its column.

import { h, show, button } from "../ui.js";
import { post } from "../api.js";
import { number, plain, visible } from "../state/text.js";
import { Turns } from "../state/turns.js";
import { datePart, dateTrail, facetColumns, toggled } from "./state/facets.js";
import { question } from "./questions.js";

/** @typedef {import("./state/grid-query.js").GridQuery} GridQuery */
/** @typedef {import("./state/facets.js").FacetColumn} FacetColumn */

export class FacetPanel {
  /**
   * @param {EntityPage} entity
   * @param {GridQuery} query
   * @param {{ filtered: () => void, keepLayout: () => void }} actions
   */
  constructor(entity, query, actions) {
    this.query = query;
    this.actions = actions;
    this.columns = facetColumns(entity);
    this.facets = this.columns.map((column) => new Facet(column, query, {
      choose: (text) => { if (query.setFilter(column.key, text)) actions.filtered(); },
      opened: () => this.#keep() }));
    this.element = h("aside.facets", { "aria-label": "Values", hidden: query.facets === null },
      h("h2", {}, "Values"), this.facets.map((facet) => facet.element));
    /** @type {HTMLButtonElement} */
    this.toggle = button("Values", () => this.#toggle(), { icon: "filter", kind: "quiet",
      title: "Values of columns, with how many rows have each",
        "aria-expanded": String(query.facets !== null) });
    this.toggle.hidden = !this.columns.length;
    this.#drawToggle();
  }

  /** Asks anew for what is open: after rows, for other filters may have changed. */
  refresh() {
    this.#drawToggle();
    if (this.element.hidden) return;
    for (const facet of this.facets) facet.refresh();
  }

  stop() { for (const facet of this.facets) facet.turns.end(); }

  #drawToggle() {
    const chosen = this.columns.filter(({ key }) => this.query.filters[key]).length;
    const text = chosen ? `Values (${chosen})` : "Values";
    if (this.toggle.lastChild?.textContent !== text) this.toggle.lastChild?.replaceWith(text);
  }

  #toggle() {
    const isOpen = this.element.hidden;
    this.element.hidden = !isOpen;
    this.toggle.setAttribute("aria-expanded", String(isOpen));
    // What is short is open at first.
    if (isOpen && !this.facets.some((facet) => facet.element.open)) {
      for (const facet of this.facets.filter(({ column }) => column.isShort).slice(0,
        3)) facet.element.open = true;
    }
    this.#keep();
    this.refresh();
  }

  #keep() {
    this.query.facets = this.element.hidden ? null
      : this.facets.filter((facet) => facet.element.open).map(({ column }) => column.key);
    this.actions.keepLayout();
  }
}

/** The values of one column. */
class Facet {
  /**
   * @param {FacetColumn} column
   * @param {GridQuery} query
   * @param {{ choose: (text: string) => void, opened: () => void }} actions
   */
  constructor(column, query, actions) {
    this.column = column;
    this.query = query;
    this.actions = actions;
    this.turns = new Turns();
    this.list = h("div.facet-values", { role: "group", "aria-label": column.label });
    /** @type {HTMLDetailsElement} */
    this.element = h("details.facet", { open: query.facets?.includes(column.key) ?? false,
      dataset: { key: column.key },
      ontoggle: () => { this.refresh(); actions.opened(); } },
    h("summary", {}, column.label), this.list);
  }

  get #filter() { return this.query.filters[this.column.key] ?? ""; }

  async refresh() {
    this.element.classList.toggle("is-chosen", this.#filter !== "");
    if (!this.element.open) return;
    const isMine = this.turns.next(), { key, kind } = this.column;
    const { within } = kind === "dates" ? dateTrail(this.#filter) : { within: null };
    /** @type {FacetAnswer} */
    let answer;
    try {
      answer = await post("data/facet", { question: question("/facet/" + key), query: this.query.fields(),
        column: key, within });
    } catch (error) {
      if (isMine() && error.status !== 409) show(this.list, h("p.hint", {}, error.message));
      return;
    }
    if (isMine()) this.#draw(answer);
  }

  /** @param {FacetAnswer} answer */
  #draw({ values, isCut }) {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const before = focused && this.list.contains(focused) ? focused.dataset.filter : undefined;
    show(this.list, this.#trail(), values.map((value) => this.#value(value)),
      isCut && h("p.hint", {}, "More values than can be listed: use the filter above the column, or search."),
      !isCut && !values.length && h("p.hint", {}, "No rows."));
    if (before !== undefined) {
      const buttons = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("button")]);
      (buttons.find((one) => one.dataset.filter === before) ?? buttons[0])?.focus();
    }
  }

  /** The way back from days and months. */
  #trail() {
    if (this.column.kind !== "dates" || !this.#filter) return null;
    const { trail } = dateTrail(this.#filter);
    return h("div.row.facet-trail", {}, button("All dates", () => this.actions.choose(""), { kind: "quiet" }),
      trail.slice(0, 2).map(({ label, filter }) => button(trail.length > 1 && filter.length > 4
        ? datePart(filter) : label,
        () => this.actions.choose(filter), { kind: "quiet", "aria-pressed": String(filter === this.#filter),
          "data-filter": filter })));
  }

  /** @param {FacetValue} value */
  #value({ label, filter, count }) {
    const text = typeof label === "boolean" ? label ? "yes" : "no" : plain(label);
    const isDate = this.column.kind === "dates" && typeof label === "string";
    return h("button.facet-value", { type: "button", "aria-pressed": String(filter !== null
      && filter === this.#filter),
      disabled: filter === null, dataset: { filter: filter ?? "" },
      onclick: () => this.actions.choose(toggled(this.#filter, filter ?? "")) },
    label === null ? h("span.nil", {}, "nil") : text === "" ? h("span.nil", {}, "empty")
      : h("bdi", {}, visible(isDate ? datePart(text) : text)),
    h("span.count", {}, number(count)));
  }
}
