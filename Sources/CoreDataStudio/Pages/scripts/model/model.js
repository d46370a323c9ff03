// The model page.
import { show, empty } from "./ui.js";
export const title = "Model";
export async function show_(root) { show(root, empty("There is nothing here yet.")); }
export { show_ as show };
