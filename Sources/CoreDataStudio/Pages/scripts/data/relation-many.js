// @ts-check
// A relationship to many objects: a list, put in order by hand where the relationship is ordered.

import { h, show, button } from "../ui.js";
import { staying } from "../address.js";
import { attempt, menu } from "../dialogs.js";
import { get } from "../api.js";
import { number, objectPath, objectPlace, plain } from "../state/text.js";
import { Turns } from "../state/turns.js";
import { shown, stateMarks } from "./values.js";
import { keepingFocus } from "./focus.js";
import { pickObject } from "./picker.js";
import { RelatedTable } from "./relation-table.js";

/** @typedef {import("./object.js").ObjectHost} ObjectHost */

/** The number of members that are shown at first, and at most. */
const first = 50, most = 500;

export class ToManyView {
  /**
   * @param {ObjectRelation} relation
   * @param {ObjectHost} host
   */
  constructor(relation, host) {
    this.relation = relation;
    this.host = host;
    this.limit = first;
    this.isOpen = false;
    /** The list is asked for anew after each change: only the last answer has all of them. */
    this.turns = new Turns();
    /** The number of moves that aren't answered yet; the list shows them already. */
    this.moves = 0;
    /**
     * The member that is dragged.
     * @type {HTMLElement | null}
     */
    this.dragged = null;
    /**
     * True if the tools that are drawn change something.
     * @type {boolean | null}
     */
    this.drawn = null;
    this.list = h("ol.members", {});
    /**
     * The members as rows, once somebody wants them so.
     * @type {RelatedTable | null}
     */
    this.table = null;
    this.heading = h("span.badge", {}, "");
    this.tools = h("span.row", {});
    this.note = h("p.message", { hidden: true });
    this.element = h("section.panel.relation",
      { "aria-label": relation.label, dataset: { key: relation.key } },
      h("div.row", {}, h("h2", {}, relation.label), this.heading,
        h("span.dim", {}, relation.destination + (relation.kind === "ordered" ? ", in order" : "")),
          h("span.spring"), this.tools),
      relation.help && h("p.hint", {}, relation.help), this.list, this.note);
    this.update(relation);
  }

  /** @param {ObjectRelation} next */
  update(next) {
    this.relation = next;
    this.element.classList.toggle("changed", next.isChanged);
    this.note.textContent = this.host.isQuiet(next.key) ? "" : next.message ?? "";
    this.note.hidden = !this.note.textContent;
    const canSet = this.host.canSet(next);
    if (this.drawn !== canSet) keepingFocus(this.element, () =>
      show(this.tools, next.isReadable && this.#tableButton(), canSet && this.#tools()));
    this.drawn = canSet;
    if (this.table) { this.table.load(this.limit); return; }
    if (this.moves) return;
    const { value } = next, unread = value !== null && typeof value === "object" && value.$ === "fault";
    if (!next.isReadable) {
      this.heading.textContent = "";
      show(this.list, h("li.dim", {}, `You may not see objects of ${next.destination}.`));
    } else if (unread && !this.isOpen && !(value.count !== null && value.count <= first)) {
      this.#offer(value.count);
    } else {
      this.#open();
    }
  }

  /**
   * Many members are read when somebody wants to see them.
   * @param {number | null} count
   */
  #offer(count) {
    this.heading.textContent = count === null ? "" : number(count);
    show(this.list, h("li", {}, button(`Show the first ${first}`, () => this.#open(),
      { label: `Show ${this.relation.label}` })));
  }

  async #open() {
    const { list, limit } = this, isMine = this.turns.next();
    const page = await attempt(() => get(objectPath(this.host.id, "members", this.relation.key), { limit }));
    if (!page || this.host.isStopped || !isMine()) return;
    this.isOpen = true;
    this.heading.textContent = number(page.count);
    keepingFocus(this.element, () => show(list,
      page.members.map((/** @type {ObjectLink} */ member) => this.#row(member)),
      page.members.length === 0 && h("li.dim", {}, "None."),
      page.count > page.members.length && this.limit < most
        && h("li", {}, button(`Show more (${page.count - page.members.length})`, () => this.#openMore(),
          { kind: "quiet" }))));
  }

  #openMore() {
    this.limit = Math.min(most, this.limit * 4);
    this.#open();
  }

  /** @param {ObjectLink} member */
  #row(member) {
    const { host, relation } = this, canSet = host.canSet(relation),
      isOrdered = relation.kind === "ordered" && canSet;
    const remove = () => host.changeMembers(relation.key, { remove: [member.id] });
    /** @type {HTMLElement} */
    const item = h("li", { draggable: isOrdered ? "true" : null, dataset: { id: member.id ?? "" } },
      isOrdered && this.#grip(member, (step) => this.#move(item, this.#place(item) + step)),
      shown(member, { query: host.onward }),
      member.state && member.state !== "saved"
        && h("span.badge", { class: stateMarks[member.state] }, member.state), h("span.spring"),
      canSet && !member.hidden && button("", remove,
        { icon: "remove", kind: "quiet", label: `Remove ${plain(member)}`,
        title: "Remove from the relationship" }));
    if (isOrdered) this.#makeDraggable(item);
    return item;
  }

  /**
   * @param {ObjectLink} member
   * @param {(step: number) => void} move
   */
  #grip(member, move) {
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (!step) return;
      event.preventDefault();
      move(step);
    };
    return button("", () => {}, { icon: "grip", kind: "quiet grip",
      label: `Move ${plain(member)} with the arrow keys`, onkeydown: key });
  }

  /** @param {HTMLElement} item */
  #makeDraggable(item) {
    const kind = "text/x-member";
    item.addEventListener("dragstart", ({ dataTransfer }) => {
      if (!dataTransfer) return;
      this.dragged = item;
      dataTransfer.setData(kind, item.dataset.id ?? "");
      dataTransfer.effectAllowed = "move";
      item.classList.add("dragged");
    });
    item.addEventListener("dragend", () => item.classList.remove("dragged"));
    item.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes(kind)) { event.preventDefault(); item.classList.add("over"); }
    });
    item.addEventListener("dragleave", () => item.classList.remove("over"));
    item.addEventListener("drop", (event) => {
      event.preventDefault();
      item.classList.remove("over");
      // The list may have been drawn anew below the pointer.
      if (this.dragged?.isConnected) this.#move(this.dragged, this.#place(item));
    });
  }

  /** @param {HTMLElement} item */
  #place(item) { return [...this.list.children].indexOf(item); }

  /**
   * Moves a member at once: the next key counts from where it is then, however late the answer comes.
   * @param {HTMLElement} item
   * @param {number} to
   */
  async #move(item, to) {
    const { list } = this, from = this.#place(item), other = list.children[to];
    // The last line may be a button to show more.
    if (from === to || !(other instanceof HTMLElement) || other.dataset.id === undefined) return;
    const isHeld = item.contains(document.activeElement);
    if (to > from) other.after(item); else other.before(item);
    if (isHeld) /** @type {HTMLElement | null} */ (item.querySelector(".grip"))?.focus();
    this.turns.next();
    this.moves += 1;
    const move = { id: item.dataset.id || undefined, from, to };
    await this.host.changeMembers(this.relation.key, { move });
    this.moves -= 1;
    if (!this.moves && !this.host.isStopped) await this.#open();
  }

  /** Members as links, or as rows that are edited where they stand. */
  #tableButton() {
    /** @type {HTMLButtonElement} */
    const own = button("Table", () => {
      this.table?.element.replaceWith(this.list);
      const isTable = this.table === null;
      this.table = isTable ? new RelatedTable(this.relation, this.host, (count) => {
        this.heading.textContent = number(count);
      }) : null;
      if (this.table) this.list.replaceWith(this.table.element);
      own.setAttribute("aria-pressed", String(isTable));
      this.update(this.relation);
    }, { kind: "quiet", label: `${this.relation.label} as a table`, title: "Edit the objects here",
      "aria-pressed": "false" });
    return own;
  }

  #tools() {
    const { relation } = this;
    const add = async () => {
      const chosen = await pickObject(relation, null, this.host.world, { isMany: true });
      if (chosen) await this.host.changeMembers(relation.key,
        { add: chosen.map((/** @type {ObjectLink} */ one) => one.id) });
    };
    /** @param {{ currentTarget: HTMLElement }} event */
    const make = (event) => relation.creates.length === 1 ? this.#create(relation.creates[0])
      : menu(event.currentTarget, relation.creates.map((kind) => [kind, () => this.#create(kind)]));
    return [
      button("Add…", add, { icon: "add", label: `Add to ${relation.label}`, dataset: { mends: "" } }),
      relation.canCreate && relation.creates.length > 0
        && button("New", make, { label: `New in ${relation.label}` }),
    ];
  }

  /** @param {string} kind */
  async #create(kind) {
    const { host } = this, stays = staying();
    const made = await attempt(() => host.world.change("data/objects", { entity: kind }));
    if (made && await host.changeMembers(this.relation.key, { add: [made.id] }) && stays())
      location.hash = objectPlace(made.id, host.onward);
  }
}
