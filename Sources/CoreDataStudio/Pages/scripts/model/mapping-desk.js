// @ts-check
// The mapping models as the page knows them, and what is sent of them: in turn with what is sent of the
// model, since
// mapping models are made of it.

import { ask, toast } from "../dialogs.js";
import { get, post } from "../api.js";
import { inTurn, redrawAll, sendAll } from "./document.js";

/**
 * The server's last answer about each mapping model.
 * @type {Map<string, MappingAnswer>}
 */
export const answers = new Map();

export const desk = {
  /** @type {MappingList | null} */
  list: null,
  /**
   * The mapping model that is shown.
   * @type {string}
   */
  file: "",
  /** The mapping of it that is shown. */
  place: 0,
  /**
   * Why it can't be read.
   * @type {string | null}
   */
  problem: null,
  get answer() { return answers.get(this.file) ?? null; },
};

/** @param {string} [file] */
export const address = (file) => "#/model/mappings" + (file ? "/" + encodeURIComponent(file) : "");
export const isOpen = () => desk.answer !== null && !desk.answer.obstacle;

/**
 * The document of the tool bar’s buttons while a mapping model is shown; null while the list is.
 * @param {string | undefined} file
 */
export function mappingDesk(file) {
  if (!file || desk.file !== file || !desk.answer) return null;
  const { answer } = desk;
  return {
    isEditable: isOpen(), isUnsaved: answer.isUnsaved, undoLabel: answer.undo, redoLabel: answer.redo,
    undo: () => step("undo"), redo: () => step("redo"), save: () => save(),
  };
}

/**
 * Shows another mapping model, which is read.
 * @param {string} file
 */
export function open(file) {
  if (desk.file === file) return;
  Object.assign(desk, { file, place: 0, problem: null });
  read(file);
}

/**
 * Shows a mapping of the one that is shown.
 * @param {number} place
 */
export function choose(place) {
  desk.place = place;
  redrawAll();
}

/**
 * Reads it anew, once what was sent is answered.
 * @param {string} file
 */
async function read(file) {
  await inTurn(async () => {
    try {
      answers.set(file, await get("model/mappings/one", { file }));
    } catch (error) {
      answers.delete(file);
      if (desk.file === file) desk.problem = error.message;
    }
  });
  redrawAll();
}

addEventListener("focus", () => {
  if (desk.answer && location.hash.startsWith(address(desk.file))) read(desk.file);
});

/** @typedef {() => ModelCommand & { mapping?: number } | false | null | undefined} MakeCommand */

/**
 * One edit, made when it is its turn. Gives null if it was done, otherwise the reason why it wasn’t, which
 * may be empty.
 * @param {MakeCommand} make
 * @returns {Promise<string | null>}
 */
async function send(make) {
  const { file } = desk;
  const refusal = await inTurn(async () => {
    const command = answers.has(file) && make(), answer = answers.get(file);
    if (!command || !answer || (command.mapping ?? 0) < 0) return "";
    try {
      answers.set(file, await post("model/mappings/edit",
        { file, change: answer.change, commands: [command] }));
      return null;
    } catch (error) {
      // Somebody else may have changed it.
      await get("model/mappings/one", { file }).then((answer) => answers.set(file, answer), () => {});
      return String(error.message);
    } finally {
      redrawAll();
    }
  });
  return refusal === undefined ? "" : refusal;
}

/**
 * Sends an edit and tells why it wasn't done. Gives whether it was.
 * @param {MakeCommand} make
 */
export async function edit(make) {
  const refusal = await send(make);
  if (refusal) toast(refusal, "error");
  return refusal === null;
}

/**
 * Sends an edit of what is typed in a field, which tells by itself. Gives whether the text was taken.
 * @param {MakeCommand} make
 */
export const editQuietly = async (make) => !await send(make);

/**
 * The fault that an edit would have; null for none, or if the server doesn't say.
 * @param {ModelCommand} command
 * @returns {Promise<string | null>}
 */
export async function tryOut(command) {
  const { file, answer } = desk;
  const trial = await post("model/mappings/try",
    { file, change: answer?.change, commands: [command] }).catch(() => null);
  return trial?.refusal ?? null;
}

/**
 * Asks for something else in turn.
 * @param {string} what
 * @param {object} body
 */
export const act = (what, body = {}) => request(desk.file, what, body);

/**
 * Gives the answer, or undefined if it was refused or `isWanted` says no.
 * @param {string} file
 * @param {string} what
 * @param {object} body
 * @param {(answer: MappingAnswer) => unknown} isWanted
 */
function request(file, what, body = {}, isWanted = () => true) {
  return inTurn(async () => {
    const known = answers.get(file);
    if (!known || !isWanted(known)) return undefined;
    if (what === "discard-reload") {
      await post("model/mappings/discard", { file });
      answers.set(file, await get("model/mappings/one", { file }));
    } else answers.set(file, await post("model/mappings/" + what, { file, ...body }));
    redrawAll();
    return answers.get(file);
  });
}

/** @param {"undo" | "redo"} what */
async function step(what) {
  const { file } = desk;
  if (!isOpen()) return;
  await sendAll();
  await request(file, what, {}, (answer) => answer[what]);
}

async function save(overwrite = false) {
  const { file } = desk;
  if (!isOpen()) return;
  await sendAll();
  if (!await inTurn(() => isInTheWay(file, overwrite))) return;
  const answer = await ask("The mapping model’s file changed",
    "Another program wrote it after it was opened here.", [
    ["reload", "Load theirs and drop my edits", "danger"], ["overwrite", "Write mine over theirs", "danger"],
      [null, "Not now", "quiet"]]);
  if (answer === "reload") await request(file, "discard-reload");
  if (answer === "overwrite") await save(true);
}

/**
 * Saves; gives whether another program's file is in the way.
 * @param {string} file
 * @param {boolean} overwrite
 */
async function isInTheWay(file, overwrite) {
  if (!answers.get(file)?.isUnsaved) return false;
  try {
    answers.set(file, await post("model/mappings/save", { file, overwrite }));
  } catch (error) {
    if (error.status === 409) return true;
    throw error;
  }
  toast("Saved.", "good");
  redrawAll();
  return false;
}
