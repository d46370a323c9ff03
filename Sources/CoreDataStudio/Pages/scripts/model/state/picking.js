// @ts-check
// The rows of a table that a click or a key selects.

/** The time after a click in which another one on the same row makes it a double click, in milliseconds. */
const again = 400;

/** @typedef {{ shiftKey?: boolean, ctrlKey?: boolean, metaKey?: boolean }} Modifiers */

/**
 * The selection after a click on a row: with Shift from the one that was chosen first, with Control more or
 * fewer.
 * @param {number[]} ids the rows of the table, in order
 * @param {number[]} selection of this table and maybe others
 * @param {number} id
 * @param {Modifiers} modifiers
 */
export function picked(ids, selection, id, { shiftKey, ctrlKey, metaKey }) {
  const chosen = selection.filter((each) => ids.includes(each));
  if (shiftKey && chosen.length) {
    const [from, to] = [ids.indexOf(chosen[0]), ids.indexOf(id)].sort((a, b) => a - b);
    return [chosen[0], ...ids.slice(from, to + 1).filter((each) => each !== chosen[0])];
  }
  if (ctrlKey || metaKey) return chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
  return [id];
}

/**
 * Counts clicks where what is clicked is drawn anew, so that no double click would arrive.
 * @template Key
 */
export class Clicks {
  constructor() {
    /** @type {{ key: Key, time: number } | null} */
    this.last = null;
  }

  /**
   * Takes a click; gives whether it is the second one of two.
   * @param {Key} key
   * @param {number} time
   */
  isAgain(key, time) {
    const { last } = this;
    this.last = { key, time };
    return last !== null && last.key === key && time - last.time < again;
  }
}
