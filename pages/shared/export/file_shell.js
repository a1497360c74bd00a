// What every file that is taken along does around what it shows: it opens what was packed in, tells
// its height, turns light or dark. Put in front of the file's own script.

/** The bytes that an element of the file holds. @param {Element} element */
function bytesOf(element) {
  return Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
}

/**
 * A message with another header, which `change` makes of the old one: of the player, for one.
 * @param {Uint8Array} message @param {(header: PlayerMessage) => object} change
 */
function withHeader(message, change) {
  const size = new DataView(message.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + size)));
  const text = new TextEncoder().encode(JSON.stringify(change(header)));
  const rest = message.subarray(4 + size);
  const changed = new Uint8Array(4 + text.length + rest.length);
  new DataView(changed.buffer).setUint32(0, text.length, true);
  changed.set(text, 4);
  changed.set(rest, 4 + text.length);
  return changed;
}

/** A file in a strict frame may not change its address: it does without. */
function ignoreHistoryErrors() {
  const replace = history.replaceState.bind(history);
  history.replaceState = (...to) => {
    try {
      replace(...to);
    } catch {
      // the step is not in the address then
    }
  };
}

/** Says to a page that has this file in a frame how high it is. */
function reportHeight() {
  if (parent === window) return;
  new ResizeObserver(() => {
    const height = document.documentElement.offsetHeight;
    parent.postMessage({ type: "piece-by-piece-height", height }, "*");
  }).observe(document.documentElement);
}

/** Light or dark is the reader's: at first as the system has it, then by the button. */
function initThemeButton() {
  const { style } = document.documentElement;
  const turn = (/** @type {boolean} */ isDark) => (style.colorScheme = isDark ? "dark" : "light");
  turn(matchMedia("(prefers-color-scheme: dark)").matches);
  document.querySelector("#light").addEventListener("click", () => turn(style.colorScheme === "light"));
}
