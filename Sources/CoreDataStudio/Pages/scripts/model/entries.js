// @ts-check
// User info: keys and values that are edited in pairs.

import { h, button } from "../ui.js";
import { freeName } from "./state/names.js";
import { typing } from "./typing.js";

/**
 * The editor of user info: `rows` has the key’s field, the value’s and the button that removes it for each
 * entry, `add` the button for one more.
 * @param {InfoEntry[]} entries
 * @param {string | number} place
 * @param {boolean} isOpen
 * @param {(make: (entries: InfoEntry[]) => InfoEntry[]) => Promise<unknown>} change sends what `make` makes
 *   of the entries as they are then
 */
export function entryFields(entries, place, isOpen, change) {
  /**
   * @param {number} index
   * @param {"key" | "value"} part
   * @param {string} label
   */
  const cell = (index, part, label) => h("input",
    { type: "text", "aria-label": label, readonly: !isOpen || null,
    ...typing(`${place}/${part}${index}`, entries[index][part],
      (text) => change((list) => list.map((entry, at) =>
      at === index ? { ...entry, [part]: text } : entry))) });
  /** @param {InfoEntry} entry */
  const remove = (entry) => button("", () => change((list) => list.filter((each) => each.key !== entry.key)),
    { icon: "remove", label: `Remove ${entry.key}`, kind: "quiet" });
  const add = () => change((list) => [...list,
    { key: freeName("key", list.map((entry) => entry.key)), value: "" }]);
  return {
    rows: entries.map((entry, index) => [cell(index, "key", `Key ${index + 1}`),
      cell(index, "value", `Value of ${entry.key}`), isOpen && remove(entry)]),
    add: isOpen && h("div", {}, button("Add entry", add, { icon: "add" })),
  };
}
