// @ts-check
// The door of a shared studio: trades the secret of a link for a session, when the person says so. Programs
// that look at links beforehand run no scripts or press no buttons, so that they don't use a link up.

const token = new URLSearchParams(location.hash.slice(1)).get("token");
// Out of the address at once: neither a bookmark nor a picture of the window keeps it.
history.replaceState(null, "", location.pathname);

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const words = element("words"), problem = element("problem");
const button = /** @type {HTMLButtonElement} */ (element("enter"));

/** @param {string} text */
function fail(text) {
  problem.textContent = text;
  problem.hidden = false;
  button.hidden = true;
}

async function enter() {
  button.disabled = true;
  try {
    const answer = await fetch("enter",
      { method: "POST", credentials: "same-origin", body: JSON.stringify({ token }) });
    if (answer.ok) location.replace(location.pathname);
    else fail((await answer.json()).error.message);
  } catch {
    fail("The server doesn’t answer.");
  }
}

if (token) {
  words.textContent = "Your link lets this browser in, once. What you save is kept under your name.";
  button.addEventListener("click", enter);
  button.hidden = false;
  button.focus();
}
