// @ts-check
// Versions to compare, and what their hashes say of a store.

import { nameBefore } from "./names.js";
import { currentVersion } from "./tree.js";

/**
 * The versions to compare: those that somebody chose; otherwise the current one, and the one before the newer
 * of the two.
 * @param {ModelVersion[]} versions
 * @param {{ from: string | null, to: string | null }} chosen
 */
export function comparedVersions(versions, chosen) {
  const names = versions.map((version) => version.name);
  const to = chosen.to !== null && names.includes(chosen.to) ? chosen.to : currentVersion(versions)
    ?? names[names.length - 1];
  const from = chosen.from !== null && names.includes(chosen.from) ? chosen.from : nameBefore(names, to)
    ?? to;
  return { from, to };
}

/**
 * What a store has of an entity.
 * @param {VersionHashes["entities"][number]} entity
 * @returns {[mark: string, words: string]}
 */
export function storedState({ stored, hash }) {
  if (stored === undefined) return ["warn", "not in the store"];
  return stored === hash ? ["good", "same"] : ["danger", "differs"];
}

/**
 * Whether the store is of this version.
 * @param {VersionHashes} answer
 */
export const isOfVersion = ({ store, missing, entities }) =>
  store !== undefined && !missing.length && entities.every((entity) => entity.stored === entity.hash);
