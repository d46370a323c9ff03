// @ts-check
// Order in time: one thing after the other, and once for many.

/**
 * Does one step after the other, in the order in which they are asked for, for browsers send requests side by
 * side. The
 * function that comes back takes a step and gives its result; its `done` resolves once none is under way.
 * @param {(underWay: number) => void} told hears when the number of steps under way changes
 */
export function oneByOne(told = () => {}) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  let underWay = 0;
  /** @param {number} change */
  const count = (change) => { underWay += change; told(underWay); };
  /**
   * @template T
   * @param {() => T | Promise<T>} step
   * @returns {Promise<T>}
   */
  const take = (step) => {
    const done = last.then(step);
    last = done.then(() => count(-1), () => count(-1));
    count(1);
    return done;
  };
  return Object.assign(take, { done: () => last });
}

/**
 * Calls a function once it was asked for no more for a while.
 * @template {any[]} Values
 * @param {(...values: Values) => unknown} action
 * @returns {(...values: Values) => void}
 */
export function debounce(action, milliseconds = 250) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (...values) => { clearTimeout(timer); timer = setTimeout(() => action(...values), milliseconds); };
}

/** Numbers for questions of which only the answer to the last one counts. */
export class Turns {
  #last = 0;
  #isEnded = false;

  /** Takes a number; what comes back tells whether it is the last one still. */
  next() {
    const mine = this.#last += 1;
    return () => !this.#isEnded && mine === this.#last;
  }

  get isEnded() { return this.#isEnded; }

  /** No answer counts any more. */
  end() { this.#isEnded = true; }
}
