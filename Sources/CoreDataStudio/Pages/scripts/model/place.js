// @ts-check
// The place of the page in the model: the address, and the element that it names.

import { replaceAddress } from "../address.js";
import { state, node, ofKind, addressOf, suffix } from "./document.js";
import { currentVersion, kindOfArea } from "./state/tree.js";

export const place = {
  /**
   * The area and names.
   * @type {string[]}
   */
  path: [],
  /** @type {Record<string, string>} */
  query: {},
  /**
   * The number of the element that is shown, by which it is found once it has another name.
   * @type {number | undefined}
   */
  id: undefined,
};

/** The subject of a table, a diagram or another view. */
export const area = () => place.path[0] ?? "entities";

/**
 * The element that an address names.
 * @param {string} area
 * @param {string | undefined} name
 */
export function holder(area, name) {
  const kind = kindOfArea(area);
  return kind && name !== undefined ? ofKind(kind).find((element) => element.values.name === name)
    : undefined;
}

/** The element that the page shows. */
export const shownElement = () => holder(place.path[0], place.path[1]);

/**
 * Tells whether an element can be selected where the page is.
 * @param {number} id
 */
export function isShown(id) {
  const owner = shownElement();
  return owner ? Boolean(node(id, owner)) : node(id)?.kind === "entity";
}

/** The version that is shown where the address has none. */
export const standardVersion = () => currentVersion(state.answer?.versions ?? []) ?? state.version;

/**
 * This address for another version.
 * @param {string | null} name
 */
export function withVersion(name) {
  const hash = location.hash.split("?")[0] || "#/model";
  return name === standardVersion() || name === null ? hash : hash + "?v=" + encodeURIComponent(name);
}

/**
 * Goes to an address. A property that it names is selected, and its owner shown.
 * @param {string[]} path
 * @param {Record<string, string>} query
 */
export function goTo(path, query) {
  Object.assign(place, { path, query, id: undefined });
  const [area, name, inner] = path;
  if (!name || inner === undefined) {
    if (area !== "diagram" && !state.selection.every(isShown)) state.selection = [];
    return;
  }
  const owner = holder(area, name), found = owner?.children.find((child) => child.values.name === inner);
  if (!owner || !found) return;
  state.selection = [found.id];
  place.path = [area, name];
  replaceAddress(addressOf(owner));
}

/** Changes the address if the shown element was renamed, or the version is another one. */
export function follow() {
  if ((place.query.v ?? standardVersion()) !== state.version) {
    const { v, ...others } = place.query;
    place.query = suffix() && state.version !== null ? { ...others, v: state.version } : others;
    replaceAddress(withVersion(state.version));
  }
  const found = shownElement();
  if (found) { place.id = found.id; return; }
  const renamed = place.path[1] !== undefined && place.id !== undefined ? node(place.id) : null;
  if (!renamed || !renamed.values.name) return;
  place.path = [place.path[0], renamed.values.name];
  replaceAddress(addressOf(renamed));
}
