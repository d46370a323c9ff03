// Choosing objects for a relationship: a list with a check mark, search, and a new one.

import { h, show, button, dialog, debounce, attempt, icon } from "./ui.js";
import { get } from "./api.js";
import { shown, visible, plain } from "./data-values.js";

/** Resolves to the object chosen; to a list of them with `isMany`; to null if none was. */
export function pickObject(relation, current, world, options = {}) {
  const chosen = new Map();
  return dialog((options.isMany ? "Add to " : "Choose ") + relation.label, (close) => {
    const list = h("ul.picker", { role: "listbox", "aria-label": relation.destination, "aria-multiselectable": options.isMany ? "true" : null });
    const search = h("input", { type: "search", placeholder: "Search", "aria-label": `Search ${relation.destination}`, autofocus: true, oninput: debounce(() => load(0), 200),
      onkeydown: (event) => {
        if (event.key === "ArrowDown") { event.preventDefault(); list.querySelector("[role=option]")?.focus(); }
        if (event.key === "Enter") { event.preventDefault(); if (list.querySelectorAll("[role=option]").length === 1) list.querySelector("[role=option]").click(); }
      } });
    const note = h("p.hint", { role: "status" });
    let turn = 0, offset = 0;

    async function load(from) {
      const mine = ++turn;
      offset = from;
      const answer = await attempt(() => get("data/choices/" + encodeURIComponent(relation.destination), { search: search.value.trim(), offset }));
      if (!answer || mine !== turn) return;
      if (from === 0) show(list);
      list.querySelector(".more")?.remove();
      for (const object of answer.objects) list.append(option(object));
      if (!answer.isLast) list.append(h("li.more", {}, button("Show more", () => load(offset + 100), { kind: "quiet" })));
      note.textContent = list.querySelector("[role=option]") ? "" : search.value ? "Nothing matches." : `There are no objects of ${relation.destination}.`;
    }

    function option(object) {
      const isChosen = () => options.isMany ? chosen.has(object.id) : object.id === current;
      const item = h("li", { role: "option", tabindex: "0", "aria-selected": String(isChosen()), dataset: { id: object.id },
        onclick: () => choose(), onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
          if (event.key === "ArrowDown") { event.preventDefault(); item.nextElementSibling?.focus(); }
          if (event.key === "ArrowUp") { event.preventDefault(); (item.previousElementSibling ?? search).focus(); }
        } }, h("span.check", { "aria-hidden": "true" }, icon("check")), h("bdi", {}, visible(object.title) || object.id.replace("/", " ")), h("span.spring"), h("span.dim", {}, object.id.replace("/", " ")));
      const choose = () => {
        if (!options.isMany) return close(object);
        if (chosen.has(object.id)) chosen.delete(object.id); else chosen.set(object.id, object);
        item.setAttribute("aria-selected", String(isChosen()));
        add.disabled = chosen.size === 0;
        add.textContent = chosen.size ? `Add ${chosen.size}` : "Add";
      };
      return item;
    }

    const make = async () => {
      const kind = relation.creates[0];
      const made = await attempt(() => world.change("data/objects", { entity: kind, values: search.value.trim() && relation.titleKey ? { [relation.titleKey]: search.value.trim() } : {} }));
      if (made) close(options.isMany ? [made] : made);
    };
    const add = button("Add", () => close([...chosen.values()]), { kind: "primary", disabled: true });
    load(0);
    return h("div.body", {}, search, list, note, h("footer", {}, options.isMany && add,
      relation.canCreate && relation.creates.length === 1 && button(`New ${relation.creates[0]}`, make, { icon: "add" }), button("Cancel", () => close(), { kind: "quiet" })));
  }, { class: "picking" });
}
