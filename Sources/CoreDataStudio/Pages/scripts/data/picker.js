// @ts-check
// Choosing objects for a relationship: a list with a check mark, search, and a new one.

import { h, show, button, icon } from "../ui.js";
import { attempt, dialog } from "../dialogs.js";
import { get } from "../api.js";
import { debounce, Turns } from "../state/turns.js";
import { idText, visible } from "../state/text.js";

/** @typedef {Pick<Relation, "label" | "destination" | "creates" | "titleKey"> & { canCreate?: boolean }} Wanted */

/**
 * Resolves to the object chosen; to a list of them with `isMany`; to null if none was.
 * @param {Wanted} relation
 * @param {string | null | undefined} current
 * @param {DataWorld} world
 * @param {{ isMany?: boolean }} options
 */
export function pickObject(relation, current, world, { isMany = false } = {}) {
  return dialog((isMany ? "Add to " : "Choose ") + relation.label, (close) => {
    const picker = new Picker(relation, current ?? null, world, isMany, close);
    picker.load(0);
    return picker.element;
  }, { class: "picking" });
}

class Picker {
  /**
   * @param {Wanted} relation
   * @param {string | null} current
   * @param {DataWorld} world
   * @param {boolean} isMany
   * @param {(result?: any) => void} close
   */
  constructor(relation, current, world, isMany, close) {
    this.relation = relation;
    this.current = current;
    this.world = world;
    this.isMany = isMany;
    this.close = close;
    this.turns = new Turns();
    /** @type {Map<string, ObjectLink>} */
    this.chosen = new Map();
    this.list = h("ul.picker", { role: "listbox", "aria-label": relation.destination,
      "aria-multiselectable": isMany ? "true" : null });
    this.search = h("input", { type: "search", placeholder: "Search",
      "aria-label": `Search ${relation.destination}`, autofocus: true,
      oninput: debounce(() => this.load(0), 200), onkeydown: (event) => this.#searchKey(event) });
    this.note = h("p.hint", { role: "status" });
    this.add = button("Add", () => close([...this.chosen.values()]), { kind: "primary", disabled: true });
    const canCreate = relation.canCreate && relation.creates.length === 1;
    this.element = h("div.body", {}, this.search, this.list, this.note, h("footer", {}, isMany && this.add,
      canCreate && button(`New ${relation.creates[0]}`, () => this.#make(), { icon: "add" }),
        button("Cancel", () => close(), { kind: "quiet" })));
  }

  /**
   * Shows what is found from a place on.
   * @param {number} offset
   */
  async load(offset) {
    const isMine = this.turns.next(), { destination } = this.relation, { list, search } = this;
    /** @type {{ objects: ObjectLink[], isLast: boolean } | undefined} */
    const answer = await attempt(() => get("data/choices/" + encodeURIComponent(destination),
      { search: search.value.trim(), offset }));
    if (!answer || !isMine()) return;
    if (offset === 0) show(list);
    list.querySelector(".more")?.remove();
    list.append(...answer.objects.map((object) => this.#option(object)));
    if (!answer.isLast) list.append(h("li.more", {},
      button("Show more", () => this.load(offset + 100), { kind: "quiet" })));
    this.note.textContent = this.#options.length ? "" : search.value ? "Nothing matches."
      : `There are no objects of ${destination}.`;
  }

  /** @returns {HTMLElement[]} */
  get #options() {
    return [...this.list.querySelectorAll("[role=option]")].map((option) =>
      /** @type {HTMLElement} */ (option));
  }

  /** @param {KeyboardEvent} event */
  #searchKey(event) {
    if (event.key === "ArrowDown") { event.preventDefault(); this.#options[0]?.focus(); }
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.#options.length === 1) this.#options[0].click();
    }
  }

  /** @param {ObjectLink} object */
  #option(object) {
    /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
    const key = (event) => {
      const next = /** @type {HTMLElement | null} */ (event.currentTarget.nextElementSibling);
      const previous = /** @type {HTMLElement | null} */ (event.currentTarget.previousElementSibling);
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.#choose(object, item); }
      if (event.key === "ArrowDown") { event.preventDefault(); next?.focus(); }
      if (event.key === "ArrowUp") { event.preventDefault(); (previous ?? this.search).focus(); }
    };
    /** @type {HTMLElement} */
    const item = h("li", { role: "option", tabindex: "0", "aria-selected": String(this.#isChosen(object)),
      dataset: { id: object.id },
      onclick: () => this.#choose(object, item), onkeydown: key },
    h("span.check", { "aria-hidden": "true" }, icon("check")),
    h("bdi", {}, visible(object.title) || idText(object.id)),
    h("span.spring"), h("span.dim", {}, idText(object.id)));
    return item;
  }

  /** @param {ObjectLink} object */
  #isChosen(object) { return this.isMany ? this.chosen.has(object.id) : object.id === this.current; }

  /**
   * @param {ObjectLink} object
   * @param {HTMLElement} item
   */
  #choose(object, item) {
    const { chosen, add } = this;
    if (!this.isMany) { this.close(object); return; }
    if (!chosen.delete(object.id)) chosen.set(object.id, object);
    item.setAttribute("aria-selected", String(this.#isChosen(object)));
    add.disabled = chosen.size === 0;
    add.textContent = chosen.size ? `Add ${chosen.size}` : "Add";
  }

  /** A new object, with the text of the search as its title. */
  async #make() {
    const { relation } = this, title = this.search.value.trim();
    const values = title && relation.titleKey ? { [relation.titleKey]: title } : {};
    const made = await attempt(() => this.world.change("data/objects",
      { entity: relation.creates[0], values }));
    if (made) this.close(this.isMany ? [made] : made);
  }
}
