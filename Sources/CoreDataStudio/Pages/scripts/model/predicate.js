// @ts-check
// The predicate builder at a predicate of the model: rows and groups beside the text, in step with it.

import { h, button } from "../ui.js";
import { debounce } from "../state/turns.js";
import { post } from "../api.js";
import { builderEntity } from "./state/builder-entity.js";
import { entityNamed, properties, isEditable, ofKind, sendFirst } from "./document.js";
import { PredicateBuilder } from "../data/builder.js";
import { finished } from "../data/state/predicate-rows.js";

/**
 * Builders that are open, by field: they stay what they are when the inspector is drawn anew.
 * @type {Map<string, OpenBuilder>}
 */
const open = new Map();
sendFirst(() => Promise.all([...open.values()].map((kept) => kept.writeNow())));

/**
 * Adds the builder to a field, whose text is changed as if it was typed.
 * @param {HTMLElement} box
 * @param {HTMLInputElement | HTMLTextAreaElement} input
 * @param {string} key
 * @param {string} name of the entity
 */
export function predicateField(box, input, key, name) {
  if (!entityNamed(name)) return;
  if (open.get(key)?.name !== name) open.delete(key);
  const toggle = button("Builder", () => open.has(key) ? close() : show(), { icon: "filter", kind: "quiet",
    "aria-expanded": String(open.has(key)), disabled: !isEditable(), dataset: { key: key + "/builder" } });
  const take = () => {
    const kept = open.get(key);
    if (!kept) return;
    kept.input = input;
    kept.builder.describe(described(name));
    box.append(kept.builder.element);
    kept.readIfNew();
  };
  const close = () => {
    const kept = open.get(key);
    kept?.writeNow();
    open.delete(key);
    kept?.builder.element.remove();
    toggle.setAttribute("aria-expanded", "false");
  };
  const show = () => {
    open.set(key, new OpenBuilder(key, name, input));
    toggle.setAttribute("aria-expanded", "true");
    take();
  };
  box.append(h("div", {}, toggle));
  take();
  // The field may have been drawn anew meanwhile, with what was typed in it.
  input.addEventListener("input", debounce(() => {
    const kept = open.get(key);
    if (kept?.input.isConnected) kept.readIfNew();
  }, 350));
}

/** @param {string} name */
const described = (name) => builderEntity(name, properties(name), ofKind("composite"));

class OpenBuilder {
  /**
   * @param {string} key
   * @param {string} name
   * @param {HTMLInputElement | HTMLTextAreaElement} input
   */
  constructor(key, name, input) {
    this.key = key;
    this.name = name;
    this.input = input;
    /**
     * The text that the rows say.
     * @type {string | null}
     */
    this.text = null;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.timer = null;
    /** @type {Promise<void> | null} */
    this.writing = null;
    // The model as it is edited: a store that is open may have another one.
    this.builder = new PredicateBuilder(described(name), () => this.#writeSoon(), () => {},
      (other) => entityNamed(other) ? described(other) : null);
    this.builder.element.hidden = false;
  }

  /** Shows the field's text in rows, if it is another one. */
  async readIfNew() {
    const text = this.input.value, { builder } = this, { edits } = builder;
    if (this.text === text) return;
    this.text = text;
    const answer = await post("model/predicate/parse", { text }).catch((error) => ({ error }));
    if (open.get(this.key) !== this || this.text !== text) return;
    if (answer.error instanceof Error) builder.say(answer.error.message);
    else if (answer.error) builder.say("The builder shows the predicate once its text is right.");
    else await builder.show(answer.form, edits);
  }

  #writeSoon() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.writeNow(), 250);
  }

  /** Writes what the rows say, if they say something new. Resolves once it is on its way. */
  writeNow() {
    if (this.timer !== null) {
      clearTimeout(this.timer);
      this.timer = null;
      this.writing = this.#print();
    }
    return this.writing;
  }

  async #print() {
    const { builder } = this, { form, edits } = builder, before = this.input.value;
    let answer;
    try {
      answer = await post("model/predicate/print",
        { form: form && finished(form) || { type: "and", parts: [] } });
    } catch { return; /* A row is half filled still. */ }
    // A later change writes itself; what was typed meanwhile is what the person wants.
    if (edits !== builder.edits || this.input.value !== before) return;
    this.text = answer.text;
    this.input.value = answer.text;
    this.input.dispatchEvent(new Event("change"));
  }
}
