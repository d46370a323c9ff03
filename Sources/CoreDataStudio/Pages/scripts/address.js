// @ts-check
// The part of the address that says which page is shown. A new one is there at once, its event comes later:
// an answer that arrives between the two belongs to a page that was left already.

/**
 * The one whose page was asked for last.
 * @type {string | undefined}
 */
let shown;

/** The number of pages that were asked for. */
let visits = 0;

/**
 * Whether the address names another page than the one that is shown, which it does from now on. Changes
 * that come close together tell of the last one twice: drawn anew, a page would lose what a person did
 * there meanwhile.
 */
export function isNewAddress() {
  const isNew = location.hash !== shown;
  if (isNew) visits += 1;
  shown = location.hash;
  return isNew;
}

/**
 * Gives the page that is shown another address, unless another page was asked for.
 * @param {string} address
 */
export function replaceAddress(address) {
  if (location.hash !== shown) return;
  history.replaceState(null, "", address);
  shown = location.hash;
}

/**
 * A function that tells whether the person is still on the page that is shown now, whatever its address
 * became.
 */
export function staying() {
  const mine = location.hash === shown ? visits : NaN;
  return () => visits === mine && location.hash === shown;
}
