// The model as the page knows it: what the server said last, what is selected, and the edits that are sent.

import { get, post, ApiError } from "./api.js";
import { ask, attempt, h, oneByOne, toast } from "./ui.js";
import { sendAllTyped, holdsText } from "./model-typing.js";

export const state = { answer: null, fields: null, version: null, selection: [], session: null };
let redraw = () => {};

/** Who draws the page anew when something changed. */
export function onChange(action) { redraw = action; }
export const redrawAll = () => redraw();

/** The model's version as the server has it, later than all that is known; the current one without a name. */
export async function read(version) {
  state.fields ??= await get("model/fields");
  for (;;) {
    const answer = await get("model", { version });
    if (!isLate(answer)) return answer;
  }
}

/** Whether something later was answered already: answers overtake each other. */
const isLate = (answer) => Boolean(state.answer) && answer.opening === state.answer.opening && answer.change < state.answer.change;

/** Shows what the server said. */
export function accept(answer) {
  // Numbers of elements mean others once the model was opened anew.
  if (state.answer && (state.version !== answer.version || state.answer.opening !== answer.opening)) state.selection = [];
  state.answer = answer;
  state.version = answer.version;
  state.selection = state.selection.filter((id) => node(id));
}

export const isEditable = () => Boolean(state.answer) && !state.answer.obstacle;

// What is asked of the server is asked in order, each thing once what came before is answered.

let underWay = 0;
const line = oneByOne((count) => { underWay = count; });

/** Gives the action's result, or undefined if it failed: then that is told. */
export const inTurn = (action) => attempt(() => line(action));

/** Whether something would be lost if the page was left now. */
export const isUnsent = () => underWay > 0 || holdsText();

const waiting = new Set();
/** Something that waits a little before it is sent: what saves or undoes sends it at once, and waits until it is. */
export const sendFirst = (action) => waiting.add(action);

/** Sends what is typed still, and all that waits to be sent. */
export async function settle() {
  sendAllTyped();
  await Promise.all([...waiting].map((action) => action()));
}

/** Asks in turn. Gives the answer, or undefined if it was refused or `make` gave nothing to send. */
function send(path, make) {
  const { version } = state;
  return inTurn(async () => {
    const body = make();
    if (!body) return undefined;
    try {
      const answer = await post(path, { version, opening: state.answer.opening, ...body });
      // Somebody may have gone to another version meanwhile.
      accept(state.version === version ? answer : await read(state.version));
      return answer;
    } catch (error) {
      if (error.status === 409 && error.details.opening) accept(await read(null));
      throw error;
    } finally {
      // Also what was refused: the page says again what is.
      redraw();
    }
  });
}

/** Sends edits as one step. Gives the numbers of new elements, or undefined if they were refused. */
export const edit = (...commands) => editNow(() => commands);

/** The same with edits that are made of the model as it is when it is their turn; none are sent for null. */
export const editNow = async (make) => (await send("model/edit", () => { const commands = make(); return commands && { commands }; }))?.made;

/**
 * What edits would do that aren’t made: what the checks would say about an element, and what a renaming takes along.
 * Null where the server doesn’t say: who types is told when the text is sent.
 */
export async function tryOut(id, field, ...commands) {
  const answer = await post("model/try", { version: state.version, opening: state.answer.opening, commands }).catch(() => null);
  if (!answer) return null;
  const checks = answer.refusal ? [{ id, field, severity: "error", message: answer.refusal }] : answer.checks.filter((check) => check.id === id);
  return { checks, touched: answer.touched, former: answer.former };
}

/** Does something else to the model. Gives whether it was done. */
export const act = async (path, body = {}) => Boolean(await send(path, () => body));

/** What is on its way to the server is undone first, and what waits to be sent is sent before. */
async function step(path, has) {
  if (!isEditable()) return;
  await settle();
  await send(path, () => has() ? {} : null);
}
export const undo = () => step("model/undo", () => state.answer.undo);
export const redo = () => step("model/redo", () => state.answer.redo);

export async function save(overwrite = false) {
  if (!isEditable()) return;
  await settle();
  const files = await inTurn(async () => {
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
    redraw();
    return null;
  });
  if (files) await askAboutFiles(files);
}

/** Another program changed the files: theirs or ours. */
export async function askAboutFiles(files) {
  const answer = await ask("The model’s files changed", h("div.stack", {},
    h("p", {}, "Another program, such as git or Xcode, wrote these files after they were opened here:"),
    h("ul", {}, files.map((file) => h("li.mono", {}, file))),
    state.answer.isUnsaved ? h("p", {}, "Your unsaved edits are here still.") : null), [
    ["reload", state.answer.isUnsaved ? "Load theirs and drop my edits" : "Load the files", state.answer.isUnsaved ? "danger" : "primary"],
    ...(state.answer.isUnsaved ? [["overwrite", "Write mine over theirs", "danger"]] : []),
    [null, "Not now", "quiet"],
  ]);
  if (answer === "reload") await act("model/reload");
  if (answer === "overwrite") await save(true);
}

/** What becomes of edits that an earlier run of the studio left. */
export const decide = (choice) => act("model/left", { choice });

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
  redraw();
}

/** Waits for what other sessions and programs change, as long as the page is shown. */
export function watch(isShown) {
  let told = "";
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const look = async () => {
    while (isShown()) {
      try {
        // Pages that nobody looks at leave the browser’s few connections to others.
        if (document.hidden || !state.answer) { await pause(1000); continue; }
        const known = state.answer.change;
        const { change, opening } = await get("model/change", { since: known, wait: 15 });
        if (!isShown()) return;
        // This page’s own edits have answered already.
        await line(() => {});
        const isNews = opening !== state.answer.opening || change > state.answer.change;
        if (isNews) await lookAgain();
        // A server that is about to stop answers at once.
        if (!isNews && change === known) await pause(500);
      } catch (error) {
        if (error.status === 401) return;
        await pause(3000);
      }
    }
  };
  const focused = async () => {
    if (!isShown()) { removeEventListener("focus", focused); return; }
    try { await lookAgain(); } catch { return; }
    const files = state.answer.filesChangedOnDisk;
    if (files.length && files.join() !== told && !document.querySelector("dialog[open]")) { told = files.join(); askAboutFiles(files); }
  };
  addEventListener("focus", focused);
  look();
}

/** The element of that number. */
export function node(id, root = state.answer?.root) {
  if (!root) return null;
  if (root.id === id) return root;
  for (const child of root.children) {
    const found = node(id, child);
    if (found) return found;
  }
  return null;
}

export function parentOf(id, root = state.answer?.root) {
  if (root.children.some((child) => child.id === id)) return root;
  for (const child of root.children) {
    const found = parentOf(id, child);
    if (found) return found;
  }
  return null;
}

export const ofKind = (kind, root = state.answer.root) => root.children.filter((child) => child.kind === kind);
export const entities = () => ofKind("entity");
export const entityNamed = (name) => entities().find((entity) => entity.values.name === name);
export const selected = () => state.selection.map((id) => node(id)).filter(Boolean);

/** An entity’s own and inherited properties. */
export function properties(name) {
  const found = [], seen = new Set();
  for (let entity = entityNamed(name); entity && !seen.has(entity.id); entity = entityNamed(entity.values.parentEntity)) {
    seen.add(entity.id);
    found.push(...entity.children.filter((child) => ["attribute", "relationship", "fetchedProperty"].includes(child.kind)));
  }
  return found;
}

export const checksOf = (id) => state.answer.checks.filter((check) => check.id === id);
/** The worst of the findings about an element and what is in it. */
export function severity(element) {
  const ids = new Set();
  const collect = (each) => { ids.add(each.id); each.children.forEach(collect); };
  collect(element);
  const found = state.answer.checks.filter((check) => ids.has(check.id)).map((check) => check.severity);
  return ["error", "warning"].find((kind) => found.includes(kind));
}

const areas = { entity: "entities", fetchRequest: "requests", configuration: "configurations", composite: "composites" };

/** The address of an element. */
export function addressOf(element) {
  const path = (...parts) => "#/model/" + parts.map(encodeURIComponent).join("/") + suffix();
  if (!element || element.kind === "model") return path("entities");
  if (areas[element.kind]) return path(areas[element.kind], element.values.name ?? "");
  let owner = parentOf(element.id);
  let inner = element;
  while (owner && !areas[owner.kind]) { inner = owner; owner = parentOf(owner.id); }
  return owner ? path(areas[owner.kind], owner.values.name ?? "", inner.values.name ?? "") : path("entities");
}

/** What keeps the chosen version in addresses. */
export function suffix() {
  const current = state.answer?.versions.find((version) => version.isCurrent)?.name;
  return state.version && state.version !== current ? "?v=" + encodeURIComponent(state.version) : "";
}
