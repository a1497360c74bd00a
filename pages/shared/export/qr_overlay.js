// An overlay with the URL of the page as a QR code over the whole window, for a class to scan. It is
// opened by the key Q or the event "showaddress", in the app and in exported files.

const SCAN_STYLE = `
#pp-scan { max-width: 96vw; max-height: 96vh; padding: 2vmin 4vmin; border: 0; border-radius: 0.6rem; background: #fff; color: #141210; font: 400 clamp(1rem, 2vmin, 1.6rem)/1.4 sans-serif; text-align: center; }
#pp-scan::backdrop { background: rgb(0 0 0 / 0.75); }
#pp-scan svg { display: block; width: min(70vmin, 86vw); margin: 0 auto; background: #fff; fill: #000; forced-color-adjust: none; }
#pp-scan p { max-width: 70vmin; margin: 0.4em auto; overflow-wrap: anywhere; }
#pp-scan button { padding: 0.2em 0.9em; border: 1px solid currentColor; border-radius: 0.4rem; background: none; color: inherit; font: inherit; cursor: pointer; }`;
const KEPT_HERE =
  "Your text is too long for an address, so nobody else can open this screen. “Take it with you” has it as a file.";
const NO_ADDRESS = "This file has no address that others can open. Hand on the file itself.";
const LONG = "This address is too long for a QR code that can be read from afar. “Take it with you” has the link.";

/** The URL that others can open: for a file on disk, the page it was exported from, or "". */
function addressToScan() {
  /** @type {HTMLAnchorElement | null} */
  const home = document.querySelector("footer a[href^=http]");
  if (!location.protocol.startsWith("http")) return home?.href ?? "";
  const url = new URL(location.href);
  for (const name of ["embed", "present"]) url.searchParams.delete(name); // only for this window
  return url.href;
}

/** The content of the overlay: the code, or the reason why there is none. @param {string} address */
function contentFor(address) {
  if (!address) return [make("p", "", NO_ADDRESS)];
  if (new URL(address).searchParams.has("kept")) return [make("p", "", KEPT_HERE)];
  const cells = qrCells(address);
  const code = cells ? qrNode(cells, "QR code of the address of this screen") : make("p", "", LONG);
  return [code, make("p", "", address)];
}

function showAddress() {
  if (document.querySelector("#pp-scan")) return;
  const close = make("button", "", "Close");
  const window_ = make("dialog", "", make("style", "", SCAN_STYLE), ...contentFor(addressToScan()), close);
  Object.assign(window_, { id: "pp-scan", onclose: () => window_.remove() });
  Object.assign(close, { type: "button", onclick: () => window_.close() });
  window_.setAttribute("aria-label", "This screen’s address");
  document.body.append(window_);
  window_.showModal();
}

function onKeyDown(/** @type {KeyboardEvent} */ event) {
  if (event.key !== "q" || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  /** @type {HTMLDialogElement | null} */
  const shown = document.querySelector("#pp-scan");
  if (!shown && isTyping(event)) return;
  event.preventDefault();
  if (shown) shown.close();
  else showAddress();
}

export default function () {
  // Adding the same listener again has no effect.
  document.addEventListener("keydown", onKeyDown);
  window.addEventListener("showaddress", showAddress);
}
