// The name of an element: what a renaming takes along is shown while the name is typed.

import { h, show, field, debounce, toast } from "./ui.js";
import { edit, tryOut, checksOf, isEditable } from "./model-state.js";

/** The field; `say(box, checks, key)` shows findings below it. */
export function nameField(node, key, say) {
  const old = node.values.name ?? "";
  let keeps = null, touched = [], box = null;
  const more = h("div.model-renaming.stack.tight", { hidden: true, onmousedown: (event) => { if (!event.target.closest("summary")) event.preventDefault(); } });

  const look = debounce(async (name) => {
    if (!box.isConnected || name === old) { more.hidden = true; say(box, checksOf(node.id), "name"); return; }
    const trial = await tryOut(node.id, "name", { do: "rename", id: node.id, name, keepsIdentity: keeps });
    if (!box.isConnected || input.value !== name) return;
    say(box, trial.checks, "name");
    touched = trial.touched;
    draw(trial.former);
  }, 250);

  function draw(former) {
    const hasIdentity = ["entity", "attribute", "relationship", "fetchedProperty"].includes(node.kind) && !node.values.elementID;
    const parts = [];
    if (hasIdentity) {
      const choice = h("input", { type: "checkbox", checked: keeps ?? Boolean(former), onchange: () => { keeps = choice.checked; } });
      parts.push(field(`Keep “${old}” as the renaming ID`, choice, { class: "model-flag",
        hint: former ? `Version ${former} has it by that name: migrations take its values along.` : "Needed where stores of another version have it by that name." }));
    }
    if (touched.length) {
      parts.push(h("details", {}, h("summary", {}, `Changes ${touched.length} other ${touched.length === 1 ? "place" : "places"} along`),
        h("ul.model-touched", {}, touched.map((place) => h("li", {}, h("strong", {}, place.place || "Model"), ` ${place.field}: `, h("del", {}, place.before), " → ", h("ins", {}, place.after))))));
    }
    show(more, parts);
    more.hidden = !parts.length;
  }

  async function send() {
    const name = input.value;
    if (name === input.dataset.initial) return;
    input.dataset.initial = name;
    const count = touched.length;
    const done = await edit({ do: "rename", id: node.id, name, keepsIdentity: keeps });
    if (done && count) toast(`Renamed; ${count} other ${count === 1 ? "place" : "places"} went along.`, "good");
    if (!done) input.dataset.initial = old;
  }

  const input = h("input", {
    type: "text", value: old, dataset: { key, field: "name", initial: old }, readonly: !isEditable() || null, spellcheck: "false", autocomplete: "off",
    // A person who goes on to the choices below isn’t done; what saves everything is.
    onchange: (event) => { if (!event.isTrusted) send(); },
    oninput: () => look(input.value),
    onkeydown: (event) => {
      if (event.key === "Escape") { event.stopPropagation(); input.value = old; look(old); }
      if (event.key === "Enter") send();
    },
  });
  box = field("Name", input);
  box.append(more);
  box.addEventListener("focusout", (event) => { if (!box.contains(event.relatedTarget) && box.isConnected) send(); });
  more.setAttribute("aria-live", "polite");
  say(box, checksOf(node.id), "name");
  return box;
}
