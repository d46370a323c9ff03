// The predicate of a grid: as text with completion and the place of mistakes, and as rows and groups, in step.

import { h, show, button, attempt, toast, debounce, prompt, unique } from "./ui.js";
import { get, post } from "./api.js";
import { visible } from "./data-values.js";
import { pickObject } from "./data-picker.js";
import { predicateBuilder } from "./data-builder.js";

/** The panel; `state.predicate` and `state.variables` are what the grid asks for, `apply()` asks. */
export function predicatePanel(entity, state, world, apply) {
  const list = h("ul.completion", { role: "listbox", id: "completion-" + unique(), "aria-label": "Suggestions", hidden: true });
  const input = h("input.predicate.mono", {
    type: "text", value: state.predicate, placeholder: "Predicate, as in name BEGINSWITH[c] \"a\"", "aria-label": "Predicate", spellcheck: "false", autocomplete: "off",
    role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id,
    oninput: () => { applied = null; complete(); check(); }, onkeydown: keys, onblur: () => setTimeout(closeList, 150), onfocus: () => {},
  });
  const message = h("div.predicate-message", { role: "status" });
  const variables = h("div.row.variables", {});
  const builder = predicateBuilder(entity, () => write(), pick);
  const toggle = button("Builder", () => openBuilder(builder.element.hidden), { icon: "filter", "aria-expanded": "false" });
  const element = h("section.predicate-panel", { "aria-label": "Filter" },
    h("div.row.predicate-line", {}, h("div.predicate-box", {}, input, list), button("Apply", () => run(), { title: "Apply (Return)" }),
      button("", () => { setText(""); run(); }, { icon: "close", kind: "quiet", label: "Clear the predicate" }), toggle,
      world.overview.canSaveTemplate && button("Save as template…", () => saveTemplate(), { kind: "quiet" })),
    message, variables, builder.element);
  let known = {}, formText = null, applied = null, drawnVariables = "[]", chosen = -1, suggestions = null, turn = 0;

  function setText(text) {
    input.value = text;
    drawMistake(null);
  }

  async function run() {
    state.predicate = input.value.trim();
    applied = input.value;
    closeList();
    apply();
    if (!builder.element.hidden && input.value !== formText) await readForm();
  }

  // MARK: Mistakes

  function drawMistake(mistake) {
    if (mistake) input.setAttribute("aria-invalid", "true"); else input.removeAttribute("aria-invalid");
    if (mistake) input.setAttribute("aria-describedby", "predicate-mistake"); else input.removeAttribute("aria-describedby");
    if (!mistake) { show(message); return; }
    const text = [...input.value], at = Math.min(mistake.position, text.length), length = Math.max(1, mistake.length);
    show(message, h("pre.where", { "aria-hidden": "true" }, text.slice(Math.max(0, at - 40), at).join(""), h("mark", {}, text.slice(at, at + length).join("") || "\u00a0"), text.slice(at + length, at + length + 40).join("")),
      h("p.message", { id: "predicate-mistake" }, `${mistake.message} (at character ${mistake.position + 1})`));
  }

  const check = debounce(async () => {
    const mine = ++turn, edits = builder.edits();
    const text = input.value;
    let answer;
    try { answer = await post("data/predicate/parse", { entity: entity.name, text }); } catch { return; }
    if (mine !== turn || text !== input.value || edits !== builder.edits()) return;
    drawMistake(answer.error ?? null);
    if (answer.error) return;
    drawVariables(answer);
    if (!builder.element.hidden && text !== formText) { formText = text; await builder.show(answer.form, edits); }
  }, 250);

  /** What the predicate's variables stand for: a constant, or an object that is chosen. */
  function drawVariables(answer) {
    known = answer;
    const names = answer.variables ?? [];
    for (const name of Object.keys(state.variables)) if (!names.includes(name)) delete state.variables[name];
    // What somebody is typing there stays.
    const key = JSON.stringify(names.map((name) => [name, answer.objects?.[name], answer.objects?.[name] && state.variables[name]]));
    if (key === drawnVariables) return;
    drawnVariables = key;
    show(variables, names.map((name) => answer.objects?.[name] ? objectVariable(name, answer.objects[name]) : valueVariable(name)));
  }

  function valueVariable(name) {
    const value = h("input.mono", { type: "text", value: state.variables[name] ?? "", "aria-label": `Value of $${name}`, placeholder: "value, as in \"abc\" or 5",
      oninput: () => { state.variables[name] = value.value; }, onkeydown: (event) => { if (event.key === "Enter") { state.variables[name] = value.value; run(); } } });
    return h("label.row", {}, h("span.mono", {}, "$" + name), value);
  }

  function objectVariable(name, relation) {
    const id = state.variables[name];
    return h("span.row", { role: "group", "aria-label": "$" + name }, h("span.mono", {}, "$" + name + " ="),
      id ? h("bdi", {}, visible(state.titles[name] || id.replace("/", " "))) : h("span.dim", {}, `a ${relation.destination}`), button("Choose…", () => pick(name, relation), { label: `Choose $${name}` }));
  }

  // MARK: Completion

  const complete = debounce(async () => {
    const text = input.value;
    // Nobody wants suggestions for what they are done with.
    if (text === applied) return;
    const cursor = [...text.slice(0, input.selectionStart)].length;
    let answer;
    try { answer = await post("data/predicate/complete", { entity: entity.name, text, cursor }); } catch { return; }
    // What was typed meanwhile asks for itself.
    if (document.activeElement !== input || text !== input.value || text === applied) return;
    suggestions = { ...answer, text };
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
    // Those for what stood there before can't be taken.
    const count = suggestions?.text === input.value ? suggestions.items?.length ?? 0 : 0;
    if (event.key === "ArrowDown" && count) { chosen = (chosen + 1) % count; drawList(); }
    else if (event.key === "ArrowUp" && count) { chosen = (chosen - 1 + count) % count; drawList(); }
    else if (event.key === "Tab" && count && chosen >= 0) take(chosen);
    else if (event.key === "Enter") { if (chosen >= 0 && count) take(chosen); else run(); }
    else if (event.key === "Escape" && count) closeList();
    else if (event.key === " " && event.ctrlKey) { applied = null; complete(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // MARK: Builder

  async function openBuilder(isOpen) {
    builder.element.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) await readForm();
  }

  async function readForm() {
    const edits = builder.edits();
    const answer = await attempt(() => post("data/predicate/parse", { entity: entity.name, text: input.value }));
    if (!answer || edits !== builder.edits()) return;
    drawMistake(answer.error ?? null);
    if (answer.error) { builder.say("The builder shows the predicate once its text is right."); return; }
    formText = input.value;
    drawVariables(answer);
    await builder.show(answer.form, edits);
  }

  /** The rows changed: the text follows. */
  const write = debounce(() => writeNow(), 200);

  async function writeNow() {
    const edits = builder.edits(), before = input.value;
    // There are no rows while the text is wrong.
    if (!builder.form()) return;
    let answer;
    try {
      answer = await post("data/predicate/print", { entity: entity.name, form: builder.form() });
    } catch (error) {
      show(message, h("p.message", { role: "alert" }, error.message));
      return;
    }
    // A later change writes itself; what was typed meanwhile is what the person wants.
    if (edits !== builder.edits() || input.value !== before) return;
    setText(answer.text);
    formText = answer.text;
    drawVariables(answer);
    state.predicate = answer.text;
    if (answer.variables.every((name) => state.variables[name])) apply();
  }

  /** An object for a variable, from a list with search. */
  async function pick(name, relation) {
    if (!builder.element.hidden) await writeNow();
    const chosen = await pickObject({ label: "$" + name, creates: [], ...relation, canCreate: false }, state.variables[name], world);
    if (!chosen) return;
    state.variables[name] = chosen.id;
    state.titles[name] = chosen.title;
    drawVariables(known);
    run();
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
      if (error?.details?.position !== undefined) {
        const position = Number(error.details.position), length = Number(error.details.length);
        drawMistake({ message: error.message, position, length });
        // Who asked by keyboard is where the mistake is.
        if (document.activeElement === input) input.setSelectionRange([...input.value].slice(0, position).join("").length, [...input.value].slice(0, position + length).join("").length);
      }
      else if (error?.details?.variable !== undefined) post("data/predicate/parse", { entity: entity.name, text: input.value }).then(drawVariables, () => {});
      else if (!error) drawMistake(null);
    },
  };
}
