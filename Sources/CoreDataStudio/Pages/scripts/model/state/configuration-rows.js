// @ts-check
// How many of a store's rows are of each entity of a model, and which of them a configuration takes.

/**
 * @param {ModelElement[]} entities
 * @param {string[]} members the names of the configuration's entities
 * @param {Record<string, number>} counts by entity, rows of subentities included; none for what may not be
 * seen
 * @returns {{ name: string, count: number | null, isIn: boolean }[]} the rows that are of the entity itself
 */
export function rowsOf(entities, members, counts) {
  return entities.map(({ values: { name } }) => {
    const below = entities.filter(({ values }) => values.parentEntity === name);
    const others = below.reduce((sum, { values }) => sum + (counts[values.name] ?? 0), 0);
    const count = name in counts ? Math.max(0, counts[name] - others) : null;
    return { name, count, isIn: members.includes(name) };
  });
}
