// @ts-check
// The proposals while a predicate is typed, and the text once one is taken.

export class Completion {
  constructor() {
    /**
     * The server's proposals for a text.
     * @type {Suggestions | null}
     */
    this.suggestions = null;
    /** The proposal that the keys chose; -1 for none. */
    this.chosen = -1;
  }

  get items() { return this.suggestions?.items ?? []; }

  /** @param {Suggestions | null} suggestions */
  take(suggestions) {
    this.suggestions = suggestions;
    this.chosen = -1;
  }

  /**
   * The number of proposals that can be taken: none of those for a former text.
   * @param {string} text
   */
  countFor(text) { return this.suggestions?.text === text ? this.items.length : 0; }

  /**
   * Goes to the next proposal, or with -1 to the one before, round and round.
   * @param {number} step
   */
  move(step) {
    const count = this.items.length;
    this.chosen = step < 0 ? (this.chosen - 1 + count) % count : (this.chosen + 1) % count;
  }

  /**
   * The text with a proposal in it, and where the cursor stands then. The server counts characters, not their
   * halves.
   * @param {string} text
   * @param {number} index
   */
  apply(text, index) {
    const { start, length } = this.suggestions ?? { start: 0, length: 0 }, item = this.items[index];
    const characters = [...text];
    const before = characters.slice(0, start).join(""), after = characters.slice(start + length).join("");
    const gap = item.text.endsWith("(") || after.startsWith(" ") ? "" : " ";
    const begun = before + item.text + gap;
    return { text: begun + after, cursor: begun.length };
  }
}

/**
 * The number of characters in a part of a text.
 * @param {string} text
 * @param {number | null} end
 */
export const characterCount = (text, end) => [...text.slice(0, end ?? text.length)].length;

/**
 * A mistake with what stands around it: at least one character, a gap at the end of the text.
 * @param {string} text
 * @param {Mistake} mistake
 */
export function mistakeParts(text, mistake) {
  const characters = [...text], at = Math.min(mistake.position, characters.length),
    length = Math.max(1, mistake.length);
  return {
    before: characters.slice(Math.max(0, at - 40), at).join(""),
    wrong: characters.slice(at, at + length).join("") || "\u00a0",
    after: characters.slice(at + length, at + length + 40).join(""),
  };
}

/**
 * The place of a part of a text, counted as text fields do.
 * @param {string} text
 * @param {number} position in characters
 * @param {number} length
 * @returns {[number, number]}
 */
export function fieldRange(text, position, length) {
  const characters = [...text];
  return [characters.slice(0, position).join("").length,
    characters.slice(0, position + length).join("").length];
}
