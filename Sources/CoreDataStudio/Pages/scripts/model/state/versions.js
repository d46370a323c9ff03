// @ts-check
// Versions to compare, and what their hashes say of a store.

import { nameBefore } from "./names.js";
import { currentVersion } from "./tree.js";

/**
 * The versions to compare, the older one first: those that somebody chose; otherwise the current one and the
 * one that is shown, or if that is the same the one before it.
 * @param {ModelVersion[]} versions
 * @param {{ from: string | null, to: string | null }} chosen
 * @param {string | null} shown
 */
export function comparedVersions(versions, chosen, shown = null) {
  const names = versions.map((version) => version.name);
  const current = names.indexOf(currentVersion(versions) ?? names[names.length - 1]);
  const beside = current > 0 ? current - 1 : Math.min(1, names.length - 1);
  const other = shown !== null && names.includes(shown) && shown !== names[current] ? names.indexOf(shown)
    : beside;
  const to = chosen.to !== null && names.includes(chosen.to) ? chosen.to : names[Math.max(current, other)];
  const standard = chosen.to === null ? names[Math.min(current, other)] : nameBefore(names, to) ?? to;
  return { from: chosen.from !== null && names.includes(chosen.from) ? chosen.from : standard, to };
}

/**
 * The data that a store has of an entity.
 * @param {VersionHashes["entities"][number]} entity
 * @returns {[mark: string, words: string]}
 */
export function storedState({ stored, hash }) {
  if (stored === undefined) return ["warn", "not in the store"];
  return stored === hash ? ["good", "same"] : ["danger", "differs"];
}

/**
 * Tells whether the store is of this version.
 * @param {VersionHashes} answer
 */
export const isOfVersion = ({ store, missing, entities }) =>
  store !== undefined && !missing.length && entities.every((entity) => entity.stored === entity.hash);
