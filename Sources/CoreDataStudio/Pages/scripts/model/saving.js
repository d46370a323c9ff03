// @ts-check
// Saving a model, and what becomes of files and edits that somebody else left.

import { h } from "../ui.js";
import { ask, toast } from "../dialogs.js";
import { ApiError, post } from "../api.js";
import { state, accept, act, inTurn, isEditable, read, redrawAll, sendAll } from "./document.js";

export async function save(overwrite = false) {
  if (!isEditable()) return;
  await sendAll();
  const files = await inTurn(() => trySaving(overwrite));
  if (files) await askAboutFiles(files);
}

/**
 * Gives the files that other programs changed, if that is in the way.
 * @param {boolean} overwrite
 * @returns {Promise<string[] | null>}
 */
async function trySaving(overwrite) {
  if (!state.answer.isUnsaved) return null;
  const { version } = state;
  try {
    const answer = await post("model/save", { version, overwrite });
    accept(state.version === version ? answer : await read(state.version));
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return error.details.files.split("\n");
    throw error;
  }
  toast("Saved.", "good");
  redrawAll();
  return null;
}

/**
 * Another program changed the files: theirs or ours.
 * @param {string[]} files
 */
export async function askAboutFiles(files) {
  const { isUnsaved } = state.answer;
  /** @type {[value: string | null, label: string, kind?: string][]} */
  const answers = isUnsaved
    ? [["reload", "Load theirs and drop my edits", "danger"],
      ["overwrite", "Write mine over theirs", "danger"]] : [["reload", "Load the files", "primary"]];
  const answer = await ask("The model’s files changed", h("div.stack", {},
    h("p", {}, "Another program, such as git or Xcode, wrote these files after they were opened here:"),
    h("ul", {}, files.map((file) => h("li.mono", {}, file))),
    isUnsaved ? h("p", {}, "Your unsaved edits are here still.") : null),
      [...answers, [null, "Not now", "quiet"]]);
  if (answer === "reload") await act("model/reload");
  if (answer === "overwrite") await save(true);
}

/**
 * Asks about edits that an earlier run of the studio left.
 * @param {"keep" | "restore" | "discard"} choice
 */
export const decide = (choice) => act("model/left", { choice });
