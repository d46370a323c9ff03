// @ts-check
// The state of each entity's rows, for as long as the page is there: grid and chart show the same rows.

import { GridQuery, knownKeys } from "./state/grid-query.js";
import { keptLayout } from "./columns.js";

/** @type {Map<string, GridQuery>} */
const remembered = new Map();

/**
 * What is asked for of an entity's rows; other pages that ask share it.
 * @param {EntityPage} entity
 * @param {DataWorld} world
 */
export function queryOf(entity, world) {
  const layout = keptLayout(world, entity.name, knownKeys(entity));
  const query = new GridQuery(entity.name, { ...layout, ...remembered.get(entity.name) });
  remembered.set(entity.name, query);
  return query;
}
