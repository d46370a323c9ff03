// @ts-check
// The fields of one mapping: its entities, its properties' values, its user info.

import { h, button, field, icon, select } from "../ui.js";
import { dialog, menu } from "../dialogs.js";
import { debounce } from "../state/turns.js";
import { answers, choose, desk, edit, editQuietly, isOpen, tryOut } from "./mapping-desk.js";
import { entryFields } from "./entries.js";
import { entityChoices, moves, placeNow, withValue } from "./state/mappings.js";
import { typing } from "./typing.js";

/** @typedef {(value: string) => ModelCommand} MakeOfText */

/**
 * A mapping that is shown: its answer, its place, and the place where it is by the time that an edit is sent.
 * @typedef {{ answer: MappingAnswer, mapping: EntityMapping, index: number, at: () => number }} Shown
 */

/**
 * @param {MappingAnswer} answer
 * @param {number} index
 */
export function mappingFields(answer, index) {
  const { file } = desk, mapping = answer.mappings[index];
  /** @type {Shown} */
  const shown = { answer, mapping, index,
    at: () => placeNow(answer.mappings, index, answers.get(file)?.mappings ?? []) };
  return h("section.stack.model-mapping-detail", { "aria-label": `Mapping ${mapping.name}` },
    head(shown), h("div.fields", {}, entityFields(shown)),
      mapping.destination && properties(shown, mapping.destination), mappingInfo(shown));
}

/** @param {Shown} shown */
function head({ answer, mapping, index, at }) {
  /** @param {number} to */
  const move = async (to) => { if (await edit(() => ({ do: "move", mapping: at(), to }))) choose(to); };
  const places = moves(index, answer.mappings.length - 1);
  return h("div.row", {}, h("h3.model-title", {}, mapping.name), h("span.spring"),
    isOpen() && button("Move", (event) => menu(event.currentTarget,
      places.map(([words, to]) => [words, () => move(to)])),
      { kind: "quiet", label: "Move this mapping in the order", disabled: places.length === 0 }),
    isOpen() && button("Remove", () => edit(() => ({ do: "remove", mapping: at() })),
      { icon: "trash", kind: "danger", label: `Remove the mapping ${mapping.name}` }));
}

/** @param {Shown} shown */
function entityFields(shown) {
  const { answer, mapping, index, at } = shown;
  /** @param {string} name @returns {MakeOfText} */
  const set = (name) => (value) => ({ do: "set", mapping: at(), field: name, value: value || null });
  /**
   * @param {string} label
   * @param {string} name
   * @param {[string, string][]} choices
   * @param {string | undefined} value
   */
  const pick = (label, name, choices, value) =>
    noted(field(label, select(withValue(choices, value), value ?? "", {
    disabled: !isOpen(), dataset: { key: `${index}/${name}` },
      onchange: (event) => edit(() => set(name)(event.target.value)) })), shown, name);
  /**
   * @param {string} label
   * @param {string} name
   * @param {string} value
   * @param {string} [hint]
   * @param {boolean} isCode
   */
  const line = (label, name, value, hint, isCode = false) =>
    noted(field(label, typed(`${index}/${name}`, value, set(name), isCode), { hint }), shown, name);
  const kinds = ["Add", "Remove", "Copy", "Transform",
    "Custom"].map((kind) => /** @type {[string, string]} */ ([kind, kind]));
  return [
    line("Name", "name", mapping.name), pick("Type", "kind", kinds, mapping.kind),
    pick("Source entity", "source", entityChoices(answer.source), mapping.source),
    pick("Destination entity", "destination", entityChoices(answer.destination), mapping.destination),
    mapping.source && (mapping.filter !== undefined
      ? line("Filter", "filter", mapping.filter,
        "A predicate: only such objects are migrated by this mapping.", true)
      : line("Source expression", "expression", mapping.expression ?? "",
        "Empty for all objects of the entity.", true)),
    line("Custom policy", "policy", mapping.policy ?? "",
      "A subclass of NSEntityMigrationPolicy, with its module if need be."),
  ];
}

/**
 * A text that is checked while it is typed. If it isn’t taken, it stays in the field, with the reason below
 * it.
 * @param {string} key
 * @param {string} value
 * @param {MakeOfText} command
 * @param {boolean} isCode
 * @param {Attributes} more
 */
function typed(key, value, command, isCode, more = {}) {
  const look = debounce(async () => {
    const text = input.value;
    if (!input.isConnected) return;
    const refusal = text === value ? null : await tryOut(command(text));
    if (input.isConnected && input.value === text) tell(input, refusal);
  }, 250);
  /** @type {HTMLInputElement} */
  const input = h("input", {
    type: "text", class: isCode ? "mono" : null, readonly: !isOpen() || null,
    title: value.length > 30 ? value : null,
    ...typing(`${desk.file}/${key}`, value, (text) => editQuietly(() => command(text))),
    oninput: () => look(), ...more,
  });
  return input;
}

/**
 * Says what is wrong with a text, in its field or its cell.
 * @param {HTMLInputElement} input
 * @param {string | null} text
 */
function tell(input, text) {
  const box = /** @type {FieldBox | null} */ (input.closest(".field"));
  if (box?.say) { box.say(text); return; }
  const cell = input.closest("td");
  cell?.querySelector(".message.typed")?.remove();
  if (text) {
    cell?.append(h("p.message.typed", { role: "alert" }, text));
    input.setAttribute("aria-invalid", "true");
  } else input.removeAttribute("aria-invalid");
}

/**
 * A field with what is found about it.
 * @param {FieldBox} box
 * @param {Shown} shown
 * @param {string} name
 */
function noted(box, { answer, index }, name) {
  const found = answer.checks.filter((check) =>
    check.mapping === index && check.field === name && !check.property);
  const errors = found.filter((check) => check.severity === "error"),
    others = found.filter((check) => check.severity !== "error");
  if (errors.length) box.say(errors.map((check) => check.message).join(" "));
  if (others.length) box.append(h("p.model-note", {}, icon("warning"),
    others.map((check) => check.message).join(" ")));
  return box;
}

// Properties.

/**
 * @param {Shown} shown
 * @param {string} destination
 */
function properties(shown, destination) {
  const { answer, mapping, index } = shown, list = "values-" + index;
  if (!mapping.properties.length) return h("p.hint", {}, `${destination} has no stored properties.`);
  const keys = answer.source.entities.find((entity) => entity.name === mapping.source)?.keys ?? [];
  const heads = [["Property"], ["Type"], ["Value expression"], ["", "More"]];
  return h("section.stack.tight", { "aria-label": "Property mappings" }, h("h3", {}, "Property mappings"),
    h("datalist", { id: list }, keys.map((key) => h("option", { value: "$source." + key }))),
    h("div.model-scroll", {}, h("table.model-values", { "aria-label": "Property mappings" },
      h("thead", {}, h("tr", {}, heads.map(([text, hidden]) =>
        h("th", { scope: "col" }, text || h("span.model-hidden", {}, hidden))))),
      h("tbody", {}, mapping.properties.map((property) => propertyRow(shown, property, list))))),
    h("p.hint", {},
      "$source is the old object, $destination the new one. FUNCTION($manager, …) asks what another mapping made of objects."));
}

/**
 * @param {Shown} shown
 * @param {MappedProperty} property
 * @param {string} list
 */
function propertyRow(shown, property, list) {
  const { answer, index, at } = shown, { name } = property;
  /** @type {MakeOfText} */
  const command = (text) => ({ do: "value", mapping: at(), property: name, value: text || null });
  const found = answer.checks.filter((check) => check.mapping === index && check.property === name);
  const more = isOpen() && button("", (event) => menu(event.currentTarget, [
    ["Value of the same name", () => edit(() => ({ do: "standard", mapping: at(), property: name }))],
    ["No value", () => edit(() => command(""))],
    ["User info…", () => propertyInfo(shown, property)],
  ]), { icon: "more", label: `More for ${name}`, kind: "quiet", dataset: { key: `${index}/${name}/more` } });
  const info = property.userInfo.map((entry) => `${entry.key} = ${entry.value}`).join("\n");
  return h("tr", {}, h("th", { scope: "row" }, name, info && h("span.badge", { title: info }, "info")),
    h("td", {}, h("span.hint", {}, property.type + (property.isOptional ? "" : " · required"))),
    h("td.wide", {}, typed(`${index}/${name}`, property.value ?? "", command, true,
      { "aria-label": `Value of ${name}`, placeholder: "keeps what new objects have", list }),
      found.map((check) => h("p", { class: check.severity === "error" ? "message" : "model-note" },
        check.message))),
    h("td", {}, more));
}

// User info.

/**
 * @param {Shown} shown
 * @param {MappedProperty} property
 */
function propertyInfo({ at }, { name, userInfo }) {
  const now = () => desk.answer?.mappings[at()]?.properties.find((each) => each.name === name)?.userInfo;
  return dialog(`User info of ${name}`, (close) =>
    h("div.body", {}, entriesView(userInfo, `${name}/info`, async (make) => {
    const done = await edit(() => {
      const entries = now();
      return entries && { do: "userInfo", mapping: at(), property: name, entries: make(entries) };
    });
    if (done) close(true);
    return done;
  }), h("footer", {}, button("Close", () => close(), { kind: "quiet" }))));
}

/** @param {Shown} shown */
function mappingInfo({ mapping, index, at }) {
  return h("section.stack.tight", { "aria-label": "User info" }, h("h3", {}, "User info"),
    entriesView(mapping.userInfo, `${index}/info`, (make) => edit(() => (
      { do: "userInfo", mapping: at(), property: null,
        entries: make(desk.answer?.mappings[at()]?.userInfo ?? []) }))));
}

/**
 * @param {InfoEntry[]} entries
 * @param {string} key
 * @param {(make: (entries: InfoEntry[]) => InfoEntry[]) => Promise<unknown>} change
 */
function entriesView(entries, key, change) {
  const { rows, add } = entryFields(entries, `${desk.file}/${key}`, isOpen(), change);
  return h("div.stack.tight", {}, rows.map((row) => h("div.row.model-pair", {}, row)), add);
}
