// The URL of the page as a QR code over the whole window, for a class to scan.

const KEPT_HERE =
  "Your text is too long for an address, so nobody else can open this screen. “Take it with you” has it as a file.";
const NO_ADDRESS = "This file has no address that others can open. Hand on the file itself.";
const LONG = "This address is too long for a QR code that can be read from afar. “Take it with you” has the link.";

/** The host and port by which others reach this server, and what to say about it: menu/links.py. */
let reach = { host: "", note: "" };

/** The URL that others can open: for a file on disk, the page it was exported from, or "". */
function addressToScan() {
  /** @type {HTMLAnchorElement | null} */
  const home = document.querySelector("footer a[href^=http]");
  if (!location.protocol.startsWith("http")) return home?.href ?? "";
  const url = new URL(location.href);
  for (const name of ["embed", "present", "tell", "back", "take", "edit", "teacher"]) url.searchParams.delete(name); // only for this window
  window.dispatchEvent(new CustomEvent("addressasked", { detail: url.searchParams })); // of a picture that asks
  if (reach.host) url.host = reach.host;
  return url.href;
}

/** The content of the overlay: the code, or the reason why there is none. */
function qrContent() {
  const address = addressToScan();
  if (!address) return [make("p", "", NO_ADDRESS)];
  if (new URL(address).searchParams.has("kept")) return [make("p", "", KEPT_HERE)];
  const cells = qrCells(address);
  const code = cells ? qrNode(cells, "QR code of the address of this screen") : make("p", "", LONG);
  const note = reach.note ? [make("p", "pp-reach", reach.note)] : [];
  return [code, make("p", "", address), ...note];
}
