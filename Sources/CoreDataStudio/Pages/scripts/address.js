// @ts-check
// The part of the address that says which page is shown.

/**
 * The one whose page was asked for last.
 * @type {string | undefined}
 */
let shown;

/**
 * Whether the address names another page than the one that is shown, which it does from now on. Changes
 * that come close together tell of the last one twice: drawn anew, a page would lose what a person did
 * there meanwhile.
 */
export function isNewAddress() {
  const isNew = location.hash !== shown;
  shown = location.hash;
  return isNew;
}

/**
 * Gives the page that is shown another address.
 * @param {string} address
 */
export function replaceAddress(address) {
  history.replaceState(null, "", address);
  shown = location.hash;
}
