// @ts-check
// The unsaved changes, in words and numbers.

/**
 * The number of objects with unsaved changes.
 * @param {Status} status
 */
export const unsavedCount = (status) => status.inserted + status.updated + status.deleted;

/**
 * The text of the bar above the objects. A request is named until it is done, so that nobody takes an
 * older state
 * for it.
 * @param {Status} status
 * @param {{ isSaving: boolean, underWay: number, isTyped: boolean, refused?: number,
 *   unsent?: number }} doing `refused` counts those that aren’t sent as well
 */
export function unsavedWords(status, { isSaving, underWay, isTyped, refused = 0, unsent = 0 }) {
  const parts = [[status.inserted, "new"], [status.updated, "changed"], [status.deleted, "deleted"],
    [refused - unsent, "that can’t be taken"], [unsent, "that couldn’t be sent"]]
    .filter(([count]) => count).map(([count, words]) => `${count} ${words}`);
  if (isSaving) return "Saving…";
  if (parts.length) return "Unsaved: " + parts.join(", ");
  if (underWay) return "Sending…";
  return isTyped ? "Unsaved: what is typed" : "Everything is saved";
}

/** Whose values are saved where somebody else saved the same objects: ours unless theirs were chosen. */
export class Sides {
  /** @param {Pick<SaveConflict, "id" | "isDeleted">[]} conflicts objects that they deleted are deleted unless that is changed */
  constructor(conflicts) {
    /** @type {Map<string, Set<string>>} */
    this.theirs = new Map(conflicts.map((conflict) =>
      [conflict.id, new Set(conflict.isDeleted ? ["*"] : [])]));
  }

  /**
   * @param {string} id
   * @param {string} key of a property, or `*` for the whole object
   * @param {boolean} isTheirs
   */
  choose(id, key, isTheirs) {
    const keys = this.theirs.get(id);
    if (isTheirs) keys?.add(key); else keys?.delete(key);
  }

  /** As the server takes it. */
  fields() { return Object.fromEntries([...this.theirs].map(([id, keys]) => [id, [...keys]])); }
}

/**
 * The objects that can't be saved, each once.
 * @param {SaveProblem[]} problems
 */
export const brokenObjects = (problems) =>
  [...new Set(problems.flatMap((problem) => problem.object ? [problem.object.id] : []))];
