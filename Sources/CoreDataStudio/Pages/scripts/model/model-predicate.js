// The predicate builder at a predicate of the model: rows and groups beside the text, in step with it.

import { h, button, debounce } from "./ui.js";
import { post } from "./api.js";
import { entityNamed, properties, isEditable, sendFirst } from "./model-state.js";
import { predicateBuilder } from "./data-builder.js";

/** Builders that are open, by field: they stay what they are when the inspector is drawn anew. */
const open = new Map();
sendFirst(() => Promise.all([...open.values()].map((kept) => kept.writeNow())));

const kinds = {
  "Integer 16": "number", "Integer 32": "number", "Integer 64": "number", Double: "number", Float: "number", Decimal: "decimal", Date: "date",
  Boolean: "boolean", UUID: "uuid", URI: "uri", Binary: "binary", Transformable: "tree", Composite: "composite", String: "text",
};

/** An entity as the builder wants it. */
function described(name) {
  const all = properties(name);
  return {
    name, titleKey: all.find((each) => each.values.attributeType === "String")?.values.name,
    attributes: all.filter((each) => each.kind === "attribute").map((each) => ({ key: each.values.name, label: each.values.name, kind: kinds[each.values.attributeType] ?? "text" })),
    relationships: all.filter((each) => each.kind === "relationship").map((each) => ({
      key: each.values.name, label: each.values.name, destination: each.values.destinationEntity,
      kind: each.values.toMany ? (each.values.ordered ? "ordered" : "toMany") : "toOne",
    })),
  };
}

/** Adds the builder to a field, whose text is changed as if it was typed. */
export function predicateField(box, input, key, name) {
  if (!entityNamed(name)) return;
  let kept = open.get(key);
  if (kept && kept.name !== name) { open.delete(key); kept = null; }
  const toggle = button("Builder", () => kept ? close() : show(), { icon: "filter", kind: "quiet", "aria-expanded": String(Boolean(kept)), disabled: !isEditable(), dataset: { key: key + "/builder" } });
  box.append(h("div", {}, toggle));
  if (kept) take();

  function take() {
    kept.input = input;
    box.append(kept.builder.element);
    if (kept.text !== kept.input.value) read();
  }

  function close() {
    kept.writeNow();
    open.delete(key);
    kept.builder.element.remove();
    kept = null;
    toggle.setAttribute("aria-expanded", "false");
  }

  function show() {
    kept = make(name);
    open.set(key, kept);
    toggle.setAttribute("aria-expanded", "true");
    take();
  }

  async function read() {
    const mine = kept, text = kept.input.value, edits = mine.builder.edits();
    mine.text = text;
    const answer = await post("model/predicate/parse", { text }).catch((error) => ({ error }));
    if (open.get(key) !== mine || mine.text !== text) return;
    if (answer.error instanceof Error) mine.builder.say(answer.error.message);
    else if (answer.error) mine.builder.say("The builder shows the predicate once its text is right."); else await mine.builder.show(answer.form, edits);
  }

  // The field may have been drawn anew meanwhile, with what was typed in it.
  input.addEventListener("input", debounce(() => { if (kept && open.get(key) === kept && kept.input.isConnected && kept.text !== kept.input.value) read(); }, 350));
}

function make(name) {
  const kept = { name, text: null, writeNow };
  let timer = null, writing = null;

  /** Writes what the rows say, if they say something new. Resolves once it is on its way. */
  function writeNow() {
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
      writing = print();
    }
    return writing;
  }

  async function print() {
    const form = kept.builder.form(), edits = kept.builder.edits(), before = kept.input.value;
    let answer;
    try {
      answer = await post("model/predicate/print", { form });
    } catch { return; /* A row is half filled still. */ }
    // A later change writes itself; what was typed meanwhile is what the person wants.
    if (edits !== kept.builder.edits() || kept.input.value !== before) return;
    kept.text = answer.text;
    kept.input.value = answer.text;
    kept.input.dispatchEvent(new Event("change"));
  }

  kept.builder = predicateBuilder(described(name), () => { clearTimeout(timer); timer = setTimeout(writeNow, 250); }, () => {});
  kept.builder.element.hidden = false;
  return kept;
}
