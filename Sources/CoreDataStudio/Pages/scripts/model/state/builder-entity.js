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
 * Composite attributes with their elements; a type that is in itself, which is a mistake, ends there.
 * @param {ModelElement[]} attributes
 * @param {ModelElement[]} composites the model's composite types
 * @returns {Attribute[]}
 */
const described = (attributes, composites) => attributes.map(({ values }) => {
  const type = values.attributeType === "Composite"
    && composites.find((each) => each.values.name === values.composite);
  const attribute = { key: values.name, label: values.name, kind: kinds[values.attributeType] ?? "text" };
  return type ? { ...attribute,
    elements: described(type.children.filter((each) => each.kind === "attribute"),
      composites.filter((each) => each !== type)) } : attribute;
});

/**
 * @param {string} name
 * @param {ModelElement[]} properties its own and inherited ones
 * @param {ModelElement[]} composites the model's composite types
 * @returns {BuilderEntity}
 */
export function builderEntity(name, properties, composites = []) {
  return {
    name, titleKey: properties.find((each) => each.values.attributeType === "String")?.values.name,
    attributes: described(properties.filter((each) => each.kind === "attribute"), composites),
    relationships: properties.filter((each) => each.kind === "relationship").map(({ values }) => ({
      key: values.name, label: values.name, destination: values.destinationEntity, creates: [],
      kind: values.toMany ? (values.ordered ? "ordered" : "toMany") : "toOne",
    })),
  };
}
