// @ts-check
// The inspector's fields: which apply to an element, and what is said about them.

/**
 * The name of each kind of element.
 * @type {Record<ModelKind, string>}
 */
export const kindNames = {
  model: "Model", entity: "Entity", attribute: "Attribute", relationship: "Relationship",
  fetchedProperty: "Fetched property",
  fetchRequest: "Fetch request", configuration: "Configuration", composite: "Composite type",
  fetchIndex: "Index", fetchIndexElement: "Index element",
};

/**
 * Tells whether an element has a field.
 * @param {Pick<FieldDescription, "key" | "types">} description
 * @param {Pick<ModelElement, "values">} element
 */
export function applies({ key, types }, { values }) {
  switch (key) {
    case "derivationExpression": case "filteringPredicate": return values.derived === true;
    case "ordered": case "maxCount": case "minCount": return values.toMany === true;
    case "indexed": return values.indexed === true;
    case "expressionType": return Boolean(values.expression);
    default: return !types.length || types.includes(values.attributeType ?? "Undefined");
  }
}

/**
 * The fields of several elements of one kind, each with those that have it; by their headings.
 * @param {FieldDescription[]} descriptions
 * @param {ModelElement[]} elements
 */
export function sections(descriptions, elements) {
  /** @type {{ name: string, fields: { description: FieldDescription, elements: ModelElement[] }[] }[]} */
  const found = [];
  for (const description of descriptions) {
    const concerned = elements.filter((element) => applies(description, element));
    if (!concerned.length || (elements.length > 1 && !description.isShared)) continue;
    if (found.at(-1)?.name !== description.section) found.push({ name: description.section, fields: [] });
    found.at(-1)?.fields.push({ description, elements: concerned });
  }
  return found;
}

/**
 * The value that several elements have in common.
 * @param {FieldDescription} description
 * @param {ModelElement[]} elements
 */
export function sharedValue({ key, kind }, elements) {
  const values = elements.map((element) => element.values[key] ?? (kind === "flag" ? false : ""));
  const isMixed = values.some((value) => value !== values[0]);
  return { isMixed, value: isMixed ? "" : values[0] };
}

/**
 * A sentence below a field.
 * @param {FieldDescription} description
 * @param {Pick<ModelElement, "values">} element
 * @returns {string | undefined}
 */
export function hintOf({ key, help }, { values }) {
  const isDate = values.attributeType === "Date", since = "As 2024-05-01 or 2024-05-01T10:20:30Z";
  if (key === "defaultValue") return isDate ? since : values.attributeType === "Boolean" ? "YES or NO"
    : undefined;
  if (key === "minimum" || key === "maximum") return isDate ? since : values.attributeType === "String"
    ? "Of its length" : undefined;
  return help;
}

/**
 * Tells whether a finding is about a field.
 * @param {ModelCheck} check
 * @param {string} key
 */
const isAbout = ({ field }, key) => field === key || (field === undefined && key === "name")
  || (field === "entity" && key === "destinationEntity");

/** @param {ModelCheck} check */
const words = (check) => check.position !== undefined ? `${check.message} (character ${check.position + 1})`
  : check.message;

/**
 * The messages about a field: its faults, and its doubtful points.
 * @param {ModelCheck[]} checks
 * @param {string} key
 */
export function findings(checks, key) {
  const found = checks.filter((check) => isAbout(check, key));
  const [errors, others] = [found.filter((check) => check.severity === "error"),
    found.filter((check) => check.severity !== "error")];
  return { errors: errors.map(words).join(" "), others: others.map(words).join(" ") };
}
