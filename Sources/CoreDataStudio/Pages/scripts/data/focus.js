// @ts-check
// Keeps a person's place while a part of the page is drawn anew.

/** @param {Element} control */
const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent;

/**
 * Draws a place anew; who was on one of its controls is on the same one again, or on the first.
 * @param {HTMLElement} place
 * @param {() => void} draw
 */
export function keepingFocus(place, draw) {
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (!active || active.isConnected) return;
  const controls = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("button, a, input")]);
  (controls.find((one) => nameOf(one) === nameOf(active)) ?? controls[0])?.focus();
}
