// The predicate of a grid: as text with completion and the place of mistakes, and as rows and groups, in step.

import { h, show, button, select, attempt, toast, debounce, prompt, icon, unique } from "./ui.js";
import { get, post } from "./api.js";

const operators = ["==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "BETWEEN"];
const textual = new Set(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "==", "!="]);

/** The panel; `state.predicate` and `state.variables` are what the grid asks for, `apply()` asks. */
export function predicatePanel(entity, state, world, apply) {
  const list = h("ul.completion", { role: "listbox", id: "completion-" + unique(), "aria-label": "Suggestions", hidden: true });
  const input = h("input.predicate.mono", {
    type: "text", value: state.predicate, placeholder: "Predicate, as in name BEGINSWITH[c] \"a\"", "aria-label": "Predicate", spellcheck: "false", autocomplete: "off",
    role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id,
    oninput: () => { complete(); check(); }, onkeydown: keys, onblur: () => setTimeout(closeList, 150), onfocus: () => {},
  });
  const message = h("div.predicate-message", { role: "status" });
  const variables = h("div.row.variables", {});
  const builder = h("div.builder", { hidden: true, role: "group", "aria-label": "Predicate builder" });
  const toggle = button("Builder", () => openBuilder(builder.hidden), { icon: "filter", "aria-expanded": "false" });
  const element = h("section.predicate-panel", { "aria-label": "Filter" },
    h("div.row.predicate-line", {}, h("div.predicate-box", {}, input, list), button("Apply", () => run(), { title: "Apply (Return)" }),
      button("", () => { setText(""); run(); }, { icon: "close", kind: "quiet", label: "Clear the predicate" }), toggle,
      world.overview.canSaveTemplate && button("Save as template…", () => saveTemplate(), { kind: "quiet" })),
    message, variables, builder);
  let form = null, formText = null, chosen = -1, suggestions = null, turn = 0;

  function setText(text) {
    input.value = text;
    drawMistake(null);
  }

  async function run() {
    state.predicate = input.value.trim();
    closeList();
    apply();
    if (!builder.hidden) await readForm();
  }

  // MARK: Mistakes

  function drawMistake(mistake) {
    input.toggleAttribute("aria-invalid", Boolean(mistake));
    if (!mistake) { show(message); return; }
    const text = [...input.value], at = Math.min(mistake.position, text.length), length = Math.max(1, mistake.length);
    show(message, h("pre.where", { "aria-hidden": "true" }, text.slice(Math.max(0, at - 40), at).join(""), h("mark", {}, text.slice(at, at + length).join("") || "\u00a0"), text.slice(at + length, at + length + 40).join("")),
      h("p.message", { id: "predicate-mistake" }, `${mistake.message} (at character ${mistake.position + 1})`));
  }

  const check = debounce(async () => {
    const mine = ++turn;
    const text = input.value;
    let answer;
    try { answer = await post("data/predicate/parse", { entity: entity.name, text }); } catch { return; }
    if (mine !== turn || text !== input.value) return;
    drawMistake(answer.error ?? null);
    if (answer.error) return;
    drawVariables(answer.variables ?? []);
    if (!builder.hidden && text !== formText) { form = group(answer.form); formText = text; drawBuilder(); }
  }, 250);

  function drawVariables(names) {
    for (const name of Object.keys(state.variables)) if (!names.includes(name)) delete state.variables[name];
    show(variables, names.map((name) => {
      const value = h("input.mono", { type: "text", value: state.variables[name] ?? "", "aria-label": `Value of $${name}`, placeholder: "value, as in \"abc\" or 5",
        onchange: () => { state.variables[name] = value.value; }, onkeydown: (event) => { if (event.key === "Enter") { state.variables[name] = value.value; run(); } } });
      return h("label.row", {}, h("span.mono", {}, "$" + name), value);
    }));
  }

  // MARK: Completion

  const complete = debounce(async () => {
    const cursor = [...input.value.slice(0, input.selectionStart)].length;
    let answer;
    try { answer = await post("data/predicate/complete", { entity: entity.name, text: input.value, cursor }); } catch { return; }
    if (document.activeElement !== input) return;
    suggestions = answer;
    chosen = -1;
    drawList();
  }, 120);

  function drawList() {
    const items = suggestions?.items ?? [];
    show(list, items.map((item, index) => h("li", { role: "option", id: `${list.id}-${index}`, "aria-selected": String(index === chosen), onpointerdown: (event) => { event.preventDefault(); take(index); } },
      h("code", {}, item.text), h("span.spring"), h("span.dim", {}, item.help || item.kind))));
    list.hidden = items.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    if (chosen >= 0) input.setAttribute("aria-activedescendant", `${list.id}-${chosen}`); else input.removeAttribute("aria-activedescendant");
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function closeList() { suggestions = null; chosen = -1; drawList(); }

  function take(index) {
    const item = suggestions.items[index];
    const text = [...input.value];
    const before = text.slice(0, suggestions.start).join(""), after = text.slice(suggestions.start + suggestions.length).join("");
    const gap = item.text.endsWith("(") || after.startsWith(" ") ? "" : " ";
    input.value = before + item.text + gap + after;
    const place = (before + item.text + gap).length;
    input.setSelectionRange(place, place);
    closeList();
    input.focus();
    complete();
    check();
  }

  function keys(event) {
    const count = suggestions?.items?.length ?? 0;
    if (event.key === "ArrowDown" && count) { chosen = (chosen + 1) % count; drawList(); }
    else if (event.key === "ArrowUp" && count) { chosen = (chosen - 1 + count) % count; drawList(); }
    else if (event.key === "Tab" && count && chosen >= 0) take(chosen);
    else if (event.key === "Enter") { if (chosen >= 0) take(chosen); else run(); }
    else if (event.key === "Escape" && count) closeList();
    else if (event.key === " " && event.ctrlKey) complete();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // MARK: Builder

  const group = (tree) => tree.type === "row" || tree.type === "text" || tree.type === "not" && tree.parts.length !== 1 ? { type: "and", parts: [tree] } : tree;

  async function openBuilder(isOpen) {
    builder.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    toggle.setAttribute("aria-pressed", String(isOpen));
    if (isOpen) await readForm();
  }

  async function readForm() {
    const answer = await attempt(() => post("data/predicate/parse", { entity: entity.name, text: input.value }));
    if (!answer) return;
    drawMistake(answer.error ?? null);
    if (answer.error) { show(builder, h("p.hint", {}, "The builder shows the predicate once its text is right.")); return; }
    form = group(answer.form);
    formText = input.value;
    drawVariables(answer.variables ?? []);
    drawBuilder();
  }

  /** The rows changed: the text follows. */
  const write = debounce(async () => {
    let answer;
    try { answer = await post("data/predicate/print", { entity: entity.name, form }); } catch (error) { show(message, h("p.message", {}, error.message)); return; }
    setText(answer.text);
    formText = answer.text;
    drawVariables(answer.variables);
    state.predicate = answer.text;
    if (!answer.variables.length) apply();
  }, 200);

  const newRow = () => ({ type: "row", modifier: "", left: { kind: "key", text: entity.titleKey ?? entity.attributes[0]?.key ?? "SELF" }, op: "==", options: "", right: { kind: "constant", type: "text", text: "" } });

  function drawBuilder() { show(builder, drawGroup(form, null)); }

  function drawGroup(node, remove) {
    const isNot = node.type === "not";
    const inner = isNot ? (["and", "or"].includes(node.parts[0]?.type) ? node.parts[0] : { type: "and", parts: node.parts }) : node;
    const kinds = [["and", "All of these"], ["or", "Any of these"], ["nand", "Not all of these"], ["nor", "None of these"]];
    const kind = (isNot ? "n" : "") + inner.type;
    const choose = select(kinds, kind, { "aria-label": "Kind of group", onchange: () => {
      const parts = inner.parts, own = choose.value.replace(/^n/, "");
      Object.keys(node).forEach((key) => delete node[key]);
      if (choose.value.startsWith("n")) Object.assign(node, { type: "not", parts: [{ type: own, parts }] }); else Object.assign(node, { type: own, parts });
      drawBuilder();
      write();
    } });
    const changed = () => { if (isNot) node.parts = [inner]; drawBuilder(); write(); };
    return h("fieldset.group", {}, h("legend.row", {}, choose,
      button("Row", () => { inner.parts.push(newRow()); if (isNot) node.parts = [inner]; drawBuilder(); write(); }, { icon: "add", kind: "quiet", label: "Add a row" }),
      button("Group", () => { inner.parts.push({ type: inner.type === "and" ? "or" : "and", parts: [newRow()] }); changed(); }, { icon: "add", kind: "quiet", label: "Add a group" }),
      remove && button("", remove, { icon: "close", kind: "quiet", label: "Remove the group" })),
    inner.parts.length === 0 && h("p.hint", {}, "No rows: everything is shown."),
    inner.parts.map((part, index) => {
      const drop = () => { inner.parts.splice(index, 1); changed(); };
      return ["and", "or", "not"].includes(part.type) ? drawGroup(part, drop) : drawRow(part, drop);
    }));
  }

  function drawRow(row, remove) {
    if (row.type === "text") return h("div.row.rule", {}, h("input.mono.wide", { type: "text", value: row.text, "aria-label": "Condition", onchange: (event) => { row.text = event.target.value; write(); } }), button("", remove, { icon: "close", kind: "quiet", label: "Remove the row" }));
    const options = h("span.row.options", {});
    const drawOptions = () => show(options, textual.has(row.op) && [["c", "Aa", "Ignore case"], ["d", "Áa", "Ignore accents"]].map(([letter, text, title]) =>
      button(text, (event) => { row.options = row.options.includes(letter) ? row.options.replace(letter, "") : row.options + letter; event.currentTarget.setAttribute("aria-pressed", String(row.options.includes(letter))); write(); }, { kind: "quiet", title, label: title, "aria-pressed": String(row.options.includes(letter)) })));
    drawOptions();
    const isMany = row.left.kind === "key" && row.left.text.includes(".");
    return h("div.row.rule", {},
      (isMany || row.modifier) && select([["", "–"], "ANY", "ALL"], row.modifier, { "aria-label": "Modifier", onchange: (event) => { row.modifier = event.target.value; write(); } }),
      operand(row, "left"), select(operators, row.op, { "aria-label": "Operator", onchange: (event) => { row.op = event.target.value; drawOptions(); write(); } }), options, operand(row, "right"),
      button("", remove, { icon: "close", kind: "quiet", label: "Remove the row" }));
  }

  function operand(row, side) {
    const place = h("span.row.operand", {});
    const draw = () => {
      const own = row[side];
      const kind = select([["constant", "Value"], ["key", "Key"], ["variable", "Variable"], ["expression", "Expression"]], own.kind, { "aria-label": side === "left" ? "Left side" : "Right side", class: "kind",
        onchange: () => { row[side] = kind.value === "constant" ? { kind: "constant", type: guessType(row), text: "" } : { kind: kind.value, text: kind.value === "key" ? entity.titleKey ?? "SELF" : kind.value === "variable" ? "value" : "0" }; draw(); write(); } });
      show(place, kind, control(own, row));
    };
    draw();
    return place;
  }

  function control(own, row) {
    if (own.kind === "key") {
      const keys = [...entity.attributes.map((field) => field.key), ...entity.relationships.map((field) => field.key), "SELF"];
      const known = keys.includes(own.text) ? keys : [own.text, ...keys];
      const id = "keys-" + unique();
      const field = h("input.mono", { type: "text", value: own.text, list: id, "aria-label": "Key", onchange: () => { own.text = field.value.trim(); write(); } });
      return [field, h("datalist", { id }, known.map((key) => h("option", { value: key })))];
    }
    if (own.kind !== "constant") return h("input.mono", { type: "text", value: own.text, "aria-label": own.kind === "variable" ? "Variable’s name" : "Expression", onchange: (event) => { own.text = event.target.value; write(); } });
    const type = select([["text", "text"], ["number", "number"], ["date", "date"], ["boolean", "yes/no"], ["nil", "nil"]], own.type, { "aria-label": "Type of value", onchange: () => { own.type = type.value; if (own.type === "boolean") own.text = "YES"; drawBuilder(); write(); } });
    if (own.type === "nil") return type;
    if (own.type === "boolean") return [type, select([["YES", "yes"], ["NO", "no"]], own.text.toUpperCase() === "NO" ? "NO" : "YES", { "aria-label": "Value", onchange: (event) => { own.text = event.target.value; write(); } })];
    return [type, h("input", { type: "text", value: own.text, "aria-label": "Value", placeholder: own.type === "date" ? "2024-05-01" : "", onchange: (event) => { own.text = event.target.value; write(); } })];
  }

  function guessType(row) {
    const field = entity.attributes.find((field) => field.key === row.left.text);
    return { number: "number", decimal: "number", date: "date", boolean: "boolean" }[field?.kind] ?? "text";
  }

  async function saveTemplate() {
    const name = await prompt("Save as fetch request template", "Name");
    if (!name) return;
    const text = input.value;
    await attempt(async () => {
      const parsed = await post("data/predicate/parse", { entity: entity.name, text });
      if (parsed.error) throw new Error(parsed.error.message);
      const model = await get("model");
      await post("model/edit", { version: model.version, commands: [{ do: "add", kind: "fetchRequest", name, values: { entity: entity.name, predicateString: text } }] });
      // Edits that somebody hasn't saved yet are theirs to save.
      if (!model.isUnsaved) await post("model/save", { version: model.version });
      toast(model.isUnsaved ? `${name} is added to the model, which has other unsaved edits: save it there.` : `Saved in the model as ${name}.`, "good");
    });
  }

  return {
    element,
    set: setText,
    /** What the server said about the predicate that was applied. */
    fail(error) {
      if (error?.details?.position !== undefined) drawMistake({ message: error.message, position: Number(error.details.position), length: Number(error.details.length) });
      else if (error?.details?.variable !== undefined) post("data/predicate/parse", { entity: entity.name, text: input.value }).then((answer) => drawVariables(answer.variables ?? []), () => {});
      else if (!error) drawMistake(null);
    },
  };
}
