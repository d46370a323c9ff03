// @ts-check
// An entity of the model as the predicate builder wants it.

/**
 * The fields that the builder asks for, by the type of an attribute.
 * @type {Record<string, FieldKind | undefined>}
 */
const kinds = {
  "Integer 16": "number", "Integer 32": "number", "Integer 64": "number", Double: "number", Float: "number",
  Decimal: "decimal", Date: "date",
  Boolean: "boolean", UUID: "uuid", URI: "uri", Binary: "binary", Transformable: "tree",
  Composite: "composite", String: "text",
};

/**
 * @param {string} name
 * @param {ModelElement[]} properties its own and inherited ones
 * @returns {BuilderEntity}
 */
export function builderEntity(name, properties) {
  return {
    name, titleKey: properties.find((each) => each.values.attributeType === "String")?.values.name,
    attributes: properties.filter((each) => each.kind === "attribute").map(({ values }) => (
      { key: values.name, label: values.name, kind: kinds[values.attributeType] ?? "text" })),
    relationships: properties.filter((each) => each.kind === "relationship").map(({ values }) => ({
      key: values.name, label: values.name, destination: values.destinationEntity, creates: [],
      kind: values.toMany ? (values.ordered ? "ordered" : "toMany") : "toOne",
    })),
  };
}
