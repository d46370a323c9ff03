// @ts-check
// A colour: sliders for red, green, blue and alpha with a swatch that follows them.

import { h, button } from "../ui.js";
import { colorText } from "../state/text.js";
import { labelOf } from "./state/field-text.js";
import { mark, sayIn } from "./field-parts.js";

const parts = /** @type {const} */ (["red", "green", "blue", "alpha"]);

class ColorField {
  /**
   * @param {ObjectField} field
   * @param {import("./field-parts.js").SetValue} set
   * @param {boolean} isFixed
   */
  constructor(field, set, isFixed) {
    this.field = field;
    this.set = set;
    this.isLocked = isFixed || field.canSet === false;
    /** @type {ColorValue} */
    this.value = { $: "color", red: 0, green: 0, blue: 0, alpha: 1 };
    this.isNil = true;
    // The person's colour counts for as long as answers are on their way.
    this.pending = 0;
    this.live = h("span.swatch.large", { role: "img" });
    this.text = h("output.mono", {});
    this.sliders = parts.map((part) => this.#slider(part));
    this.box = h("fieldset.field.color", {}, h("legend", {}, labelOf(field)),
      h("div.color-top", {}, this.live, this.text,
      field.isOptional && !this.isLocked && button("", () => set(field.key, null),
        { icon: "close", kind: "quiet", label: `Set ${field.label} to nil`, title: "Set to nil" })),
    h("div.sliders", {}, this.sliders.map(({ part, slider, exact }) =>
      h("div.slider", { class: part }, h("span", { "aria-hidden": "true" }, part[0].toUpperCase()), slider,
      exact))),
    h("p.hint", {}, this.#hint()), h("p.message", { hidden: true }));
    this.#take(field.value);
  }

  /** @param {ObjectField} next */
  update(next) {
    this.field = next;
    mark(this.box, next);
    if (!this.pending) this.#take(next.value);
  }

  /** @param {string | null} [message] */
  say = (message) => sayIn(this.box, message);

  #hint() {
    const { canSet, lock, help } = this.field;
    if (canSet === false
      && !lock) return "Its value transformer isn’t here: the colour can be seen, not changed.";
    return lock ?? help ?? "";
  }

  /** @param {typeof parts[number]} part */
  #slider(part) {
    const range = { min: "0", max: "255", disabled: this.isLocked };
    /** @type {HTMLInputElement} */
    const slider = h("input", { type: "range", step: "1", "aria-label": `${this.field.label}, ${part}`,
      ...range,
      oninput: () => this.#mix(part, Number(slider.value)), onchange: () => this.#send() });
    /** @type {HTMLInputElement} */
    const exact = h("input.part", { type: "number", "aria-label": `${this.field.label}, ${part}, number`,
      ...range,
      onchange: () => {
        this.#mix(part, Math.min(255, Math.max(0, Number(exact.value) || 0)));
        this.#send();
      } });
    return { part, slider, exact };
  }

  /**
   * @param {typeof parts[number]} part
   * @param {number} level of 255
   */
  #mix(part, level) {
    this.value[part] = level / 255;
    this.isNil = false;
    this.#draw();
  }

  async #send() {
    this.pending += 1;
    const answer = await this.set(this.field.key, { ...this.value });
    this.pending -= 1;
    if (answer?.problem) this.say(answer.problem);
  }

  /** @param {StudioValue} value */
  #take(value) {
    const isColor = value !== null && typeof value === "object" && value.$ === "color";
    this.isNil = !isColor;
    if (isColor) this.value = { ...value };
    this.#draw();
  }

  #draw() {
    const text = colorText(this.value);
    this.live.style.setProperty("--swatch", this.isNil ? "transparent" : text);
    this.live.setAttribute("aria-label", this.isNil ? "No colour" : "Colour " + text);
    this.text.textContent = this.isNil ? "nil" : text;
    for (const { part, slider, exact } of this.sliders) {
      slider.value = exact.value = String(Math.round(this.value[part] * 255));
    }
  }
}

/**
 * @param {ObjectField} field
 * @param {import("./field-parts.js").SetValue} set
 * @param {boolean} isFixed
 * @returns {FieldEditor}
 */
export function colorField(field, set, isFixed) {
  const own = new ColorField(field, set, isFixed);
  return Object.assign(own.box, { say: own.say,
    update: (/** @type {ObjectField} */ next) => own.update(next) });
}
