// @ts-check
// Waits for what other sessions and programs change in the model.

import { get } from "../api.js";
import { state, accept, answered, isLate, read, redrawAll } from "./document.js";
import { askAboutFiles } from "./saving.js";

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows what others made of the version, unless somebody goes to another one or something later is known. */
async function lookAgain() {
  const { version } = state;
  let answer;
  try {
    answer = await read(version);
  } catch (error) {
    // Somebody else took the version away.
    if (error.status !== 404) throw error;
    answer = await read(null);
  }
  if (state.version !== version || isLate(answer)) return;
  accept(answer);
  redrawAll();
}

/**
 * Asks once for what is later than the page knows.
 * @param {() => boolean} isShown
 */
async function look(isShown) {
  // Pages that nobody looks at leave the browser’s few connections to others.
  if (document.hidden || !state.answer) { await pause(1000); return; }
  const known = state.answer.change;
  const { change, opening } = await get("model/change", { since: known, wait: 15 });
  if (!isShown()) return;
  // This page’s own edits have answered already.
  await answered();
  const isNews = opening !== state.answer.opening || change > state.answer.change;
  if (isNews) await lookAgain();
  // A server that is about to stop answers at once.
  if (!isNews && change === known) await pause(500);
}

/**
 * Waits for it as long as the page is shown.
 * @param {() => boolean} isShown
 */
export async function watch(isShown) {
  tellOfFiles(isShown);
  while (isShown()) {
    try {
      await look(isShown);
    } catch (error) {
      if (error.status === 401) return;
      await pause(3000);
    }
  }
}

/**
 * A person who comes back to the page is told once of files that were written meanwhile.
 * @param {() => boolean} isShown
 */
function tellOfFiles(isShown) {
  let told = "";
  const focused = async () => {
    if (!isShown()) { removeEventListener("focus", focused); return; }
    try { await lookAgain(); } catch { return; }
    const files = state.answer.filesChangedOnDisk;
    if (files.length && files.join() !== told && !document.querySelector("dialog[open]")) {
      told = files.join();
      askAboutFiles(files);
    }
  };
  addEventListener("focus", focused);
}
