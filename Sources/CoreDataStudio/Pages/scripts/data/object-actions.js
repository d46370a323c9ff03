// @ts-check
// What the app offers to do with objects.

import { ask, attempt, menu, toast } from "../dialogs.js";
import { visible } from "../state/text.js";

/**
 * A menu of the app's actions on some rows.
 * @param {HTMLElement} anchor
 * @param {EntityPage} entity
 * @param {string[]} ids
 * @param {DataWorld} world
 * @param {() => void} done shows what was changed
 */
export function actionMenu(anchor, entity, ids, world, done) {
  /** @param {ObjectAction} action */
  const run = ({ name, question }) => attempt(async () => {
    if (question && !await ask(name, question, [[true, name, "primary"], [false, "Cancel", "quiet"]])) return;
    const answer = await world.change("data/actions", { entity: entity.name, action: name, ids });
    if (answer.message) toast(visible(answer.message), "good");
    done();
  });
  menu(anchor, entity.actions.map((action) => [action.name, () => run(action)]));
}
