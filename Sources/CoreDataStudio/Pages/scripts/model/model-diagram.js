// The diagram: entities as boxes that can be dragged, lines for inheritance and relationships, drawn with pointer or keys.

import { h, svg, show, button, select, dialog, field, attempt, menu, empty } from "./ui.js";
import { get, link } from "./api.js";
import { state, edit, act, entities, node, isEditable, suffix, sendFirst } from "./model-state.js";
import { submitting } from "./model-typing.js";
import { select_ as choose } from "./model.js";

const rowHeight = 18, headHeight = 30;
let graph = null, shownFor = "", view = null, drag = null, linking = null, canvas = null;
// Draw the lines that are on the page anew, each between the boxes that it was made for.
let curves = [];

/** The diagram's element; its content comes when the server has answered. */
export function diagram(query) {
  const around = query.around ?? "", steps = query.steps ?? "1", detail = query.detail ?? "";
  const box = h("div.model-diagram", {}, tools(around, steps, detail));
  const place = h("div.model-canvas");
  box.append(place);
  if (!entities().length) {
    show(place, empty("There is nothing to draw yet: add an entity first."));
    return box;
  }
  const key = [state.version, around, steps, detail].join("\n");
  if (graph && shownFor === key && graph.change === state.answer.change) {
    draw(place);
    return box;
  }
  if (graph && shownFor === key) draw(place); else show(place, h("p.empty", {}, "Laying out…"));
  attempt(async () => {
    const change = state.answer.change;
    const answer = await get("model/graph", { version: state.version, around, steps: around ? steps : null, detail });
    // Nothing is taken out of somebody's hand.
    while (drag || linking?.pointer !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    // Another part was asked for meanwhile, and its answer may have come first.
    if (!place.isConnected) return;
    if (shownFor !== key) view = null; else for (const box of answer.boxes) Object.assign(box, moved.get(box.name));
    graph = { ...answer, change };
    shownFor = key;
    const shown = box.querySelector("[data-key=detail]");
    if (shown) shown.value = graph.detail;
    draw(place);
  });
  return box;
}

function tools(around, steps, detail) {
  const go = (name, count, much = detail) => {
    const fields = { ...(suffix() ? { v: state.version } : {}), ...(name ? { around: name, steps: count } : {}), ...(much ? { detail: much } : {}) };
    location.hash = "#/model/diagram" + (Object.keys(fields).length ? "?" + new URLSearchParams(fields) : "");
  };
  const query = { version: state.version, around: around || null, steps: around ? steps : null };
  const exporting = button("Export", () => menu(exporting, [["SVG", "svg"], ["Mermaid", "mermaid"], ["PlantUML", "plantuml"], ["Text", "text"]].map(([label, format]) => [label, () => download(link(`model/graph/${format}`, query))])), { icon: "download", dataset: { key: "export" } });
  return h("div.toolbar.model-tools", {},
    h("label.row", {}, h("span.hint", {}, "Around"), select([["", "all entities"], ...entities().map((entity) => [entity.values.name, entity.values.name])], around, { dataset: { key: "around" }, onchange: (event) => go(event.target.value, steps) })),
    around && h("label.row", {}, h("span.hint", {}, "Steps"), select([["0", "0"], ["1", "1"], ["2", "2"], ["3", "3"]], steps, { dataset: { key: "steps" }, onchange: (event) => go(around, event.target.value) })),
    h("label.row", {}, h("span.hint", {}, "Show"), select([["all", "all properties"], ["relationships", "relationships"], ["names", "names"]], detail || graph?.detail || "all", { dataset: { key: "detail" }, onchange: (event) => go(around, steps, event.target.value) })),
    h("span.spring"),
    isEditable() && !around && !isReduced() && button("Lay out", layOut, { title: "Find places for all entities", dataset: { key: "layout" } }),
    button("", () => zoom(1 / 1.2), { icon: "remove", label: "Zoom out", dataset: { key: "out" } }), button("", () => zoom(1.2), { icon: "add", label: "Zoom in", dataset: { key: "in" } }),
    button("Fit", () => { fit(true); apply(); }, { title: "Show all of it", dataset: { key: "fit" } }), exporting);
}

function download(address) {
  const anchor = h("a", { href: address, download: "" });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}

async function layOut() {
  view = null;
  clearTimeout(keeping);
  keeping = null;
  moved.clear();
  await act("model/layout");
}

/** Whether less than everything is shown: its places are for looking, not for the file. */
const isPart = () => Boolean(shownFor.split("\n")[1]) || isReduced();
const isReduced = () => Boolean(graph) && graph.detail !== "all";

const boxNamed = (name) => graph.boxes.find((box) => box.name === name);

// Drawing.

function redraw() {
  const place = document.querySelector(".model-canvas");
  if (place && graph) draw(place);
}

function draw(place) {
  const isLarge = graph.boxes.length > 0;
  if (!isLarge) { show(place, empty("There is nothing to draw.")); return; }
  const active = place.contains(document.activeElement) ? document.activeElement.dataset.box : null;
  canvas = svg("svg", { class: "model-svg", role: "group", "aria-label": "Diagram of the model. Tab goes from entity to entity, arrow keys move one.", onpointerdown: startPan, onpointermove: move, onpointerup: drop, onpointercancel: drop, onwheel: wheel }, marks());
  const layer = svg("g", { class: "layer" });
  canvas.append(layer);
  const lines = svg("g", { class: "lines" });
  curves = [];
  for (const box of graph.boxes) {
    const parent = box.parent && boxNamed(box.parent);
    if (!parent) continue;
    const element = svg("path", { class: "is", d: path(box, -1, parent, -1), "marker-end": "url(#model-is)" }, svg("title", {}, `${box.name} inherits from ${parent.name}`));
    lines.append(element);
    curves.push(() => element.setAttribute("d", path(box, -1, parent, -1)));
  }
  for (const line of graph.lines) {
    const from = boxNamed(line.from), to = boxNamed(line.to);
    if (!from || !to) continue;
    const element = relation(line, from, to);
    lines.append(element);
    curves.push(() => { for (const part of element.querySelectorAll("path")) part.setAttribute("d", linePath(line, from, to)); });
  }
  layer.append(lines, ...graph.boxes.map(entityBox));
  const hint = graph.isAutomatic && isEditable() && !isPart() ? "Laid out automatically; drag an entity to keep places in the model." : isReduced() ? "Choose an entity under “Around”, or a double click, to see more of it." : null;
  show(place, canvas, hint && h("p.hint.model-corner", {}, hint));
  if (active) canvas.querySelector(`[data-box="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (!view) fit();
    apply();
  });
}

function marks() {
  const mark = (id, width, d, style) => svg("marker", { id, viewBox: `0 0 ${width} 12`, refX: width - 1, refY: 6, markerWidth: width, markerHeight: 12, orient: "auto-start-reverse" }, svg("path", { class: style, d }));
  return svg("defs", {}, mark("model-one", 12, "M4 2 L11 6 L4 10", "mark"), mark("model-many", 18, "M4 2 L11 6 L4 10 M10 2 L17 6 L10 10", "mark"), mark("model-is", 14, "M1 1 L13 6 L1 11 Z", "hollow"));
}

function relation(line, from, to) {
  const words = `${line.from}.${line.name}, ${line.isToMany ? "to many" : "to one"} ${line.to}` + (line.inverse ? `; inverse ${line.inverse}, ${line.isInverseToMany ? "to many" : "to one"}` : "; no inverse");
  const d = linePath(line, from, to), isChosen = state.selection.includes(line.id);
  const pick = () => line.id !== undefined && choose([line.id]);
  return svg("g", { class: isChosen ? "to chosen" : "to", tabindex: 0, role: "button", "aria-label": words, "aria-pressed": String(isChosen), dataset: { box: `line ${line.from}.${line.name}`, key: `line ${line.from}.${line.name}` },
    onclick: pick, onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(); } } },
  svg("title", {}, words), svg("path", { class: "touch", d }),
  svg("path", { class: "line", d, "marker-end": `url(#model-${line.isToMany ? "many" : "one"})`, "marker-start": line.inverse ? `url(#model-${line.isInverseToMany ? "many" : "one"})` : null }));
}

function entityBox(box) {
  const isChosen = state.selection.includes(box.id);
  const mark = linking?.from === box.name ? " linking" : "";
  const group = svg("g", { class: "entity" + (isChosen ? " chosen" : "") + (box.isAbstract ? " abstract" : "") + mark, transform: `translate(${box.x} ${box.y})`, tabindex: 0, role: "button", "aria-pressed": String(isChosen),
    "aria-label": `Entity ${box.name}` + (box.isAbstract ? ", abstract" : "") + (box.parent ? `, inherits from ${box.parent}` : "") + `, ${box.rows.length} properties`, dataset: { box: box.name, key: "box " + box.name },
    onpointerdown: (event) => startDrag(event, box), onkeydown: (event) => boxKey(event, box) },
  svg("title", {}, box.name),
  svg("rect", { class: "frame", width: box.width, height: box.height, rx: 6 }),
  svg("path", { class: "head", d: `M1 ${headHeight - 4} V7 q0 -6 6 -6 H${box.width - 7} q6 0 6 6 V${headHeight - 4} z` }),
  svg("text", { class: "name", x: 10, y: 18 }, short(box.name, box.width - 45)),
  box.rows.map((row, index) => {
    const y = headHeight + index * rowHeight + 10, name = short(row.name, 130);
    const arrow = row.kind === "attribute" ? "" : row.isToMany ? "↠ " : "→ ";
    return [svg("text", { x: 10, y, class: row.kind }, name), svg("text", { class: "soft", x: box.width - 10, y, "text-anchor": "end" }, short(arrow + row.type + (row.isOptional ? "?" : ""), box.width - 28 - measure(name)))];
  }));
  if (isEditable() && box.id !== undefined) {
    group.append(svg("circle", { class: "handle", cx: box.width - 14, cy: 14, r: 6, onpointerdown: (event) => startLink(event, box) }, svg("title", {}, "Drag to another entity to draw a relationship")));
  }
  return group;
}

/** As much of a text as fits a width; measured as for the exported picture. */
function short(text, width) {
  if (measure(text) <= width) return text;
  let shown = "";
  for (const character of text) {
    if (measure(shown) + 14 >= width) break;
    shown += character;
  }
  return shown + "…";
}

const measure = (text) => [...text].reduce((width, character) => width + ("iljtfrI.,'| ".includes(character) ? 4.2 : character === "m" || (character.toUpperCase() === character && character.toLowerCase() !== character) ? 8.8 : 7.1), 0);

/** A curve from one box's side to the other's, beginning and ending at rows where the boxes stand side by side. */
function path(from, row, to, other) {
  const [x, y] = leaving(from, row), [u, v] = leaving(to, other);
  if (from.name === to.name) {
    const right = from.x + from.width, end = y === v ? v + 14 : v;
    return `M${right} ${y} C${right + 44} ${y} ${right + 44} ${end} ${right} ${end}`;
  }
  if (from.x + from.width < to.x || to.x + to.width < from.x) {
    const isRight = from.x < to.x, x1 = isRight ? from.x + from.width : from.x, x2 = isRight ? to.x : to.x + to.width;
    const bend = Math.max(30, Math.abs(x2 - x1) / 2) * (isRight ? 1 : -1);
    return `M${x1} ${y} C${x1 + bend} ${y} ${x2 - bend} ${v} ${x2} ${v}`;
  }
  const isBelow = from.y < to.y, y1 = isBelow ? from.y + from.height : from.y, y2 = isBelow ? to.y : to.y + to.height;
  const bend = Math.max(24, Math.abs(y2 - y1) / 2) * (isBelow ? 1 : -1);
  return `M${x} ${y1} C${x} ${y1 + bend} ${u} ${y2 - bend} ${u} ${y2}`;
}

/** Where lines of a row leave a box: how far to the right above and below, and how far down at its sides. */
function leaving(box, row) {
  const middle = box.x + box.width / 2;
  if (row < 0) return [middle, box.y + headHeight / 2];
  return [middle + Math.min(95, Math.max(-95, (2 * row - box.rows.length + 1) * 5)), box.y + headHeight + row * rowHeight + 6];
}

const rowOf = (box, name) => name ? box.rows.findIndex((row) => row.name === name) : -1;
const linePath = (line, from, to) => path(from, rowOf(from, line.name), to, rowOf(to, line.inverse));

// View: pan and zoom.

/** Smaller than this names can’t be read. */
const legible = 0.65;

/** Shows the whole, or as much as can be read: then what is chosen or begins at the top left. */
function fit(isWhole = false) {
  const left = Math.min(...graph.boxes.map((box) => box.x)), top = Math.min(...graph.boxes.map((box) => box.y));
  const width = Math.max(...graph.boxes.map((box) => box.x + box.width)) - left, height = Math.max(...graph.boxes.map((box) => box.y + box.height)) - top;
  const { clientWidth, clientHeight } = canvas;
  const scale = Math.max(0.08, Math.min(1, (clientWidth - 48) / width, (clientHeight - 88) / height));
  if (scale < legible && !isWhole) {
    const chosen = graph.boxes.find((box) => state.selection.includes(box.id)) ?? boxNamed(shownFor.split("\n")[1]);
    view = chosen
      ? { scale: legible, x: clientWidth / 2 - (chosen.x + chosen.width / 2) * legible, y: Math.max(24, clientHeight / 3) - chosen.y * legible }
      : { scale: legible, x: 24 - left * legible, y: 24 - top * legible };
    return;
  }
  view = { scale, x: (clientWidth - width * scale) / 2 - left * scale, y: Math.max(24, (clientHeight - 40 - height * scale) / 2) - top * scale };
}

function apply() {
  canvas?.querySelector(".layer")?.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
}

function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
  if (!view) return;
  const scale = Math.min(3, Math.max(0.05, view.scale * factor));
  view = { scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
  apply();
}

function wheel(event) {
  event.preventDefault();
  const frame = canvas.getBoundingClientRect();
  if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
  else { view.x -= event.deltaX; view.y -= event.deltaY; apply(); }
}

function startPan(event) {
  if (event.button !== 0 || event.target.closest(".entity, .to")) return;
  drag = { x: event.clientX, y: event.clientY, pan: { ...view } };
  canvas.setPointerCapture(event.pointerId);
}

function startDrag(event, box) {
  if (event.button !== 0 || event.target.classList.contains("handle")) return;
  drag = { x: event.clientX, y: event.clientY, box, from: [box.x, box.y], moved: false, several: event.ctrlKey || event.metaKey || event.shiftKey };
  event.currentTarget.focus({ preventScroll: true });
  canvas.setPointerCapture(event.pointerId);
}

function move(event) {
  if (linking?.pointer !== undefined) { follow(event); return; }
  if (!drag) return;
  const x = event.clientX - drag.x, y = event.clientY - drag.y;
  if (drag.pan) { view = { ...view, x: drag.pan.x + x, y: drag.pan.y + y }; apply(); return; }
  if (!isEditable() || (!drag.moved && Math.hypot(x, y) < 4)) return;
  drag.moved = true;
  drag.box.x = Math.round(drag.from[0] + x / view.scale);
  drag.box.y = Math.round(drag.from[1] + y / view.scale);
  shift(drag.box);
}

/** Moves a box that is on the page already, and its lines. */
function shift(box) {
  canvas.querySelector(`.entity[data-box="${CSS.escape(box.name)}"]`)?.setAttribute("transform", `translate(${box.x} ${box.y})`);
  for (const curve of curves) curve();
}

function drop(event) {
  if (linking?.pointer !== undefined) { endLink(event); return; }
  const done = drag;
  drag = null;
  if (!done?.box) return;
  if (done.moved) { keepSoon(done.box); keep(); return; }
  // A captured pointer's clicks don't reach the box, so that double clicks are counted here.
  if (lastClick.name === done.box.name && event.timeStamp - lastClick.time < 400) {
    location.hash = "#/model/entities/" + encodeURIComponent(done.box.name) + suffix();
    return;
  }
  lastClick = { name: done.box.name, time: event.timeStamp };
  if (done.box.id !== undefined) choose(done.several ? [...new Set([...state.selection.filter((id) => node(id)?.kind === "entity"), done.box.id])] : [done.box.id]);
}

/** Where boxes were moved that the model doesn’t know there yet, by name. */
const moved = new Map();
let keeping = null;

/** Writes a box’s place into the model, with those of others that are moved meanwhile. */
function keepSoon(box) {
  if (!isEditable() || isPart()) return;
  moved.set(box.name, { x: box.x, y: box.y });
  clearTimeout(keeping);
  keeping = setTimeout(keep, 500);
}

/** Writes the places of the moved ones, or of all where none was kept before. */
async function keep() {
  if (keeping === null) return;
  clearTimeout(keeping);
  keeping = null;
  const boxes = graph.isAutomatic ? graph.boxes : graph.boxes.filter((box) => moved.has(box.name));
  const sent = new Map(moved);
  await act("model/place", { places: boxes.map(({ name, x, y }) => ({ name, x, y })) });
  for (const [name, place] of sent) if (moved.get(name) === place) moved.delete(name);
}
sendFirst(() => { keep(); });

let lastClick = {};
function boxKey(event, box) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step && isEditable()) {
    event.preventDefault();
    box.x += step[0] * (event.shiftKey ? 40 : 10);
    box.y += step[1] * (event.shiftKey ? 40 : 10);
    shift(box);
    keepSoon(box);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (linking) { const from = linking.from; linking = null; finish(from, box.name); } else if (box.id !== undefined) choose([box.id]);
  } else if (event.key === "r" && isEditable()) {
    linking = { from: box.name };
    canvas.querySelectorAll(".linking").forEach((each) => each.classList.remove("linking"));
    event.currentTarget.classList.add("linking");
  } else if (event.key === "Escape") {
    linking = null;
    canvas.querySelectorAll(".linking").forEach((each) => each.classList.remove("linking"));
  } else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.2 : 1 / 1.2);
}

// Drawing a relationship from entity to entity.

function startLink(event, box) {
  event.stopPropagation();
  event.preventDefault();
  linking = { from: box.name, pointer: event.pointerId, line: svg("path", { class: "drawing" }) };
  canvas.querySelector(".layer").append(linking.line);
  canvas.setPointerCapture(event.pointerId);
}

const inDiagram = (event) => {
  const frame = canvas.getBoundingClientRect();
  return [(event.clientX - frame.left - view.x) / view.scale, (event.clientY - frame.top - view.y) / view.scale];
};

const boxAt = ([x, y]) => graph.boxes.find((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height);

function follow(event) {
  const from = boxNamed(linking.from), [x, y] = inDiagram(event);
  linking.line.setAttribute("d", `M${from.x + from.width - 14} ${from.y + 14} L${x} ${y}`);
}

async function endLink(event) {
  const { from, line } = linking, target = boxAt(inDiagram(event));
  linking = null;
  line.remove();
  if (target) await finish(from, target.name);
}

async function finish(from, to) {
  const source = entities().find((entity) => entity.values.name === from), target = entities().find((entity) => entity.values.name === to);
  if (source && target) await relationDialog(source, target);
}

/** Asks for the names of a new pair of relationships. */
export function relationDialog(source, target) {
  const low = (name) => name ? name[0].toLowerCase() + name.slice(1) : name;
  const plural = (name) => name.endsWith("y") ? name.slice(0, -1) + "ies" : name.endsWith("s") ? name + "es" : name + "s";
  return dialog(`Relationship from ${source.values.name} to ${target.values.name}`, (close) => {
    const name = h("input", { type: "text", value: plural(low(target.values.name)), autofocus: true });
    const many = h("input", { type: "checkbox", checked: true });
    const inverse = h("input", { type: "text", value: source.id === target.id ? "inverse" : low(source.values.name) });
    const inverseMany = h("input", { type: "checkbox" });
    const submit = submitting(async () => {
      const made = await edit({ do: "relate", from: source.id, to: target.id, name: name.value.trim(), toMany: many.checked, inverse: inverse.value.trim() || null, inverseToMany: inverseMany.checked });
      if (made) { close(true); choose([made[0]]); }
    });
    return h("form.body", { onsubmit: submit },
      field(`Name in ${source.values.name}`, name), field("To many", many, { class: "model-flag" }),
      field(`Inverse in ${target.values.name}`, inverse, { hint: "Empty for none, which is seldom right." }), field("Inverse is to many", inverseMany, { class: "model-flag" }),
      h("footer", {}, h("button.primary", { type: "submit" }, "Add relationship"), button("Cancel", () => close(), { kind: "quiet" })));
  });
}
