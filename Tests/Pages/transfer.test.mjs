// Properties that go from one entity to another.

import assert from "node:assert/strict";
import test from "node:test";
import { canHold, holdersOf } from "../../Sources/CoreDataStudio/Pages/scripts/model/state/transfer.js";

const element = (kind, name, children = []) => ({ id: name.length, kind, values: { name }, children });
const attribute = element("attribute", "name"), relationship = element("relationship", "boss"), index = element("fetchIndex", "byName");

test("Entities hold properties, composite types attributes, and others nothing", () => {
  const entity = element("entity", "Hero"), composite = element("composite", "Address");
  assert.equal(canHold(entity, [attribute, relationship]), true);
  assert.equal(canHold(composite, [attribute]), true);
  assert.equal(canHold(composite, [attribute, relationship]), false);
  assert.equal(canHold(entity, [attribute, index]), false);
  assert.equal(canHold(entity, []), false);
  assert.equal(canHold(element("configuration", "C"), [attribute]), false);
  assert.equal(canHold(undefined, [attribute]), false);
  const root = { ...element("model", ""), children: [entity, composite, element("fetchRequest", "F")] };
  assert.deepEqual(holdersOf(root, [relationship]).map(({ values }) => values.name), ["Hero"]);
});
