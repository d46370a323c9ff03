// An object's page, made from its entity: fields by section, relationships, reports.

import { h, show, button, icon, empty, attempt, toast, menu } from "./ui.js";
import { get, upload } from "./api.js";
import { shown, plain, plural, objectLink, objectPlace, objectPath, visible } from "./data-values.js";
import { fieldEditor } from "./data-fields.js";
import { pickObject } from "./data-picker.js";
import { deleteObjects } from "./data-delete.js";

/** Draws a place anew; who was on one of its controls is on the same one again, or on the first. */
function keepingFocus(place, draw) {
  const active = place.contains(document.activeElement) ? document.activeElement : null;
  const name = (one) => one.getAttribute("aria-label") ?? one.textContent;
  draw();
  if (!active || active.isConnected) return;
  const controls = [...place.querySelectorAll("button, a, input")];
  (controls.find((one) => name(one) === name(active)) ?? controls[0])?.focus();
}

/** Titles of objects that were seen, for the way back. */
const titles = new Map();

export async function showObject(root, id, query, world) {
  let object = await get(objectPath(id));
  let stopped = false, answers = 0;
  const touched = new Set();
  const trail = (query.trail ?? "").split(",").filter(Boolean).slice(-8);
  const onward = "?" + new URLSearchParams({ trail: [...trail, id].join(",") });
  const header = h("header.object-head", {});
  const crumbs = h("nav.crumbs", { "aria-label": "Way back" });
  const body = h("div.object-body.pad.stack", {});
  show(root, crumbs, header, body);
  const editors = new Map();
  const relations = new Map();

  /** Sends a value. Resolves to {page} or {problem}; the page shows what became of it. */
  async function set(key, value) {
    touched.add(key.split(".")[0]);
    try {
      take(await world.change(objectPath(object.id), { key, value }));
      return { page: object };
    } catch (error) {
      if (error.status !== 422) toast(error.message, "error");
      return { problem: error.message };
    }
  }

  /** Sends a file as an attribute's bytes. */
  async function put(key, file) {
    const page = await attempt(() => world.send(() => upload(objectPath(object.id, "bytes", key), file)));
    if (page) take(page);
  }

  async function members(key, change) {
    const page = await attempt(() => world.change(objectPath(object.id, "members"), { key, ...change }));
    if (page) take(page);
    return Boolean(page);
  }

  /** Shows a new state of the object without disturbing what the person types. */
  function take(page) {
    if (page.id !== object.id) history.replaceState(null, "", objectPlace(page.id) + (query.trail ? "?" + new URLSearchParams({ trail: query.trail }) : ""));
    object = page;
    answers += 1;
    titles.set(object.id, object.title);
    drawHead();
    for (const field of object.fields) editors.get(field.key)?.update(quiet(field));
    for (const relation of object.relationships) relations.get(relation.key)?.update(relation);
  }

  /** A new object isn't told what it lacks before the person had a chance to fill it in. */
  function quiet(field) {
    const isQuiet = object.state === "new" && !touched.has(field.key) && !world.bar.wasRefused;
    return { ...field, isQuiet };
  }

  function drawHead() {
    const state = { new: "good", changed: "warn", deleted: "danger" }[object.state];
    show(crumbs, h("ol", {}, h("li", {}, h("a", { href: "#/data/" + encodeURIComponent(object.entity) }, object.entity)),
      trail.map((step, index) => h("li", {}, h("a", { href: objectPlace(step) + (index ? "?" + new URLSearchParams({ trail: trail.slice(0, index).join(",") }) : "") },
        h("bdi", {}, visible(titles.get(step) || step.replace("/", " "))))))));
    show(header,
      trail.length > 0 && button("", () => history.back(), { icon: "back", label: "Back", kind: "quiet" }),
      h("h1", {}, object.title ? h("bdi", {}, visible(object.title)) : h("span.dim", {}, object.id.replace("/", " "))),
      object.title && h("span.dim", {}, object.id.replace("/", " ")),
      state && h("span.badge", { class: state }, object.state), h("span.spring"),
      world.overview.hasHistory && object.state !== "new" && h("a.button.quiet", { href: world.place("-", "history") + "?" + new URLSearchParams({ object: object.id }) }, "History"),
      button("", (event) => menu(event.currentTarget, [
        ["Copy the URI", () => attempt(async () => { await navigator.clipboard.writeText(object.uri); toast("Copied."); })],
        ["Read it again", () => reload({})],
      ]), { icon: "more", label: "More", kind: "quiet" }),
      object.canDelete && !world.overview.isReadOnly && object.state !== "deleted" && button("Delete", remove, { icon: "trash", kind: "danger" }));
  }

  async function remove() {
    if (!await deleteObjects([object.id], world)) return;
    if (object.state === "new") location.hash = "#/data/" + encodeURIComponent(object.entity);
    else await reload({});
  }

  function draw() {
    editors.clear();
    relations.clear();
    titles.set(object.id, object.title);
    drawHead();
    const sections = new Map();
    const section = (name) => sections.get(name) ?? sections.set(name, []).get(name);
    for (const field of object.fields) {
      const editor = fieldEditor(quiet(field), object, set, put);
      editors.set(field.key, editor);
      section(field.section ?? "").push(editor);
    }
    const later = [];
    for (const relation of object.relationships) {
      const made = relation.kind === "toOne" ? toOne(relation) : toMany(relation);
      relations.set(relation.key, made);
      if (relation.kind === "toOne") section(relation.section ?? "").push(made.element); else later.push(made.element);
    }
    show(body,
      object.state === "deleted" && h("p.notice", {}, "Marked as deleted; it is gone with the next save. Undo brings it back."),
      object.message && h("p.notice.wrong", { role: "alert" }, object.message),
      [...sections].map(([name, list]) => h("section.panel", { "aria-label": name || "Attributes" }, name && h("h2", {}, name), h("div.fields.object-fields", {}, list))),
      later, (object.reports ?? []).map(report));
    focusWanted();
  }

  /** The field that the person came for. */
  function focusWanted() {
    const wanted = JSON.parse(sessionStorage.getItem("focus-field") ?? "null");
    if (!wanted || wanted.id !== object.id) return;
    sessionStorage.removeItem("focus-field");
    touched.add(wanted.key);
    const editor = editors.get(wanted.key) ?? relations.get(wanted.key)?.element;
    for (const field of object.fields) { touched.add(field.key); editors.get(field.key)?.update({ ...field, isQuiet: false }); }
    const control = editor?.querySelector("input, select, textarea, button");
    editor?.scrollIntoView({ block: "center" });
    control?.focus();
  }

  // MARK: Relationships

  const canSet = (relation) => object.canUpdate && !relation.lock && !world.overview.isReadOnly && object.state !== "deleted" && relation.isReadable;

  function toOne(relation) {
    const value = h("span.value", {});
    const tools = h("span.row", {});
    const note = h("p.message", { hidden: true });
    const element = h("div.field.relation", { role: "group", "aria-label": relation.label, dataset: { key: relation.key } },
      h("span.legend", {}, relation.label + (relation.isOptional ? "" : " *")), h("div.relation-line", {}, value, tools), relation.help && h("p.hint", {}, relation.help), note);
    let drawn = "";
    const put = async (target) => {
      const answer = await set(relation.key, target);
      if (answer.problem) { note.textContent = answer.problem; note.hidden = false; }
    };
    const update = (next) => {
      relation = next;
      element.classList.toggle("changed", next.isChanged);
      const problem = quiet(next).isQuiet ? null : next.message;
      note.textContent = problem ?? "";
      note.hidden = !problem;
      element.classList.toggle("wrong", Boolean(problem));
      keepingFocus(element, () => {
        const state = JSON.stringify([next.value, canSet(next)]);
        // A dialog that is open goes back to the button that opened it.
        if (state === drawn) return;
        drawn = state;
        show(value, shown(next.value, { query: onward }));
        drawTools(next);
      });
    };
    const drawTools = (next) => show(tools, canSet(next) && [
        button("Choose…", async () => {
          const chosen = await pickObject(next, next.value?.id, world);
          if (chosen) await put(chosen.id);
        }, { label: `Choose ${next.label}` }),
        next.value && !next.value.hidden && next.isOptional && button("", () => put(null), { icon: "close", kind: "quiet", label: `Clear ${next.label}`, title: "Set to nil" }),
      ]);
    update(relation);
    return { element, update };
  }

  function toMany(relation) {
    const list = h("ol.members", {});
    const heading = h("span.badge", {}, "");
    const tools = h("span.row", {});
    const note = h("p.message", { hidden: true });
    const element = h("section.panel.relation", { "aria-label": relation.label, dataset: { key: relation.key } },
      h("div.row", {}, h("h2", {}, relation.label), heading, h("span.dim", {}, relation.destination + (relation.kind === "ordered" ? ", in order" : "")), h("span.spring"), tools),
      relation.help && h("p.hint", {}, relation.help), list, note);
    let limit = 50, isOpen = false, focusAt = null, drawn = null;

    async function open() {
      const page = await attempt(() => get(objectPath(object.id, "members", relation.key), { limit }));
      if (!page || stopped) return;
      isOpen = true;
      heading.textContent = String(page.count);
      keepingFocus(element, () => show(list, page.members.map((member, index) => row(member, index, page.count)),
        page.members.length === 0 && h("li.dim", {}, "None."),
        page.count > page.members.length && limit < 500 && h("li", {}, button(`Show more (${page.count - page.members.length})`, () => { limit = Math.min(500, limit * 4); open(); }, { kind: "quiet" }))));
      if (focusAt !== null) { list.children[focusAt]?.querySelector(".grip")?.focus(); focusAt = null; }
    }

    function row(member, index, count) {
      const isOrdered = relation.kind === "ordered" && canSet(relation);
      const item = h("li", { draggable: isOrdered ? "true" : null, dataset: { id: member.id ?? "" } },
        isOrdered && button("", () => {}, { icon: "grip", kind: "quiet grip", label: `Move ${plain(member)} with the arrow keys`, onkeydown: (event) => {
          const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
          if (!step || index + step < 0 || index + step >= count) return;
          event.preventDefault();
          move(index, index + step);
        } }),
        shown(member, { query: onward }), member.state && member.state !== "saved" && h("span.badge", { class: { new: "good", changed: "warn", deleted: "danger" }[member.state] }, member.state), h("span.spring"),
        canSet(relation) && !member.hidden && button("", () => members(relation.key, { remove: [member.id] }), { icon: "remove", kind: "quiet", label: `Remove ${plain(member)}`, title: "Remove from the relationship" }));
      if (isOrdered) {
        item.addEventListener("dragstart", (event) => { event.dataTransfer.setData("text/x-member", String(index)); event.dataTransfer.effectAllowed = "move"; item.classList.add("dragged"); });
        item.addEventListener("dragend", () => item.classList.remove("dragged"));
        item.addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("text/x-member")) { event.preventDefault(); item.classList.add("over"); } });
        item.addEventListener("dragleave", () => item.classList.remove("over"));
        item.addEventListener("drop", (event) => { event.preventDefault(); item.classList.remove("over"); move(Number(event.dataTransfer.getData("text/x-member")), index); });
      }
      return item;
    }

    async function move(from, to) {
      if (from === to) return;
      focusAt = to;
      await members(relation.key, { move: { from, to } });
    }

    async function create(kind) {
      const made = await attempt(() => world.change("data/objects", { entity: kind }));
      if (!made) return;
      if (await members(relation.key, { add: [made.id] })) location.hash = objectPlace(made.id, onward);
    }

    const update = (next) => {
      relation = next;
      element.classList.toggle("changed", next.isChanged);
      note.textContent = quiet(next).isQuiet ? "" : next.message ?? "";
      note.hidden = !note.textContent;
      if (drawn !== canSet(next)) keepingFocus(element, () => show(tools, canSet(next) && [
        button("Add…", async () => {
          const chosen = await pickObject(next, null, world, { isMany: true });
          if (chosen) await members(next.key, { add: chosen.map((one) => one.id) });
        }, { icon: "add", label: `Add to ${next.label}` }),
        next.canCreate && next.creates.length > 0 && button("New", (event) => next.creates.length === 1 ? create(next.creates[0])
          : menu(event.currentTarget, next.creates.map((kind) => [kind, () => create(kind)])), { label: `New in ${next.label}` }),
      ]));
      drawn = canSet(next);
      if (!next.isReadable) { heading.textContent = ""; show(list, h("li.dim", {}, `You may not see objects of ${next.destination}.`)); return; }
      if (next.value.$ === "fault" && !isOpen) {
        heading.textContent = "fault";
        show(list, h("li", {}, button("Read from the store", open, { label: `Read ${next.label}`, title: "The relationship is a fault: its objects weren’t read yet" })));
      } else {
        open();
      }
    };
    update(relation);
    return { element, update };
  }

  /** A fetched property: asked for when the person opens it. */
  function report(property) {
    const list = h("ul.members", {});
    const count = h("span.badge", {}, "report");
    const run = async () => {
      const answer = await attempt(() => get(objectPath(object.id, "report", property.key)));
      if (!answer) return;
      count.textContent = String(answer.count);
      show(list, answer.members.map((member) => h("li", {}, shown(member, { query: onward }))), answer.count === 0 && h("li.dim", {}, "Nothing found."),
        answer.count > answer.members.length && h("li.dim", {}, `… and ${answer.count - answer.members.length} more`));
    };
    show(list, h("li", {}, button("Fetch", run, { label: `Fetch ${property.label}` })));
    return h("section.panel.report", { "aria-label": property.label, dataset: { key: property.key } },
      h("div.row", {}, h("h2", {}, property.label), count, h("span.dim", {}, property.destination), h("span.spring")),
      h("p.hint.mono", {}, property.predicate ?? ""), list);
  }

  async function reload() {
    const before = answers;
    try {
      const page = await get(objectPath(object.id));
      // What came of a change meanwhile is newer.
      if (stopped || answers !== before) return;
      if (page.state !== object.state && (page.state === "deleted" || object.state === "deleted")) { object = page; draw(); } else take(page);
    } catch (error) {
      if (error.status === 404) { show(body, empty("The object is gone: it was deleted, or it was new and is undone.", h("a.button", { href: "#/data/" + encodeURIComponent(object.entity) }, `Back to ${object.entity}`))); show(header, h("h1", {}, object.id.replace("/", " "))); }
      else toast(error.message, "error");
    }
  }

  draw();
  return { reload, stop: () => { stopped = true; } };
}
