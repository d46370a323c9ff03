// @ts-check
// An object's page, made from its entity: fields by section, relationships, reports.

import { h, show, empty } from "../ui.js";
import { attempt, toast } from "../dialogs.js";
import { replaceAddress } from "../address.js";
import { get, upload } from "../api.js";
import { idText, objectPath, objectPlace } from "../state/text.js";
import { trailOf, trailQuery } from "./state/trail.js";
import { deleteObjects } from "./delete.js";
import { fieldEditor } from "./fields.js";
import { drawCrumbs, drawHead, entityPlace } from "./object-head.js";
import { toOneView } from "./relation-one.js";
import { ToManyView } from "./relation-many.js";
import { reportView } from "./report.js";

/**
 * @typedef {object} ObjectHost What a part of the page knows of the whole
 * @property {DataWorld} world
 * @property {string} id the object's name
 * @property {string} onward what keeps the way in addresses of other objects
 * @property {boolean} isStopped
 * @property {(key: string) => boolean} isQuiet whether a field isn't told yet what it lacks
 * @property {(relation: ObjectRelation) => boolean} canSet
 * @property {(key: string, value: any) => Promise<{ problem?: string, page?: ObjectPage }>} set
 * @property {(key: string, change: object) => Promise<boolean>} changeMembers
 */

/** The kinds of fields that are as wide as the page. */
const wideKinds = ["longText", "composite", "tree"];

/**
 * Titles of objects that were seen, for the way back.
 * @type {Map<string, string>}
 */
const titles = new Map();

/**
 * @param {HTMLElement} root
 * @param {string} id
 * @param {Record<string, string>} query
 * @param {DataWorld} world
 * @returns {Promise<ShownPage>}
 */
export async function showObject(root, id, query, world) {
  const page = new ObjectEditor(root, await get(objectPath(id)), query, world);
  page.draw();
  return { showsUnsaved: true, reload: () => page.reload(), stop: () => { page.isStopped = true; } };
}

/** @implements {ObjectHost} */
class ObjectEditor {
  /**
   * @param {HTMLElement} root
   * @param {ObjectPage} object
   * @param {Record<string, string>} query
   * @param {DataWorld} world
   */
  constructor(root, object, query, world) {
    this.object = object;
    this.world = world;
    this.trail = trailOf(query);
    this.isStopped = false;
    /** The number of answers that were shown. */
    this.answers = 0;
    /**
     * The fields that the person had a chance to fill in.
     * @type {Set<string>}
     */
    this.touched = new Set();
    this.onward = trailQuery([...this.trail, object.id]);
    /** The part of the way in the page's own address. */
    this.way = query.trail ? "?" + new URLSearchParams({ trail: query.trail }) : "";
    this.header = h("header.object-head", {});
    this.crumbs = h("nav.crumbs", { "aria-label": "Way back" });
    this.body = h("div.object-body.pad.stack", {});
    show(root, this.crumbs, this.header, this.body);
    /** @type {Map<string, FieldEditor>} */
    this.editors = new Map();
    /** @type {Map<string, RelationView>} */
    this.relations = new Map();
  }

  get id() { return this.object.id; }

  // Sending.

  /**
   * Sends a value. The page shows what became of it.
   * @param {string} key
   * @param {any} value
   */
  async set(key, value) {
    const [name, element] = key.split("."), { world, object } = this;
    this.touched.add(name);
    if (value === undefined) {
      world.refused.drop(this.id, key);
      this.take(object);
      return { page: object };
    }
    const field = object.fields.find((each) => each.key === name);
    const inner = field?.elements?.find((each) => each.key === element);
    const label = [field?.label ?? name, inner?.label].filter(Boolean).join(", ");
    const answer = await world.setValue({ id: this.id, title: object.title }, key, label, value);
    this.take(answer.page ?? this.object);
    return answer;
  }

  /**
   * Sends a file as an attribute's bytes.
   * @param {string} key
   * @param {File} file
   */
  async put(key, file) {
    const page = await attempt(() => this.world.send(() => upload(objectPath(this.id, "bytes", key), file)));
    if (page) this.take(page);
  }

  /**
   * @param {string} key
   * @param {object} change
   */
  async changeMembers(key, change) {
    const page = await attempt(() => this.world.change(objectPath(this.id, "members"), { key, ...change }));
    if (page) this.take(page);
    return Boolean(page);
  }

  async remove() {
    if (!await deleteObjects([this.id], this.world) || this.isStopped) return;
    if (this.object.state === "new") location.hash = entityPlace(this.object.entity);
    else await this.reload();
  }

  // Questions of the parts.

  /**
   * A new object isn't told what it lacks before the person had a chance to fill it in.
   * @param {string} key
   */
  isQuiet(key) { return this.object.state === "new" && !this.touched.has(key) && !this.world.bar.wasRefused; }

  /** @param {ObjectRelation} relation */
  canSet(relation) {
    const { object, world } = this;
    return object.canUpdate && !relation.lock && !world.overview.isReadOnly && object.state !== "deleted"
      && relation.isReadable;
  }

  // Showing.

  /**
   * Shows a new state of the object without disturbing what the person types.
   * @param {ObjectPage} page
   */
  take(page) {
    if (this.isStopped) return;
    if (page.id !== this.id) replaceAddress(objectPlace(page.id) + this.way);
    this.object = page;
    this.answers += 1;
    this.#drawHead();
    for (const field of page.fields) this.editors.get(field.key)?.update(this.#shownField(field));
    for (const relation of page.relationships) this.relations.get(relation.key)?.update(relation);
  }

  draw() {
    const { object } = this;
    this.#drawHead();
    show(this.body,
      object.state === "deleted" && h("p.notice", {},
        "Marked as deleted; it is gone with the next save. Undo brings it back."),
      object.message && h("p.notice.wrong", { role: "alert" }, object.message),
      this.#sections(), object.relationships.filter((relation) => relation.kind !== "toOne").map((relation) =>
        this.#relation(relation)),
      (object.reports ?? []).map((property) => reportView(property, this)));
    this.#focusWanted();
  }

  #drawHead() {
    titles.set(this.id, this.object.title);
    drawCrumbs(this.crumbs, this.object, this.trail, titles);
    drawHead(this.header, this.object, this.world, {
      hasTrail: this.trail.length > 0, reload: () => { this.reload(); }, remove: () => { this.remove(); } });
  }

  /** Attributes and relationships to one object, by the headings that the model gives them. */
  #sections() {
    this.editors.clear();
    this.relations.clear();
    /** @type {Map<string, HTMLElement[]>} */
    const sections = new Map();
    /**
     * @param {string | null | undefined} name
     * @param {HTMLElement} element
     */
    const add = (name, element) => {
      sections.set(name ?? "", [...sections.get(name ?? "") ?? [], element]);
    };
    for (const field of this.object.fields) add(field.section, this.#field(field));
    for (const relation of this.object.relationships) if (relation.kind === "toOne") add(relation.section,
      this.#relation(relation));
    /** @param {HTMLElement} element */
    const isWide = ({ classList }) => wideKinds.some((kind) => classList.contains("kind-" + kind));
    // Fields that take a whole line come last: between others they would leave gaps.
    return [...sections].map(([name, list]) =>
      h("section.panel", { "aria-label": name || "Attributes" }, name && h("h2", {}, name),
        h("div.fields.object-fields", {}, list.filter((field) => !isWide(field)), list.filter(isWide))));
  }

  /**
   * A field with what the page knows of it besides its value.
   * @param {ObjectField} field
   * @returns {ObjectField}
   */
  #shownField(field) {
    const { refused } = this.world, elements = field.elements ?? [];
    return { ...field, isQuiet: this.isQuiet(field.key), refused: refused.of(this.id, field.key),
      refusedElements: Object.fromEntries(elements.map(({ key }) =>
        [key, refused.of(this.id, `${field.key}.${key}`)])) };
  }

  /** @param {ObjectField} field */
  #field(field) {
    const editor = fieldEditor(this.#shownField(field), this.object,
      (key, value) => this.set(key, value), (key, file) => this.put(key, file));
    this.editors.set(field.key, editor);
    return editor;
  }

  /** @param {ObjectRelation} relation */
  #relation(relation) {
    const made = relation.kind === "toOne" ? toOneView(relation, this) : new ToManyView(relation, this);
    this.relations.set(relation.key, made);
    return made.element;
  }

  /** Goes to the field that the person came for; on a new object's page to the first. */
  #focusWanted() {
    const wanted = JSON.parse(sessionStorage.getItem("focus-field") ?? "null");
    if (!wanted || wanted.id !== this.id) return;
    sessionStorage.removeItem("focus-field");
    if (!wanted.key) {
      /** @type {HTMLElement | null} */ (this.body.querySelector(":is(input, select, textarea):not(:disabled)"))?.focus();
      return;
    }
    this.touched.add(wanted.key);
    for (const field of this.object.fields) {
      this.touched.add(field.key);
      this.editors.get(field.key)?.update(this.#shownField(field));
    }
    const [name, element] = wanted.key.split(".");
    const box = this.editors.get(name) ?? this.relations.get(name)?.element;
    const place = element ? box?.querySelector(`[data-key="${CSS.escape(element)}"]`) : box;
    place?.scrollIntoView({ block: "center" });
    // Of a to-many relationship the first button only shows it in another way.
    /** @type {HTMLElement | null | undefined} */
    const control = place?.querySelector("[data-mends]")
      ?? place?.querySelector("input, select, textarea, button");
    control?.focus();
  }

  async reload() {
    const before = this.answers;
    try {
      /** @type {ObjectPage} */
      const page = await get(objectPath(this.id));
      // The result of a change meanwhile is newer.
      if (this.isStopped || this.answers !== before) return;
      const isOther = page.state !== this.object.state
        && (page.state === "deleted" || this.object.state === "deleted");
      if (isOther) { this.object = page; this.draw(); } else this.take(page);
      this.#focusWanted();
    } catch (error) {
      if (error.status === 404) this.#leave(); else toast(error.message, "error");
    }
  }

  /** The object is gone: from one that was new and is undone to its entity. */
  #leave() {
    this.world.refused.drop(this.id);
    if (this.object.state === "new" && !this.isStopped) location.hash = entityPlace(this.object.entity);
    else this.#drawGone();
  }

  #drawGone() {
    const { entity } = this.object;
    show(this.body, empty("The object is gone: it was deleted, or it was new and is undone.",
      h("a.button", { href: entityPlace(entity) }, `Back to ${entity}`)));
    show(this.header, h("h1", {}, idText(this.id)));
  }
}
