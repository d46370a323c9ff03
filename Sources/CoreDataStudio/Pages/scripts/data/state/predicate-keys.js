// @ts-check
// The keys that a predicate of an entity can name, and what stands behind them.

/** The number of related entities that are read for keys of two parts. */
const limit = 30;

/**
 * @typedef {{ kind: string, label?: string, key?: string, destination?: string,
 *   choices?: { value: string, label: string }[],
 *   elements?: Attribute[] }} Property
 */

/** @param {{ attributes: Attribute[], relationships: Relation[] }} entity */
const propertiesOf = (entity) => [...entity.attributes, ...entity.relationships];

/**
 * The keys of attributes, those of a composite one's elements behind its own.
 * @param {Attribute[]} attributes
 * @returns {string[]}
 */
const withElements = (attributes) => attributes.flatMap(({ key, elements }) =>
  [key, ...withElements(elements ?? []).map((element) => `${key}.${element}`)]);

export class PredicateKeys {
  /** @param {BuilderEntity} entity */
  constructor(entity) {
    this.entity = entity;
    /**
     * The entities that relationships lead to; null for those that may not be read.
     * @type {Map<string, BuilderEntity | null>}
     */
    this.others = new Map();
  }

  /** Related entities that aren't known yet. */
  missing() {
    const names = new Set(this.entity.relationships.map((relation) => relation.destination));
    return [...names].filter((name) => !this.others.has(name)).slice(0, limit);
  }

  /**
   * The property that a path leads to; a number for counts.
   * @param {string} path
   * @returns {Property | undefined}
   */
  property(path) {
    const [first, ...others] = path.split(".");
    /** @type {Property | undefined} */
    let found = propertiesOf(this.entity).find((field) => field.key === first);
    for (const name of others) {
      if (!found) return undefined;
      if (name.startsWith("@")) return { kind: "number", label: path };
      const other = found.destination && this.others.get(found.destination);
      /** @type {Property[]} */
      const inner = found.elements ?? (other ? propertiesOf(other) : []);
      found = inner.find((field) => field.key === name);
    }
    return found;
  }

  /** The proposals while somebody types a key. */
  paths() {
    const { entity } = this;
    const further = entity.relationships.flatMap((relation) => [
      ...(relation.kind === "toOne" ? [] : [relation.key + ".@count"]),
      ...withElements(this.others.get(relation.destination)?.attributes ?? []).map((key) =>
        `${relation.key}.${key}`),
    ]);
    const relations = entity.relationships.map((relation) => relation.key);
    return [...withElements(entity.attributes), ...relations, ...further, "SELF"];
  }

  /**
   * Tells whether a path leads to many objects, of which any or all are meant.
   * @param {string} path
   */
  isMany(path) {
    const relation = this.entity.relationships.find((relation) => relation.key === path.split(".")[0]);
    return (relation?.kind === "toMany" || relation?.kind === "ordered") && !path.includes("@");
  }

  /** The key that a new row begins with. */
  get first() { return this.entity.titleKey ?? this.entity.attributes[0]?.key ?? "SELF"; }
}
