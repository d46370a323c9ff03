// @ts-check
// The columns that a person chooses from: those that are shown first, in their order.

/** @typedef {{ key: string, label: string, isShown: boolean }} ColumnItem */

export class ColumnChoice {
  /**
   * @param {Pick<EntityPage, "attributes" | "relationships">} entity
   * @param {string[]} shown
   */
  constructor(entity, shown) {
    const all = [...entity.attributes.flatMap(withElements),
      ...entity.relationships.filter((field) => field.kind === "toOne")];
    const first = shown.flatMap((key) => all.filter((field) => field.key === key));
    /** @type {ColumnItem[]} */
    this.items = [...first, ...all.filter((field) => !shown.includes(field.key))]
      .map(({ key, label }) => ({ key, label, isShown: shown.includes(key) }));
  }

  /**
   * @param {number} index
   * @param {number} step
   */
  move(index, step) { this.items.splice(index + step, 0, this.items.splice(index, 1)[0]); }

  /**
   * The chosen columns: the standard ones if none are.
   * @returns {string[] | "standard"}
   */
  keys() {
    const keys = this.items.filter((item) => item.isShown).map((item) => item.key);
    return keys.length ? keys : "standard";
  }
}

/**
 * A composite attribute with its elements.
 * @param {Attribute} field
 * @returns {{ key: string, label: string }[]}
 */
function withElements(field) {
  const elements = (field.elements ?? []).map((element) =>
    ({ key: `${field.key}.${element.key}`, label: `${field.label}: ${element.label}` }));
  return [field, ...elements];
}
