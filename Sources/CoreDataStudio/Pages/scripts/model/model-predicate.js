// The predicate builder at a predicate of the model: rows and groups beside the text, in step with it.

import { h, button, debounce } from "./ui.js";
import { post } from "./api.js";
import { entityNamed, properties, isEditable } from "./model-state.js";
import { predicateBuilder } from "./data-builder.js";

/** Builders that are open, by field: they stay what they are when the inspector is drawn anew. */
const open = new Map();

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

/** Adds the builder to a field; `send(text)` is called with what it says. */
export function predicateField(box, input, key, name, send) {
  if (!entityNamed(name)) return;
  let kept = open.get(key);
  if (kept && kept.name !== name) { open.delete(key); kept = null; }
  const toggle = button("Builder", () => kept ? close() : show(), { icon: "filter", kind: "quiet", "aria-expanded": String(Boolean(kept)), disabled: !isEditable(), dataset: { key: key + "/builder" } });
  box.append(h("div", {}, toggle));
  if (kept) take();

  function take() {
    kept.input = input;
    kept.send = send;
    box.append(kept.builder.element);
    if (kept.text !== kept.input.value) read();
  }

  function close() {
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
    const answer = await post("model/predicate/parse", { text });
    if (open.get(key) !== mine || mine.text !== text) return;
    if (answer.error) mine.builder.say("The builder shows the predicate once its text is right."); else await mine.builder.show(answer.form, edits);
  }

  // The field may have been drawn anew meanwhile, with what was typed in it.
  input.addEventListener("input", debounce(() => { if (kept && open.get(key) === kept && kept.input.isConnected && kept.text !== kept.input.value) read(); }, 350));
}

function make(name) {
  const kept = { name, text: null };
  const write = debounce(async () => {
    let answer;
    try {
      answer = await post("model/predicate/print", { form: kept.builder.form() });
    } catch { return; /* A row is half filled still. */ }
    kept.text = answer.text;
    kept.input.value = answer.text;
    kept.input.dataset.initial = answer.text;
    kept.send(answer.text);
  }, 250);
  kept.builder = predicateBuilder(described(name), write, () => {});
  kept.builder.element.hidden = false;
  return kept;
}
