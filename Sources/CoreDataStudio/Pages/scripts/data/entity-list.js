// @ts-check
// The entities at the side: as a list with a search, and where the page is narrow as one control.

import { h, show } from "../ui.js";
import { number } from "../state/text.js";
import { entityTree, matching } from "./state/entity-tree.js";

export class EntityList {
  /**
   * @param {Overview} overview
   * @param {Record<string, number>} counts
   * @param {(...parts: string[]) => string} place
   */
  constructor(overview, counts, place) {
    this.overview = overview;
    this.counts = counts;
    this.place = place;
    /** The entity or page that is shown. */
    this.here = "";
    /** @type {HTMLInputElement} */
    this.search = h("input.entity-search", {
      type: "search", placeholder: "Find entity", "aria-label": "Find entity", oninput: () => this.draw() });
    /** @type {HTMLSelectElement} */
    this.picker = h("select.entity-select", { "aria-label": "Entity", onchange: () => {
      location.hash = this.picker.value;
    } });
    this.list = h("ul.list.entities", {});
    this.element = h("nav.sidebar", { "aria-label": "Entities" }, this.search, this.picker, this.list);
  }

  /** Pages besides those of entities. */
  get #others() {
    const { hasHistory, hasSQL, canRunSQL } = this.overview;
    return [...(hasHistory ? [["history", "History"]] : []), ...(hasSQL || canRunSQL ? [["sql", "SQL"]]
      : [])];
  }

  draw() {
    const rows = entityTree(this.overview.entities), filter = this.search.value.trim();
    const others = filter ? [] : this.#others;
    show(this.list, matching(rows, filter).map(({ entity, depth }) => this.#item(entity, depth)),
      others.length > 0 && h("li.line", { "aria-hidden": "true" }),
      others.map(([name, label]) => h("li", {}, this.#link(this.place("-", name), name, {}, label))));
    show(this.picker, !this.here && h("option", { value: "#/data" }, "Choose an entity"),
      rows.map(({ entity, depth }) => h("option",
        { value: this.place(entity.name), selected: this.here === entity.name },
        "\u2007".repeat(depth * 2) + entity.name
          + (entity.name in this.counts ? ` (${this.#count(entity)})` : ""))),
      this.#others.map(([name, label]) => h("option",
        { value: this.place("-", name), selected: this.here === name }, label)));
  }

  /** @param {EntitySummary} entity */
  #count(entity) { return entity.name in this.counts ? number(this.counts[entity.name]) : ""; }

  /**
   * @param {EntitySummary} entity
   * @param {number} depth
   */
  #item(entity, depth) {
    const attributes = { class: "depth-" + Math.min(depth, 6) + (entity.isAbstract ? " abstract" : ""),
      title: entity.help ?? entity.name };
    const link = this.#link(this.place(entity.name), entity.name, attributes, entity.name);
    link.append(h("span.count", {}, this.#count(entity)));
    return h("li", {}, link);
  }

  /**
   * @param {string} href
   * @param {string} name
   * @param {Attributes} attributes
   * @param {string} label
   */
  #link(href, name, attributes, label) {
    return h("a", { href, "aria-current": this.here === name ? "page" : null, ...attributes },
      h("span.name", {}, label));
  }
}
