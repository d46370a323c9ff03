// @ts-check
// Properties that go from one entity to another.

/** The kinds that entities hold, and those that composite types do. */
const held = { entity: ["attribute", "relationship", "fetchedProperty"], composite: ["attribute"] };

/**
 * Whether an element can hold all of the others.
 * @param {ModelElement | undefined} holder
 * @param {ModelElement[]} nodes
 */
export const canHold = (holder, nodes) => {
  const kinds = holder?.kind === "entity" || holder?.kind === "composite" ? held[holder.kind] : [];
  return nodes.length > 0 && nodes.every((node) => kinds.includes(node.kind));
};

/**
 * The entities and composite types that can hold the elements.
 * @param {ModelElement} root
 * @param {ModelElement[]} nodes
 */
export const holdersOf = (root, nodes) => root.children.filter((each) => canHold(each, nodes));
