// Mapping models: what becomes of each entity and property from one version to another.

import { h, button, select, dialog, field, attempt, ask, toast, debounce, empty, icon, menu, sendTyped } from "./ui.js";
import { get, post } from "./api.js";
import { state, redrawAll, isEditable } from "./model-state.js";

const desk = { list: null, answer: null, file: null, place: 0, problem: null };
let pending = Promise.resolve();

const address = (file) => "#/model/mappings" + (file ? "/" + encodeURIComponent(file) : "");
const isOpen = () => Boolean(desk.answer) && !desk.answer.obstacle;

/** What the tool bar’s buttons are about while a mapping model is shown; null while the list is. */
export function mappingDesk(file) {
  if (!file || desk.file !== file || !desk.answer) return null;
  const { answer } = desk;
  return {
    title: answer.file, isEditable: isOpen(), isUnsaved: answer.isUnsaved, undoLabel: answer.undo, redoLabel: answer.redo,
    undo: () => answer.undo && isOpen() && act("undo"), redo: () => answer.redo && isOpen() && act("redo"), save: () => save(),
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

function loadList() {
  attempt(async () => { desk.list = await get("model/mappings"); redrawAll(); });
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
    return h("form.body", { onsubmit: async (event) => {
      event.preventDefault();
      const answer = await attempt(() => post("model/mappings/new", { name: name.value.trim(), source: from.value, destination: to.value }));
      if (!answer) return;
      Object.assign(desk, { answer, file: answer.file, place: 0, list: null });
      close(true);
      location.hash = address(answer.file);
    } }, field("From version", from), field("To version", to), field("Name", name, { hint: "Entities and properties that have the same name, or a renaming ID, are mapped at once." }),
    h("footer", {}, h("button.primary", { type: "submit" }, "Make mapping model"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

// One mapping model.

function one(file) {
  if (desk.file !== file) {
    Object.assign(desk, { file, answer: null, place: 0, problem: null });
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

async function read(file) {
  try {
    const answer = await get("model/mappings/one", { file });
    if (desk.file === file) desk.answer = answer;
  } catch (error) {
    if (desk.file === file) desk.problem = error.message;
  }
  redrawAll();
}

/** After a refusal: somebody else may have changed it. */
async function lookAgain(file) {
  const answer = await get("model/mappings/one", { file }).catch(() => null);
  if (!answer || desk.file !== file || answer.change === desk.answer.change) return;
  desk.answer = answer;
  redrawAll();
}

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
    return h("form.body", { onsubmit: async (event) => {
      event.preventDefault();
      if (await act("models", { source: from.value, destination: to.value })) close(true);
    } }, field("From version", from), field("To version", to), h("p.hint", {}, "Values of properties that both versions have stay as they are."),
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
    return h("form.body", { onsubmit: async (event) => {
      event.preventDefault();
      if (await edit({ do: "add", source: from.value, destination: to.value })) { desk.place = desk.answer.mappings.length - 1; close(true); redrawAll(); }
    } }, field("Source entity", from, { hint: "None for an entity that is new." }), field("Destination entity", to, { hint: "None for one whose objects are dropped." }),
    h("footer", {}, h("button.primary", { type: "submit" }, "Add mapping"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}

// The fields of a mapping.

function detail(mapping, index) {
  const open = isOpen(), { answer } = desk;
  const choices = (side) => [["", "None"], ...side.entities.map((entity) => [entity.name, entity.name])];
  const known = (list, value) => list.some(([own]) => own === (value ?? "")) ? list : [[value, value], ...list];
  const set = (name) => (value) => ({ do: "set", mapping: index, field: name, value: value || null });
  const pick = (label, name, list, value) => withNotes(field(label, select(known(list, value), value ?? "", { disabled: !open, dataset: { key: `${index}/${name}` }, onchange: (event) => edit(set(name)(event.target.value)) })), index, name);
  const source = answer.source.entities.find((entity) => entity.name === mapping.source);
  return h("section.stack.model-mapping-detail", { "aria-label": `Mapping ${mapping.name}` },
    h("div.row", {}, h("h3.model-title", {}, mapping.name), h("span.spring"), open && button("Move", (event) => move(event.currentTarget, index), { kind: "quiet", label: "Move this mapping in the order", disabled: answer.mappings.length < 2 }),
      open && button("Remove", () => edit({ do: "remove", mapping: index }), { icon: "trash", kind: "danger", label: `Remove the mapping ${mapping.name}` })),
    h("div.fields", {},
      line("Name", `${index}/name`, mapping.name, set("name"), index, "name"),
      pick("Type", "kind", ["Add", "Remove", "Copy", "Transform", "Custom"].map((kind) => [kind, kind]), mapping.kind),
      pick("Source entity", "source", choices(answer.source), mapping.source),
      pick("Destination entity", "destination", choices(answer.destination), mapping.destination),
      mapping.source && mapping.filter !== undefined && line("Filter", `${index}/filter`, mapping.filter, set("filter"), index, "filter", { code: true, hint: "A predicate: only such objects are migrated by this mapping." }),
      mapping.source && mapping.filter === undefined && line("Source expression", `${index}/expression`, mapping.expression ?? "", set("expression"), index, "expression", { code: true, hint: "Empty for all objects of the entity." }),
      line("Custom policy", `${index}/policy`, mapping.policy ?? "", set("policy"), index, "policy", { hint: "A subclass of NSEntityMigrationPolicy, with its module if need be." })),
    mapping.destination && properties(mapping, index, source),
    pairs(mapping.userInfo, null, index));
}

function move(anchor, index) {
  const last = desk.answer.mappings.length - 1;
  const go = async (to) => { if (await edit({ do: "move", mapping: index, to })) { desk.place = to; redrawAll(); } };
  menu(anchor, [index > 0 && ["First", () => go(0)], index > 0 && ["One up", () => go(index - 1)], index < last && ["One down", () => go(index + 1)], index < last && ["Last", () => go(last)]].filter(Boolean));
}

/** A line of text that is checked while it is typed. */
function line(label, key, value, command, index, name, { code = false, hint = null } = {}) {
  return withNotes(field(label, typed(key, value, command, code), { hint }), index, name);
}

function typed(key, value, command, code = true, more = {}) {
  const open = isOpen();
  const input = h("input", {
    type: "text", value, class: code ? "mono" : null, spellcheck: "false", autocomplete: "off", readonly: !open || null, title: value.length > 30 ? value : null, dataset: { key, initial: value }, ...more,
    onchange: () => send(), onkeydown: (event) => {
      if (event.key === "Enter") send();
      if (event.key === "Escape" && input.value !== value) { event.stopPropagation(); input.value = value; told(input, null); }
    },
    oninput: debounce(async () => {
      const text = input.value;
      const trial = await post("model/mappings/try", { file: desk.file, change: desk.answer.change, commands: [command(text)] }).catch(() => null);
      if (input.isConnected && input.value === text) told(input, trial?.refusal ?? null);
    }, 250),
  });
  const send = async () => {
    if (input.value === input.dataset.initial) return;
    const text = input.value;
    input.dataset.initial = text;
    // What isn’t taken stays in the field, with the reason below it.
    const refusal = await edit(command(text), { quietly: true });
    if (refusal && input.isConnected) { input.dataset.initial = value; told(input, refusal); }
  };
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

function properties(mapping, index, source) {
  const open = isOpen(), list = "values-" + index;
  const suggestions = (source?.keys ?? []).map((key) => "$source." + key);
  if (!mapping.properties.length) return h("p.hint", {}, `${mapping.destination} has no stored properties.`);
  return h("section.stack.tight", { "aria-label": "Property mappings" }, h("h3", {}, "Property mappings"),
    h("datalist", { id: list }, suggestions.map((text) => h("option", { value: text }))),
    h("div.model-scroll", {}, h("table.model-values", { "aria-label": "Property mappings" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Property"), h("th", { scope: "col" }, "Type"), h("th", { scope: "col" }, "Value expression"), h("th", { scope: "col" }, h("span.model-hidden", {}, "More")))),
      h("tbody", {}, mapping.properties.map((property) => {
        const command = (text) => ({ do: "value", mapping: index, property: property.name, value: text || null });
        const found = desk.answer.checks.filter((check) => check.mapping === index && check.property === property.name);
        const more = open && button("", () => menu(more, [
          ["Value of the same name", () => edit({ do: "standard", mapping: index, property: property.name })],
          ["No value", () => edit(command(null))],
          ["User info…", () => propertyInfo(property, index)],
        ]), { icon: "more", label: `More for ${property.name}`, kind: "quiet", dataset: { key: `${index}/${property.name}/more` } });
        return h("tr", {}, h("th", { scope: "row" }, property.name, property.userInfo.length > 0 && h("span.badge", { title: property.userInfo.map((entry) => `${entry.key} = ${entry.value}`).join("\n") }, "info")),
          h("td", {}, h("span.hint", {}, property.type + (property.isOptional ? "" : " · required"))),
          h("td.wide", {}, typed(`${index}/${property.name}`, property.value ?? "", command, true, { "aria-label": `Value of ${property.name}`, placeholder: "keeps what new objects have", list }),
            found.map((check) => h("p", { class: check.severity === "error" ? "message" : "model-note" }, check.message))),
          h("td", {}, more));
      })))),
    h("p.hint", {}, "$source is the old object, $destination the new one. FUNCTION($manager, …) asks what another mapping made of objects."));
}

function propertyInfo(property, index) {
  return dialog(`User info of ${property.name}`, (close) => h("div.body", {}, pairsTable(property.userInfo, async (entries) => {
    if (await edit({ do: "userInfo", mapping: index, property: property.name, entries })) close(true);
  }), h("footer", {}, button("Close", () => close(), { kind: "quiet" }))));
}

function pairs(entries, property, index) {
  return h("section.stack.tight", { "aria-label": "User info" }, h("h3", {}, "User info"),
    pairsTable(entries, (changed) => edit({ do: "userInfo", mapping: index, property, entries: changed })));
}

function pairsTable(entries, change) {
  const open = isOpen();
  const other = (at, part) => entries.map((entry, index) => index === at ? { ...entry, ...part } : entry);
  return h("div.stack.tight", {}, entries.map((entry, at) => h("div.row.model-pair", {},
    h("input", { type: "text", value: entry.key, "aria-label": `Key ${at + 1}`, readonly: !open || null, onchange: (event) => change(other(at, { key: event.target.value })) }),
    h("input", { type: "text", value: entry.value, "aria-label": `Value of ${entry.key}`, readonly: !open || null, onchange: (event) => change(other(at, { value: event.target.value })) }),
    open && button("", () => change(entries.filter((_, index) => index !== at)), { icon: "remove", label: `Remove ${entry.key}`, kind: "quiet" }))),
  open && h("div", {}, button("Add entry", () => change([...entries, { key: `key${entries.length + 1}`, value: "" }]), { icon: "add" })));
}

// Sending.

/** One edit. Gives true if it was done; with `quietly` the reason why it wasn’t, or null. */
function edit(command, { quietly = false } = {}) {
  const before = pending, file = desk.file;
  const done = (async () => {
    await before;
    try {
      desk.answer = await post("model/mappings/edit", { file, change: desk.answer.change, commands: [command] });
      redrawAll();
      return quietly ? null : true;
    } catch (error) {
      lookAgain(file);
      if (quietly) return error.message;
      toast(error.message, "error");
      return false;
    }
  })();
  pending = done;
  return done;
}

async function act(what, body = {}) {
  await pending;
  const file = desk.file;
  return attempt(async () => {
    if (what === "discard-reload") {
      await post("model/mappings/discard", { file });
      desk.answer = await get("model/mappings/one", { file });
    } else desk.answer = await post("model/mappings/" + what, { file, ...body });
    redrawAll();
    return true;
  });
}

async function save(overwrite = false) {
  sendTyped();
  await pending;
  const file = desk.file;
  if (!desk.answer.isUnsaved || !isOpen()) return;
  try {
    desk.answer = await post("model/mappings/save", { file, overwrite });
    toast("Saved.", "good");
    redrawAll();
  } catch (error) {
    if (error.status !== 409) { toast(error.message, "error"); return; }
    const answer = await ask("The mapping model’s file changed", "Another program wrote it after it was opened here.", [
      ["reload", "Load theirs and drop my edits", "danger"], ["overwrite", "Write mine over theirs", "danger"], [null, "Not now", "quiet"]]);
    if (answer === "reload") await act("discard-reload");
    if (answer === "overwrite") await save(true);
  }
}
