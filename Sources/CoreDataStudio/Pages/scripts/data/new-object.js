// @ts-check
// A new object, and the way to its page.

import { staying } from "../address.js";
import { attempt } from "../dialogs.js";
import { objectPlace } from "../state/text.js";

/**
 * Makes an object and goes to the first field of its page, unless the person went elsewhere meanwhile.
 * @param {string} entity
 * @param {DataWorld} world
 */
export const addObject = (entity, world, stays = staying()) => attempt(async () => {
  const object = await world.change("data/objects", { entity });
  if (!stays()) return;
  sessionStorage.setItem("focus-field", JSON.stringify({ id: object.id }));
  location.hash = objectPlace(object.id);
});
