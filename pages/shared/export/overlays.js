// Overlays over the whole window, in the app and in exported files: the page's URL as a QR code (key Q
// or event "showaddress") and the table of keys (key ? or event "showkeys").

const OVERLAY_STYLE = `
.pp-overlay { box-sizing: border-box; max-width: 96vw; max-height: 96vh; padding: 2vmin 4vmin; border: 0; border-radius: 0.6rem; font: 400 clamp(1rem, 2vmin, 1.6rem)/1.4 "Source Sans", sans-serif; text-align: center; }
.pp-overlay::backdrop { background: rgb(0 0 0 / 0.75); }
.pp-overlay > button { margin-top: 0.6em; padding: 0.2em 0.9em; border: 1px solid currentColor; border-radius: 0.4rem; background: none; color: inherit; font: inherit; cursor: pointer; }
.pp-overlay > button:focus-visible { outline: 0.125rem solid; outline-offset: 0.125rem; }
#pp-scan { background: #fff; color: #141210; }
#pp-scan svg { display: block; width: min(70vmin, 86vw); margin: 0 auto; background: #fff; fill: #000; forced-color-adjust: none; }
#pp-scan p { max-width: 70vmin; margin: 0.4em auto; overflow-wrap: anywhere; }
#pp-scan .pp-reach { max-width: 36em; font-weight: 600; }
#pp-keys { background: light-dark(#fffdf9, #202228); color: light-dark(#141210, #eeeae2); text-align: start; }
#pp-keys h2 { margin: 0 0 0.4em; padding: 0; font: 600 1.3em/1.2 "Source Serif", serif; }
.pp-keys-table { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24em, 100%), 1fr)); gap: 0.6em 2.5em; align-items: start; width: min(56em, 88vw); }
.pp-keys-table th, .pp-keys-table td { padding: 0.12em 0.7em 0.12em 0; border: 0; text-align: start; vertical-align: baseline; }
.pp-keys-table [scope="rowgroup"] { padding-top: 0; font-weight: 600; }
.pp-keys-table [scope="row"] { width: 5.5em; font-weight: 400; white-space: nowrap; }
.pp-keys-table kbd { padding: 0.05em 0.45em; border: 1px solid; border-radius: 0.3em; background: none; color: inherit; font: inherit; }`;

/** By key: the overlay's id, its name, and what it shows. @type {Record<string, [id: string, name: string, content: () => Node[]]>} */
const OVERLAYS = {
  q: ["pp-scan", "This screen’s address", qrContent],
  "?": ["pp-keys", "Keys", keysContent],
};

/** The overlay on the screen, if any. @returns {HTMLDialogElement | null} */
const shownOverlay = () => document.querySelector(".pp-overlay[open]"); // one that Escape closed goes a moment later

/** Closes an overlay, and removes it at once: while its button has the focus, keys are not the page's. */
function closeOverlay(/** @type {HTMLDialogElement} */ overlay) {
  overlay.close(); // gives the focus back
  overlay.remove();
}

function showOverlay(/** @type {string} */ key) {
  if (shownOverlay()) return;
  const [id, name, content] = OVERLAYS[key];
  const close = make("button", "", "Close");
  const overlay = make("dialog", "pp-overlay", make("style", "", OVERLAY_STYLE), ...content(), close);
  Object.assign(overlay, { id, onclose: () => overlay.remove() });
  Object.assign(close, { type: "button", onclick: () => closeOverlay(overlay) });
  overlay.setAttribute("aria-label", name);
  (document.querySelector(".stApp") ?? document.body).append(overlay); // as light or dark as the app
  overlay.showModal();
}

function onKeyDown(/** @type {KeyboardEvent} */ event) {
  const overlay = OVERLAYS[event.key];
  if (!overlay || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const shown = shownOverlay();
  if (!shown && isTyping(event)) return;
  event.preventDefault();
  if (shown?.id === overlay[0]) closeOverlay(shown);
  else showOverlay(event.key);
}

function onOverlayClick(/** @type {Event} */ { target }) {
  if (target instanceof Element && target.closest(".pp-keys")) showOverlay("?"); // a page's foot
}
const showAddress = () => showOverlay("q");
const showKeys = () => showOverlay("?");

/** @param {Partial<Mounting<typeof reach>>} [given] */
export default function (given) {
  if (given?.data) reach = given.data;
  // Adding the same listener again has no effect.
  document.addEventListener("keydown", onKeyDown);
  document.addEventListener("click", onOverlayClick);
  window.addEventListener("showaddress", showAddress);
  window.addEventListener("showkeys", showKeys);
}
