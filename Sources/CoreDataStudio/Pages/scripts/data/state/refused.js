// @ts-check
// Texts that the server refused, or that it couldn't take up since the store or it itself didn't answer: kept
// with the reason until they are taken, corrected or dropped.

/**
 * @typedef {object} RefusedText
 * @property {string} id of the object
 * @property {string} title of the object
 * @property {string} key of the attribute, or the path of an element of a composite one
 * @property {string} label
 * @property {string} text
 * @property {string} message
 * @property {boolean} [isUnsent] The text may be all right: it can be sent again
 */

export class RefusedTexts {
  /** @type {Map<string, RefusedText>} */
  #texts = new Map();

  constructor() {
    /** Hears when the number of texts may have changed. */
    this.changed = () => {};
  }

  get count() { return this.#texts.size; }

  /** The texts that can be sent again. */
  unsent() { return this.all().filter(({ isUnsent }) => isUnsent); }

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
