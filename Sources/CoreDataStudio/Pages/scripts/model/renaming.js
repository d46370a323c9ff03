// @ts-check
// The name of an element: what a renaming takes along is shown while the name is typed.

import { h, show, field } from "../ui.js";
import { debounce } from "../state/turns.js";
import { hasText } from "../keyboard.js";
import { toast } from "../dialogs.js";
import { edit, tryOut, checksOf, isEditable } from "./document.js";
import { typing, take, giveUp, keepingFocus } from "./typing.js";

/**
 * @typedef {object} Begun A name that is typed
 * @property {string} old
 * @property {boolean | null} keeps whether the person wants the old name kept as the renaming ID
 * @property {{ place: string, field: string, before: string, after: string }[]} touched what it takes along
 * @property {string} [former] the version that knows the element by its old name
 */

/**
 * Names that are typed, by field: the field may be drawn anew meanwhile.
 * @type {Map<string, Begun>}
 */
const begun = new Map();

/** @typedef {(box: FieldBox, checks: ModelCheck[], key: string) => void} Say shows findings below a field */

/**
 * The field.
 * @param {ModelElement} node
 * @param {string} key
 * @param {Say} say
 */
export function nameField(node, key, say) { return new NameField(node, key, say).box; }

const identified = ["entity", "attribute", "relationship", "fetchedProperty"];

class NameField {
  /**
   * @param {ModelElement} node
   * @param {string} key
   * @param {Say} say
   */
  constructor(node, key, say) {
    this.node = node;
    this.key = key;
    this.say = say;
    /** @type {string} */
    this.old = node.values.name ?? "";
    if (begun.get(key)?.old !== this.old) begun.delete(key);
    this.more = h("div.model-renaming.stack.tight", { hidden: true, "aria-live": "polite",
      onmousedown: (event) => { if (!event.target.closest("summary")) event.preventDefault(); } });
    const attributes = typing(key, this.old, this.#send);
    this.input = h("input", {
      ...attributes, type: "text", dataset: { ...attributes.dataset, field: "name" },
      readonly: !isEditable() || null,
      // A person who goes on to the choices below isn’t done; what saves everything is.
      onchange: (event) => { if (!event.isTrusted) take(this.input, this.#send); }, onblur: null,
      oninput: () => this.#look(),
    });
    this.box = field("Name", this.input);
    this.box.append(this.more);
    this.box.addEventListener("focusout", (event) => this.#leave(event));
    this.box.addEventListener("keydown", (event) => this.#escape(event));
    say(this.box, checksOf(node.id), "name");
    this.#draw();
  }

  /** @param {FocusEvent} event */
  #leave(event) {
    const { box, input } = this;
    const isLeft = !box.contains(/** @type {Node | null} */ (event.relatedTarget)) && box.isConnected;
    if (isLeft && input.dataset.refused !== input.value) take(input, this.#send);
  }

  /** @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || event.target === this.input || !hasText(this.input)) return;
    event.stopPropagation();
    giveUp(this.input);
    this.input.focus();
  }

  /** Shows what the name takes along, and what is wrong with it. */
  #look = debounce(async () => {
    const { node, key, old, box } = this, name = this.input.value;
    if (!box.isConnected) return;
    if (name === old) {
      begun.delete(key);
      this.more.hidden = true;
      this.say(box, checksOf(node.id), "name");
      return;
    }
    const trial = await tryOut(node.id, "name",
      { do: "rename", id: node.id, name, keepsIdentity: begun.get(key)?.keeps ?? null });
    if (!trial || !box.isConnected || this.input.value !== name) return;
    this.say(box, trial.checks, "name");
    begun.set(key, { keeps: null, ...begun.get(key), old, touched: trial.touched, former: trial.former });
    this.#draw();
  }, 250);

  /** @param {string} name */
  #send = async (name) => {
    const { key, node } = this, keeps = begun.get(key)?.keeps ?? null,
      count = begun.get(key)?.touched.length ?? 0;
    const done = await edit({ do: "rename", id: node.id, name, keepsIdentity: keeps });
    if (done) begun.delete(key);
    if (done && count) toast(`Renamed; ${count} other ${count === 1 ? "place" : "places"} went along.`,
      "good");
    return done;
  };

  #draw() {
    const own = begun.get(this.key);
    if (!own) return;
    const hasIdentity = identified.includes(this.node.kind) && !this.node.values.elementID;
    const parts = [hasIdentity && this.#identity(own),
      own.touched.length > 0 && this.#touched(own)].filter(Boolean);
    keepingFocus(this.more, () => show(this.more, parts));
    this.more.hidden = !parts.length;
  }

  /** @param {Begun} own */
  #identity({ keeps, former }) {
    const choice = h("input", { type: "checkbox", checked: keeps ?? Boolean(former),
      dataset: { key: this.key + "/keeps" },
      onchange: (event) => { const own = begun.get(this.key); if (own) own.keeps = event.target.checked; } });
    const hint = former ? `Version ${former} has it by that name: migrations take its values along.`
      : "Needed where stores of another version have it by that name.";
    return field(`Keep “${this.old}” as the renaming ID`, choice, { class: "model-flag", hint });
  }

  /** @param {Begun} own */
  #touched({ touched }) {
    return h("details", {},
      h("summary", { dataset: { key: this.key + "/touched" } },
        `Changes ${touched.length} other ${touched.length === 1 ? "place" : "places"} along`),
      h("ul.model-touched", {}, touched.map((place) =>
        h("li", {}, h("strong", {}, place.place || "Model"), ` ${place.field}: `,
        h("del", {}, place.before), " → ", h("ins", {}, place.after)))));
  }
}
