// @ts-check
// Texts that the server refused: kept with the reason until they are corrected or dropped.

/**
 * @typedef {object} RefusedText
 * @property {string} id of the object
 * @property {string} title of the object
 * @property {string} key of the attribute, or the path of an element of a composite one
 * @property {string} label
 * @property {string} text
 * @property {string} message
 */

export class RefusedTexts {
  /** @type {Map<string, RefusedText>} */
  #texts = new Map();

  constructor() {
    /** Hears when the number of texts may have changed. */
    this.changed = () => {};
  }

  get count() { return this.#texts.size; }

  all() { return [...this.#texts.values()]; }

  /**
   * The text that an attribute of an object was to have.
   * @param {string} id
   * @param {string} key
   */
  of(id, key) { return this.#texts.get(`${id} ${key}`) ?? null; }

  /** @param {RefusedText} refused */
  keep(refused) {
    this.#texts.set(`${refused.id} ${refused.key}`, refused);
    this.changed();
  }

  /**
   * Forgets a text, or without a key all texts of an object.
   * @param {string} id
   * @param {string} [key]
   */
  drop(id, key) {
    for (const text of this.all()) {
      if (text.id === id && (key === undefined || text.key === key)) this.#texts.delete(`${id} ${text.key}`);
    }
    this.changed();
  }

  clear() {
    this.#texts.clear();
    this.changed();
  }
}
