// The data page.
import { show, empty } from "./ui.js";
export const title = "Data";
export async function show_(root) { show(root, empty("There is nothing here yet.")); }
export { show_ as show };
