// @ts-check
// The entities in the order of the list at the side: each below its parent.

/**
 * @template {Pick<EntitySummary, "name" | "parent" | "children">} Entity
 * @param {Entity[]} entities those that the person may see
 * @returns {{ entity: Entity, depth: number }[]}
 */
export function entityTree(entities) {
  const byName = new Map(entities.map((entity) => [entity.name, entity]));
  /** @type {{ entity: Entity, depth: number }[]} */
  const rows = [];
  /**
   * @param {Entity} entity
   * @param {number} depth
   */
  const add = (entity, depth) => {
    rows.push({ entity, depth });
    for (const name of entity.children) {
      const child = byName.get(name);
      if (child) add(child, depth + 1);
    }
  };
  for (const entity of entities) if (!entity.parent || !byName.has(entity.parent)) add(entity, 0);
  return rows;
}

/**
 * Those whose names have a text in them.
 * @template {{ entity: { name: string } }} Row
 * @param {Row[]} rows
 * @param {string} text
 */
export function matching(rows, text) {
  const wanted = text.trim().toLowerCase();
  return wanted ? rows.filter(({ entity }) => entity.name.toLowerCase().includes(wanted)) : rows;
}
