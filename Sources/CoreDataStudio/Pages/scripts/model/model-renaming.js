// The name of an element: what a renaming takes along is shown while the name is typed.

import { h, show, field, debounce, hasText, toast } from "./ui.js";
import { edit, tryOut, checksOf, isEditable } from "./model-state.js";
import { typing, take, giveUp, keepingFocus } from "./model-typing.js";

/** What was chosen for a name that is typed, and what it takes along, by field: the field may be drawn anew meanwhile. */
const begun = new Map();

/** The field; `say(box, checks, key)` shows findings below it. */
export function nameField(node, key, say) {
  const old = node.values.name ?? "";
  if (begun.get(key)?.old !== old) begun.delete(key);
  let box = null;
  const more = h("div.model-renaming.stack.tight", { hidden: true, onmousedown: (event) => { if (!event.target.closest("summary")) event.preventDefault(); } });

  const look = debounce(async () => {
    const name = input.value;
    if (!box.isConnected) return;
    if (name === old) { begun.delete(key); more.hidden = true; say(box, checksOf(node.id), "name"); return; }
    const trial = await tryOut(node.id, "name", { do: "rename", id: node.id, name, keepsIdentity: begun.get(key)?.keeps ?? null });
    if (!trial || !box.isConnected || input.value !== name) return;
    say(box, trial.checks, "name");
    begun.set(key, { old, keeps: null, ...begun.get(key), touched: trial.touched, former: trial.former });
    draw();
  }, 250);

  function draw() {
    const { keeps, touched, former } = begun.get(key);
    const hasIdentity = ["entity", "attribute", "relationship", "fetchedProperty"].includes(node.kind) && !node.values.elementID;
    const parts = [];
    if (hasIdentity) {
      const choice = h("input", { type: "checkbox", checked: keeps ?? Boolean(former), dataset: { key: key + "/keeps" }, onchange: () => { begun.get(key).keeps = choice.checked; } });
      parts.push(field(`Keep “${old}” as the renaming ID`, choice, { class: "model-flag",
        hint: former ? `Version ${former} has it by that name: migrations take its values along.` : "Needed where stores of another version have it by that name." }));
    }
    if (touched.length) {
      parts.push(h("details", {}, h("summary", { dataset: { key: key + "/touched" } }, `Changes ${touched.length} other ${touched.length === 1 ? "place" : "places"} along`),
        h("ul.model-touched", {}, touched.map((place) => h("li", {}, h("strong", {}, place.place || "Model"), ` ${place.field}: `, h("del", {}, place.before), " → ", h("ins", {}, place.after))))));
    }
    keepingFocus(more, () => show(more, parts));
    more.hidden = !parts.length;
  }

  async function send(name) {
    const keepsIdentity = begun.get(key)?.keeps ?? null, count = begun.get(key)?.touched.length ?? 0;
    const done = await edit({ do: "rename", id: node.id, name, keepsIdentity });
    if (done) begun.delete(key);
    if (done && count) toast(`Renamed; ${count} other ${count === 1 ? "place" : "places"} went along.`, "good");
    return done;
  }

  const attributes = typing(key, old, send);
  const input = h("input", {
    ...attributes, type: "text", dataset: { ...attributes.dataset, field: "name" }, readonly: !isEditable() || null,
    // A person who goes on to the choices below isn’t done; what saves everything is.
    onchange: (event) => { if (!event.isTrusted) take(input, send); }, onblur: null,
    oninput: () => look(),
  });
  box = field("Name", input);
  box.append(more);
  box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget) && box.isConnected && input.dataset.refused !== input.value) take(input, send); });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape" && event.target !== input && hasText(input)) { event.stopPropagation(); giveUp(input); input.focus(); } });
  more.setAttribute("aria-live", "polite");
  say(box, checksOf(node.id), "name");
  if (begun.has(key)) draw();
  return box;
}
