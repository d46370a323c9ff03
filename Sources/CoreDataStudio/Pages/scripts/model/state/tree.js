// @ts-check
// A model as a tree of elements: what is where in it, and how addresses name it.

/**
 * The element of that number, in an element or below it.
 * @param {ModelElement | null | undefined} root
 * @param {number | undefined} id
 * @returns {ModelElement | null}
 */
export function find(root, id) {
  if (!root) return null;
  if (root.id === id) return root;
  for (const child of root.children) {
    const found = find(child, id);
    if (found) return found;
  }
  return null;
}

/**
 * The element that has the one of that number.
 * @param {ModelElement} root
 * @param {number} id
 * @returns {ModelElement | null}
 */
export function parentOf(root, id) {
  if (root.children.some((child) => child.id === id)) return root;
  for (const child of root.children) {
    const found = parentOf(child, id);
    if (found) return found;
  }
  return null;
}

/**
 * @param {ModelElement} root
 * @param {ModelKind} kind
 */
export const ofKind = (root, kind) => root.children.filter((child) => child.kind === kind);

/**
 * @param {ModelElement} root
 * @param {string | null | undefined} name
 */
export const entityNamed = (root, name) =>
  ofKind(root, "entity").find((entity) => entity.values.name === name);

const propertyKinds = ["attribute", "relationship", "fetchedProperty"];

/**
 * An entity’s own and inherited properties.
 * @param {ModelElement} root
 * @param {string | null | undefined} name
 */
export const propertiesOf = (root, name) => lineage(root, name).flatMap((entity) =>
  entity.children.filter((child) => propertyKinds.includes(child.kind)));

/**
 * An entity and its ancestors, each once, also where they go in a circle.
 * @param {ModelElement} root
 * @param {string | null | undefined} name
 */
function lineage(root, name) {
  /** @type {Set<ModelElement>} */
  const found = new Set();
  for (let entity = entityNamed(root, name); entity && !found.has(entity);
    entity = entityNamed(root, entity.values.parentEntity)) found.add(entity);
  return [...found];
}

/**
 * The relationships that can be the inverse of one: those of its destination that lead back to its entity or
 * an ancestor of it, or nowhere yet.
 * @param {ModelElement} root
 * @param {ModelElement} relationship
 */
export function possibleInverses(root, relationship) {
  const back = lineage(root, ownerEntity(root, relationship.id)?.values.name).map((each) => each.values.name);
  return propertiesOf(root, relationship.values.destinationEntity).filter(({ kind, values }) =>
    kind === "relationship" && (!values.destinationEntity || back.includes(values.destinationEntity)));
}

/**
 * The entity that an element is in.
 * @param {ModelElement} root
 * @param {number} id
 */
export function ownerEntity(root, id) {
  let owner = parentOf(root, id);
  while (owner && owner.kind !== "entity" && owner.kind !== "model") owner = parentOf(root, owner.id);
  return owner?.kind === "entity" ? owner : null;
}

/**
 * The worst of the findings about an element and what is in it.
 * @param {ModelElement} element
 * @param {ModelCheck[]} checks
 */
export function severityOf(element, checks) {
  const ids = new Set();
  /** @param {ModelElement} each */
  const collect = (each) => { ids.add(each.id); each.children.forEach(collect); };
  collect(element);
  const found = checks.filter((check) => ids.has(check.id)).map((check) => check.severity);
  return /** @type {const} */ (["error", "warning"]).find((kind) => found.includes(kind));
}

// Addresses.

/** @type {Partial<Record<ModelKind, string>>} */
const areas = { entity: "entities", fetchRequest: "requests", configuration: "configurations",
  composite: "composites" };

/**
 * The kind of elements that an area of the address shows.
 * @param {string} area
 */
export const kindOfArea = (area) => /** @type {ModelKind | undefined} */ (Object.keys(areas).find((kind) =>
  areas[/** @type {ModelKind} */ (kind)] === area));

/**
 * The parts of an element’s address: its area, its name or its owner’s, and its own within that.
 * @param {ModelElement} root
 * @param {ModelElement | null | undefined} element
 * @returns {string[]}
 */
export function addressParts(root, element) {
  if (!element || element.kind === "model") return ["entities"];
  const own = areas[element.kind];
  if (own) return [own, element.values.name ?? ""];
  let owner = parentOf(root, element.id), inner = element;
  while (owner && !areas[owner.kind]) { inner = owner; owner = parentOf(root, owner.id); }
  const area = owner && areas[owner.kind];
  return owner && area ? [area, owner.values.name ?? "", inner.values.name ?? ""] : ["entities"];
}

/**
 * An address in the model's area.
 * @param {string[]} parts
 * @param {string} suffix keeps the version
 */
export const modelPlace = (parts, suffix) => "#/model/" + parts.map(encodeURIComponent).join("/") + suffix;

/** @param {ModelVersion[]} versions */
export const currentVersion = (versions) => versions.find((version) => version.isCurrent)?.name;

/**
 * The part of an address that keeps a version: nothing for the current one.
 * @param {ModelVersion[]} versions
 * @param {string | null} shown
 */
export const versionSuffix = (versions, shown) =>
  shown && shown !== currentVersion(versions) ? "?v=" + encodeURIComponent(shown) : "";
