// Mapping models: what becomes of each entity and property from one version to another.

import { h, button, select, dialog, field, attempt, ask, toast, debounce, empty, icon, menu } from "./ui.js";
import { get, post } from "./api.js";
import { state, redrawAll, inTurn, settle, isEditable } from "./model-state.js";
import { typing, entryFields, submitting } from "./model-typing.js";

/** What the server said last of each mapping model. */
const answers = new Map();
const desk = { list: null, file: null, place: 0, problem: null, get answer() { return answers.get(this.file) ?? null; } };

const address = (file) => "#/model/mappings" + (file ? "/" + encodeURIComponent(file) : "");
const isOpen = () => Boolean(desk.answer) && !desk.answer.obstacle;

/** What the tool bar’s buttons are about while a mapping model is shown; null while the list is. */
export function mappingDesk(file) {
  if (!file || desk.file !== file || !desk.answer) return null;
  const { answer } = desk;
  return {
    title: answer.file, isEditable: isOpen(), isUnsaved: answer.isUnsaved, undoLabel: answer.undo, redoLabel: answer.redo,
    undo: () => step("undo"), redo: () => step("redo"), save: () => save(),
  };
}

// The list.

export function mappings(file) {
  if (file) return one(file);
  if (!desk.list) { loadList(); return h("p.empty", {}, "Reading…"); }
  const { items, versions, obstacle, folder } = desk.list;
  if (obstacle) return empty(obstacle);
  const add = isEditable() && button("New mapping model…", addMapping, { icon: "add", kind: items.length ? null : "primary" });
  if (!items.length) {
    return empty("A mapping model says what becomes of each entity and property where a migration can’t be inferred. There is none beside the model yet.",
      versions.length > 1 ? add : h("p.hint", {}, "It leads from one version of the model to another: " + (state.answer.isVersioned ? "add a version first." : "a single .xcdatamodel has but one.")));
  }
  return h("div.pad.stack", {}, h("div.model-group", {}, h("h3", {}, "Mapping models"), add),
    h("div.model-scroll", {}, h("table", { "aria-label": "Mapping models" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "File"), h("th", { scope: "col" }, "State"))),
      h("tbody", {}, items.map((item) => h("tr", {}, h("th", { scope: "row" }, item.problem ? item.file : h("a", { href: address(item.file) }, item.file)),
        h("td", {}, item.isUnsaved && h("span.badge.warn", {}, "unsaved"), item.problem ? h("span.model-wrong", {}, item.problem) : item.obstacle && h("span.hint", {}, item.file.endsWith(".cdm") ? "compiled" : "read-only"))))))),
    h("p.hint", {}, `In ${folder}. A store is migrated by one with `, h("code", {}, "coredata migrate STORE --to MODEL --mapping FILE"), "."));
}

/** Asked anew whenever the list is gone to. */
export function forgetList() { desk.list = null; }

let asked = 0;
function loadList() {
  const mine = ++asked;
  attempt(async () => {
    const list = await get("model/mappings");
    if (mine !== asked) return;
    desk.list = list;
    redrawAll();
  });
}

function addMapping() {
  const { versions } = desk.list;
  const current = state.answer.versions.find((version) => version.isCurrent)?.name ?? versions.at(-1);
  const before = versions[versions.indexOf(current) - 1] ?? versions.find((version) => version !== current) ?? current;
  return dialog("New mapping model", (close) => {
    const from = select(versions, before), to = select(versions, current);
    const name = h("input", { type: "text", autofocus: true });
    const suggest = () => { name.value = `${from.value}To${to.value}`.replace(/\s+/g, ""); };
    let isOwn = false;
    name.addEventListener("input", () => { isOwn = true; });
    for (const list of [from, to]) list.addEventListener("change", () => { if (!isOwn) suggest(); });
    suggest();
    return h("form.body", { onsubmit: submitting(async () => {
      const answer = await inTurn(() => post("model/mappings/new", { name: name.value.trim(), source: from.value, destination: to.value }));
      if (!answer) return;
      answers.set(answer.file, answer);
      Object.assign(desk, { file: answer.file, place: 0, problem: null, list: null });
      close(true);
      location.hash = address(answer.file);
    }) }, field("From version", from), field("To version", to), field("Name", name, { hint: "Entities and properties that have the same name, or a renaming ID, are mapped at once." }),
    h("footer", {}, h("button.primary", { type: "submit" }, "Make mapping model"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

// One mapping model.

function one(file) {
  if (desk.file !== file) {
    Object.assign(desk, { file, place: 0, problem: null });
    read(file);
  }
  if (desk.problem) return empty(desk.problem, h("a", { href: address() }, "All mapping models"));
  if (!desk.answer) return h("p.empty", {}, "Reading…");
  const { answer } = desk;
  desk.place = Math.max(0, Math.min(desk.place, answer.mappings.length - 1));
  const general = answer.checks.filter((check) => check.mapping === undefined);
  return h("div.pad.stack", {},
    h("div.row", {}, h("a", { href: address() }, "Mapping models"), h("span.dim", { "aria-hidden": "true" }, "›"), h("h2", {}, answer.file)),
    answer.obstacle && h("p.model-banner", {}, answer.obstacle),
    answer.isChangedOnDisk && h("p.model-banner.warn", {}, "Another program changed the file. ", button("Load it", () => act("discard-reload"))),
    sides(answer), general.map((check) => note(check)),
    answer.mappings.length || isOpen()
      ? h("div.model-mapping", {}, listOf(answer), answer.mappings.length ? detail(answer.mappings[desk.place], desk.place) : empty("No entity is mapped yet.", button("Add mapping…", addEntity, { icon: "add" })))
      : empty("No entity is mapped."));
}

/** Reads it anew, once what was sent is answered. */
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

addEventListener("focus", () => { if (desk.answer && location.hash.startsWith(address(desk.file))) read(desk.file); });

function sides(answer) {
  if (!answer.source.entities.length) return null;
  const stale = [[answer.source, "from"], [answer.destination, "to"]].filter(([side]) => !side.version).map(([, word]) => word);
  const words = (side) => side.version ? h("strong", {}, side.version) : h("span.badge.warn", {}, "no version as it is now");
  return h("div.row", {}, h("span", {}, "From ", words(answer.source), " to ", words(answer.destination)),
    isOpen() && button("Versions…", chooseVersions, { kind: "quiet", label: "Choose the versions" }),
    stale.length > 0 && h("span.hint", {}, "The model was edited since this was made: choose the versions again, so that it fits them."));
}

function chooseVersions() {
  const names = state.answer.versions.map((version) => version.name);
  const { answer } = desk;
  return dialog("Versions of the mapping model", (close) => {
    const from = select(names, answer.source.version ?? names[0]), to = select(names, answer.destination.version ?? names.at(-1));
    return h("form.body", { onsubmit: submitting(async () => {
      if (await act("models", { source: from.value, destination: to.value })) close(true);
    }) }, field("From version", from), field("To version", to), h("p.hint", {}, "Values of properties that both versions have stay as they are."),
    h("footer", {}, h("button.primary", { type: "submit" }, "Take these versions"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

const note = (check) => h("p", { class: check.severity === "error" ? "message model-wrong" : "model-note" }, icon("warning"), " ", check.message);

function listOf(answer) {
  const worst = (index) => ["error", "warning"].find((kind) => answer.checks.some((check) => check.mapping === index && check.severity === kind));
  return h("section.stack.tight", { "aria-label": "Entity mappings" },
    h("div.model-group", {}, h("h3", {}, "Entity mappings"), isOpen() && button("", addEntity, { icon: "add", label: "Add mapping", kind: "quiet" })),
    h("ul.list.model-mappings", {}, answer.mappings.map((mapping, index) => h("li", {}, h("button", {
      type: "button", "aria-current": index === desk.place ? "true" : null, dataset: { key: "mapping" + index },
      onclick: () => { desk.place = index; redrawAll(); },
    }, h("span.model-name", {}, mapping.name), worst(index) && h("span.dot", { class: worst(index), title: worst(index) }, h("span.model-hidden", {}, worst(index))), h("span.count", {}, mapping.kind))))));
}

function addEntity() {
  const { answer } = desk;
  const choices = (side) => [["", "None"], ...side.entities.map((entity) => [entity.name, entity.name])];
  return dialog("Add mapping", (close) => {
    const from = select(choices(answer.source), ""), to = select(choices(answer.destination), "");
    return h("form.body", { onsubmit: submitting(async () => {
      if (await edit(() => ({ do: "add", source: from.value, destination: to.value }))) { desk.place = desk.answer.mappings.length - 1; close(true); redrawAll(); }
    }) }, field("Source entity", from, { hint: "None for an entity that is new." }), field("Destination entity", to, { hint: "None for one whose objects are dropped." }),
    h("footer", {}, h("button.primary", { type: "submit" }, "Add mapping"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

// The fields of a mapping.

/** Where a mapping is by the time that an edit of it is sent, as others may have come and gone; -1 where it is gone. */
function placing(mapping, index) {
  const { file } = desk, { length } = desk.answer.mappings;
  return () => {
    const { mappings } = answers.get(file) ?? { mappings: [] };
    if (mappings[index]?.name === mapping.name) return index;
    const found = mappings.findIndex((each) => each.name === mapping.name);
    return found < 0 && mappings.length === length ? index : found;
  };
}

function detail(mapping, index) {
  const at = placing(mapping, index);
  const open = isOpen(), { answer } = desk;
  const choices = (side) => [["", "None"], ...side.entities.map((entity) => [entity.name, entity.name])];
  const known = (list, value) => list.some(([own]) => own === (value ?? "")) ? list : [[value, value], ...list];
  const set = (name) => (value) => ({ do: "set", mapping: at(), field: name, value: value || null });
  const pick = (label, name, list, value) => withNotes(field(label, select(known(list, value), value ?? "", { disabled: !open, dataset: { key: `${index}/${name}` }, onchange: ({ target: { value } }) => edit(() => set(name)(value)) })), index, name);
  const source = answer.source.entities.find((entity) => entity.name === mapping.source);
  return h("section.stack.model-mapping-detail", { "aria-label": `Mapping ${mapping.name}` },
    h("div.row", {}, h("h3.model-title", {}, mapping.name), h("span.spring"), open && button("Move", (event) => move(event.currentTarget, index, at), { kind: "quiet", label: "Move this mapping in the order", disabled: answer.mappings.length < 2 }),
      open && button("Remove", () => edit(() => ({ do: "remove", mapping: at() })), { icon: "trash", kind: "danger", label: `Remove the mapping ${mapping.name}` })),
    h("div.fields", {},
      line("Name", `${index}/name`, mapping.name, set("name"), index, "name"),
      pick("Type", "kind", ["Add", "Remove", "Copy", "Transform", "Custom"].map((kind) => [kind, kind]), mapping.kind),
      pick("Source entity", "source", choices(answer.source), mapping.source),
      pick("Destination entity", "destination", choices(answer.destination), mapping.destination),
      mapping.source && mapping.filter !== undefined && line("Filter", `${index}/filter`, mapping.filter, set("filter"), index, "filter", { code: true, hint: "A predicate: only such objects are migrated by this mapping." }),
      mapping.source && mapping.filter === undefined && line("Source expression", `${index}/expression`, mapping.expression ?? "", set("expression"), index, "expression", { code: true, hint: "Empty for all objects of the entity." }),
      line("Custom policy", `${index}/policy`, mapping.policy ?? "", set("policy"), index, "policy", { hint: "A subclass of NSEntityMigrationPolicy, with its module if need be." })),
    mapping.destination && properties(mapping, index, source, at),
    pairs(mapping, index, at));
}

function move(anchor, index, at) {
  const last = desk.answer.mappings.length - 1;
  const go = async (to) => { if (await edit(() => ({ do: "move", mapping: at(), to }))) { desk.place = to; redrawAll(); } };
  menu(anchor, [index > 0 && ["First", () => go(0)], index > 0 && ["One up", () => go(index - 1)], index < last && ["One down", () => go(index + 1)], index < last && ["Last", () => go(last)]].filter(Boolean));
}

/** A line of text that is checked while it is typed. */
function line(label, key, value, command, index, name, { code = false, hint = null } = {}) {
  return withNotes(field(label, typed(key, value, command, code), { hint }), index, name);
}

function typed(key, value, command, code = true, more = {}) {
  const input = h("input", {
    type: "text", class: code ? "mono" : null, readonly: !isOpen() || null, title: value.length > 30 ? value : null,
    // What isn’t taken stays in the field, with the reason below it.
    ...typing(`${desk.file}/${key}`, value, async (text) => !(await edit(() => command(text), { quietly: true }))),
    oninput: debounce(async () => {
      const text = input.value;
      if (!input.isConnected) return;
      const trial = text === value ? null : await post("model/mappings/try", { file: desk.file, change: desk.answer.change, commands: [command(text)] }).catch(() => null);
      if (input.isConnected && input.value === text) told(input, trial?.refusal ?? null);
    }, 250), ...more,
  });
  return input;
}

function told(input, text) {
  const box = input.closest(".field");
  if (box?.say) { box.say(text); return; }
  const cell = input.closest("td");
  cell?.querySelector(".message.typed")?.remove();
  if (text) { cell?.append(h("p.message.typed", { role: "alert" }, text)); input.setAttribute("aria-invalid", "true"); } else input.removeAttribute("aria-invalid");
}

function withNotes(box, index, name) {
  const found = desk.answer.checks.filter((check) => check.mapping === index && check.field === name && !check.property);
  const errors = found.filter((check) => check.severity === "error"), others = found.filter((check) => check.severity !== "error");
  if (errors.length) box.say(errors.map((check) => check.message).join(" "));
  if (others.length) box.append(h("p.model-note", {}, icon("warning"), others.map((check) => check.message).join(" ")));
  return box;
}

function properties(mapping, index, source, at) {
  const open = isOpen(), list = "values-" + index;
  const suggestions = (source?.keys ?? []).map((key) => "$source." + key);
  if (!mapping.properties.length) return h("p.hint", {}, `${mapping.destination} has no stored properties.`);
  return h("section.stack.tight", { "aria-label": "Property mappings" }, h("h3", {}, "Property mappings"),
    h("datalist", { id: list }, suggestions.map((text) => h("option", { value: text }))),
    h("div.model-scroll", {}, h("table.model-values", { "aria-label": "Property mappings" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Property"), h("th", { scope: "col" }, "Type"), h("th", { scope: "col" }, "Value expression"), h("th", { scope: "col" }, h("span.model-hidden", {}, "More")))),
      h("tbody", {}, mapping.properties.map((property) => {
        const command = (text) => ({ do: "value", mapping: at(), property: property.name, value: text || null });
        const found = desk.answer.checks.filter((check) => check.mapping === index && check.property === property.name);
        const more = open && button("", () => menu(more, [
          ["Value of the same name", () => edit(() => ({ do: "standard", mapping: at(), property: property.name }))],
          ["No value", () => edit(() => command(null))],
          ["User info…", () => propertyInfo(property, at)],
        ]), { icon: "more", label: `More for ${property.name}`, kind: "quiet", dataset: { key: `${index}/${property.name}/more` } });
        return h("tr", {}, h("th", { scope: "row" }, property.name, property.userInfo.length > 0 && h("span.badge", { title: property.userInfo.map((entry) => `${entry.key} = ${entry.value}`).join("\n") }, "info")),
          h("td", {}, h("span.hint", {}, property.type + (property.isOptional ? "" : " · required"))),
          h("td.wide", {}, typed(`${index}/${property.name}`, property.value ?? "", command, true, { "aria-label": `Value of ${property.name}`, placeholder: "keeps what new objects have", list }),
            found.map((check) => h("p", { class: check.severity === "error" ? "message" : "model-note" }, check.message))),
          h("td", {}, more));
      })))),
    h("p.hint", {}, "$source is the old object, $destination the new one. FUNCTION($manager, …) asks what another mapping made of objects."));
}

function propertyInfo(property, at) {
  const now = () => desk.answer.mappings[at()]?.properties.find((each) => each.name === property.name)?.userInfo;
  return dialog(`User info of ${property.name}`, (close) => h("div.body", {}, pairsTable(property.userInfo, `${property.name}/info`, async (make) => {
    const done = await edit(() => now() && { do: "userInfo", mapping: at(), property: property.name, entries: make(now()) });
    if (done) close(true);
    return done;
  }), h("footer", {}, button("Close", () => close(), { kind: "quiet" }))));
}

function pairs(mapping, index, at) {
  return h("section.stack.tight", { "aria-label": "User info" }, h("h3", {}, "User info"),
    pairsTable(mapping.userInfo, `${index}/info`, (make) => edit(() => ({ do: "userInfo", mapping: at(), property: null, entries: make(desk.answer.mappings[at()]?.userInfo ?? []) }))));
}

/** `change(make)` sends what `make` makes of the entries as they are then. */
function pairsTable(entries, key, change) {
  const { rows, add } = entryFields(entries, `${desk.file}/${key}`, isOpen(), change);
  return h("div.stack.tight", {}, rows.map((row) => h("div.row.model-pair", {}, row)), add);
}

// Sending: in turn with what is sent of the model, since mapping models are made of it.

/** One edit, made when it is its turn. Gives true if it was done; with `quietly` the reason why it wasn’t, or null. */
function edit(make, { quietly = false } = {}) {
  const { file } = desk;
  return inTurn(async () => {
    const command = answers.has(file) && make();
    if (!command || command.mapping < 0) return quietly ? null : false;
    try {
      answers.set(file, await post("model/mappings/edit", { file, change: answers.get(file).change, commands: [command] }));
      return quietly ? null : true;
    } catch (error) {
      // Somebody else may have changed it.
      await get("model/mappings/one", { file }).then((answer) => answers.set(file, answer), () => {});
      if (quietly) return error.message;
      toast(error.message, "error");
      return false;
    } finally {
      redrawAll();
    }
  });
}

const act = (what, body = {}) => request(desk.file, what, body);

/** Asks for something else in turn. Gives the answer, or undefined if it was refused or `isWanted` says no. */
function request(file, what, body = {}, isWanted = () => true) {
  return inTurn(async () => {
    if (!answers.has(file) || !isWanted(answers.get(file))) return undefined;
    if (what === "discard-reload") {
      await post("model/mappings/discard", { file });
      answers.set(file, await get("model/mappings/one", { file }));
    } else answers.set(file, await post("model/mappings/" + what, { file, ...body }));
    redrawAll();
    return answers.get(file);
  });
}

async function step(what) {
  const { file } = desk;
  if (!isOpen()) return;
  await settle();
  await request(file, what, {}, (answer) => answer[what]);
}

async function save(overwrite = false) {
  const { file } = desk;
  if (!isOpen()) return;
  await settle();
  const isConflict = await inTurn(async () => {
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
  });
  if (!isConflict) return;
  const answer = await ask("The mapping model’s file changed", "Another program wrote it after it was opened here.", [
    ["reload", "Load theirs and drop my edits", "danger"], ["overwrite", "Write mine over theirs", "danger"], [null, "Not now", "quiet"]]);
  if (answer === "reload") await request(file, "discard-reload");
  if (answer === "overwrite") await save(true);
}
