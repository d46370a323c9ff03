// @ts-check
// The field of a predicate's text, with completion and the place of mistakes.

import { h, show, unique } from "../ui.js";
import { post } from "../api.js";
import { debounce } from "../state/turns.js";
import { Completion, characterCount, fieldRange, mistakeParts } from "./state/completion.js";

export class PredicateInput {
  /**
   * @param {string} entity
   * @param {string} text
   * @param {{ changed: () => void, apply: () => void }} actions
   */
  constructor(entity, text, actions) {
    this.entity = entity;
    this.actions = actions;
    this.completion = new Completion();
    /**
     * The text that was applied: nobody wants suggestions for what they are done with.
     * @type {string | null}
     */
    this.applied = null;
    this.list = h("ul.completion", { role: "listbox", id: "completion-" + unique(),
      "aria-label": "Suggestions", hidden: true });
    this.input = h("input.predicate.mono", {
      type: "text", value: text, placeholder: "Predicate, as in name BEGINSWITH[c] \"a\"",
      "aria-label": "Predicate", spellcheck: "false", autocomplete: "off",
      role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": this.list.id,
      oninput: () => { this.applied = null; this.#complete(); actions.changed(); },
      onkeydown: (event) => this.#key(event), onblur: () => setTimeout(() => this.closeList(), 150),
    });
    this.message = h("div.predicate-message", { role: "status" });
    this.element = h("div.predicate-box", {}, this.input, this.list);
  }

  get text() { return this.input.value; }

  set text(text) {
    this.input.value = text;
    this.showMistake(null);
  }

  /** The text is what the person wants: it needs no suggestions. */
  finish() {
    this.applied = this.text;
    this.closeList();
  }

  // Mistakes.

  /** @param {Mistake | null} mistake */
  showMistake(mistake) {
    const { input } = this;
    if (mistake) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    if (mistake) input.setAttribute("aria-describedby", "predicate-mistake");
    else input.removeAttribute("aria-describedby");
    if (!mistake) { show(this.message); return; }
    const { before, wrong, after } = mistakeParts(this.text, mistake);
    show(this.message, h("pre.where", { "aria-hidden": "true" }, before, h("mark", {}, wrong), after),
      h("p.message", { id: "predicate-mistake" },
        `${mistake.message} (at character ${mistake.position + 1})`));
  }

  /** @param {string} text */
  showProblem(text) { show(this.message, h("p.message", { role: "alert" }, text)); }

  /**
   * A person who asked by keyboard is taken to the mistake.
   * @param {Mistake} mistake
   */
  selectMistake({ position, length }) {
    if (document.activeElement === this.input) this.input.setSelectionRange(...fieldRange(this.text, position,
      length));
  }

  // Completion.

  #complete = debounce(async () => {
    const { text, entity, input } = this;
    if (text === this.applied) return;
    const cursor = characterCount(text, input.selectionStart);
    let answer;
    try { answer = await post("data/predicate/complete", { entity, text, cursor }); } catch { return; }
    // Text that was typed meanwhile asks for itself.
    if (document.activeElement !== input || text !== this.text || text === this.applied) return;
    this.completion.take({ ...answer, text });
    this.#drawList();
  }, 120);

  #drawList() {
    const { list, input, completion: { items, chosen } } = this;
    /** @param {number} index */
    const pick = (index) => (/** @type {Event} */ event) => { event.preventDefault(); this.#take(index); };
    show(list, items.map((item, index) => h("li",
      { role: "option", id: `${list.id}-${index}`, "aria-selected": String(index === chosen),
      onpointerdown: pick(index) },
      h("code", {}, item.text), h("span.spring"), h("span.dim", {}, item.help || item.kind))));
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `${list.id}-${chosen}`);
    else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  closeList() {
    this.completion.take(null);
    this.#drawList();
  }

  /** @param {number} index */
  #take(index) {
    const { text, cursor } = this.completion.apply(this.text, index);
    this.input.value = text;
    this.input.setSelectionRange(cursor, cursor);
    this.closeList();
    this.input.focus();
    this.#complete();
    this.actions.changed();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { completion } = this, count = completion.countFor(this.text),
      hasChosen = count > 0 && completion.chosen >= 0;
    if (event.key === "ArrowDown" && count) { completion.move(1); this.#drawList(); }
    else if (event.key === "ArrowUp" && count) { completion.move(-1); this.#drawList(); }
    else if (event.key === "Tab" && hasChosen) this.#take(completion.chosen);
    else if (event.key === "Enter") {
      if (hasChosen) this.#take(completion.chosen);
      else this.actions.apply();
    }
    else if (event.key === "Escape" && count) this.closeList();
    else if (event.key === " " && event.ctrlKey) { this.applied = null; this.#complete(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
