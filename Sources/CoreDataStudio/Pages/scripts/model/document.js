// @ts-check
// The model as the page knows it: what the server said last, what is selected, and the edits that are sent.

import { get, post } from "../api.js";
import { attempt } from "../dialogs.js";
import { oneByOne } from "../state/turns.js";
import { sendAllTyped, holdsText } from "./typing.js";
import * as tree from "./state/tree.js";

export const state = {
  /** Nothing is drawn before the first answer. */
  answer: /** @type {ModelAnswer} */ (/** @type {unknown} */ (null)),
  /**
   * The inspector's fields, by kind of element.
   * @type {Record<string, FieldDescription[]> | null}
   */
  fields: null,
  /** @type {string | null} */
  version: null,
  /**
   * The numbers of the elements that are selected.
   * @type {number[]}
   */
  selection: [],
  /** @type {Session | null} */
  session: null,
};
let redraw = () => {};

/**
 * Sets the function that draws the page anew when something changed.
 * @param {() => void} action
 */
export function onChange(action) { redraw = action; }
export const redrawAll = () => redraw();

/**
 * Shows elements as selected.
 * @param {number[]} ids
 */
export function choose(ids) {
  state.selection = ids;
  redraw();
}

/**
 * The model's version as the server has it, later than all that is known; the current one without a name.
 * @param {string | null} version
 * @returns {Promise<ModelAnswer>}
 */
export async function read(version) {
  state.fields ??= await get("model/fields");
  for (;;) {
    const answer = await get("model", { version });
    if (!isLate(answer)) return answer;
  }
}

/**
 * True if something later was answered already: answers overtake each other.
 * @param {ModelAnswer} answer
 */
export const isLate = (answer) => Boolean(state.answer) && answer.opening === state.answer.opening
  && answer.change < state.answer.change;

/**
 * Shows what the server said.
 * @param {ModelAnswer} answer
 */
export function accept(answer) {
  // Numbers of elements mean others once the model was opened anew.
  if (state.answer && (state.version !== answer.version
    || state.answer.opening !== answer.opening)) state.selection = [];
  state.answer = answer;
  state.version = answer.version;
  state.selection = state.selection.filter((id) => node(id));
}

export const isEditable = () => Boolean(state.answer) && !state.answer.obstacle;

// Requests go to the server in order, each once the one before is answered.

let underWay = 0;
const line = oneByOne((count) => { underWay = count; });

/** Resolves once all that was asked for is answered. */
export const answered = () => line(() => {});

/**
 * Gives the action's result, or undefined if it failed: then that is told.
 * @template T
 * @param {() => T | Promise<T>} action
 */
export const inTurn = (action) => attempt(() => line(action));

/** Tells whether something would be lost if the page was left now. */
export const isUnsent = () => underWay > 0 || holdsText();

/** @type {Set<() => unknown>} */
const waiting = new Set();
/**
 * Something that waits a little before it is sent: what saves or undoes sends it at once, and waits until it
 * is.
 * @param {() => unknown} action
 */
export const sendFirst = (action) => waiting.add(action);

/** Sends what is typed still, and all that waits to be sent. */
export async function sendAll() {
  sendAllTyped();
  await Promise.all([...waiting].map((action) => action()));
}

/**
 * Asks in turn. Gives the answer, or undefined if it was refused or `make` gave nothing to send.
 * @param {string} path
 * @param {() => object | null | undefined} make
 * @returns {Promise<ModelAnswer | undefined>}
 */
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

/**
 * Sends edits as one step. Gives the numbers of new elements, or undefined if they were refused.
 * @param {ModelCommand[]} commands
 */
export const edit = (...commands) => editNow(() => commands);

/**
 * The same with edits that are made of the model as it is when it is their turn; none are sent for null.
 * @param {() => ModelCommand[] | null | undefined} make
 */
export const editNow = async (make) => (await send("model/edit", () => {
  const commands = make();
  return commands && { commands };
}))?.made;

/**
 * The same of one element, if it is there still.
 * @param {number} id
 * @param {(element: ModelElement) => ModelCommand} make
 */
export const editElement = (id, make) => editNow(() => {
  const element = node(id);
  return element && [make(element)];
});

/**
 * The effects of edits that aren’t made: the checks’ findings about an element, and the places that
 * a renaming takes along.
 * Null where the server doesn’t say: who types is told when the text is sent.
 * @param {number} id
 * @param {string} field
 * @param {ModelCommand[]} commands
 */
export async function tryOut(id, field, ...commands) {
  const answer = await post("model/try",
    { version: state.version, opening: state.answer.opening, commands }).catch(() => null);
  if (!answer) return null;
  /** @type {ModelCheck[]} */
  const checks = answer.refusal ? [{ id, field, severity: "error", message: answer.refusal }]
    : answer.checks.filter((/** @type {ModelCheck} */ check) => check.id === id);
  return { checks, touched: answer.touched, former: answer.former };
}

/**
 * Does something else to the model. Gives whether it was done.
 * @param {string} path
 * @param {object} body
 */
export const act = async (path, body = {}) => Boolean(await send(path, () => body));

/**
 * Edits on their way to the server are undone first, and those that wait to be sent are sent before.
 * @param {string} path
 * @param {() => unknown} has
 */
async function step(path, has) {
  if (!isEditable()) return;
  await sendAll();
  await send(path, () => has() ? {} : null);
}
export const undo = () => step("model/undo", () => state.answer.undo);
export const redo = () => step("model/redo", () => state.answer.redo);

// The elements of the model by their places.

/**
 * The element of that number.
 * @param {number | undefined} id
 * @param {ModelElement} [root]
 */
export const node = (id, root = state.answer?.root) => tree.find(root, id);

/** @param {ModelKind} kind @param {ModelElement} [root] */
export const ofKind = (kind, root = state.answer.root) => tree.ofKind(root, kind);
export const entities = () => ofKind("entity");

/** @param {string | null | undefined} name */
export const entityNamed = (name) => tree.entityNamed(state.answer.root, name);

/**
 * An entity’s own and inherited properties.
 * @param {string | null | undefined} name
 */
export const properties = (name) => tree.propertiesOf(state.answer.root, name);

/**
 * The entity that an element is in.
 * @param {number} id
 */
export const ownerEntity = (id) => tree.ownerEntity(state.answer.root, id);

/** @param {number} id */
export const checksOf = (id) => state.answer.checks.filter((check) => check.id === id);

/**
 * The worst of the findings about an element and what is in it.
 * @param {ModelElement} element
 */
export const severity = (element) => tree.severityOf(element, state.answer.checks);

/**
 * The address of an element.
 * @param {ModelElement | null | undefined} element
 */
export const addressOf = (element) => tree.modelPlace(tree.addressParts(state.answer.root, element),
  suffix());

/** The part of an address that keeps the chosen version. */
export const suffix = () => tree.versionSuffix(state.answer?.versions ?? [], state.version);
