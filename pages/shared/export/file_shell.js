// The common part of every exported file's script: decodes embedded data, reports the height to an
// embedding page, switches the theme. Put before the file's own script.

/** Decode the base64 content of an element. @param {Element} element */
function bytesOf(element) {
  return Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
}

/**
 * Return a message with its header replaced by `change(header)`.
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

/** Ignore errors of history.replaceState: a file in a strict frame may not change its URL. */
function ignoreHistoryErrors() {
  const replace = history.replaceState.bind(history);
  history.replaceState = (...to) => {
    try {
      replace(...to);
    } catch {
      // then the URL has no step
    }
  };
}

/** Report the height of the file to a page that embeds it in a frame. */
function reportHeight() {
  if (parent === window) return;
  new ResizeObserver(() => {
    const height = document.documentElement.offsetHeight;
    parent.postMessage({ type: "piece-by-piece-height", height }, "*");
  }).observe(document.documentElement);
}

/** Start in the system's theme; the button switches it. */
function initThemeButton() {
  const { style } = document.documentElement;
  const set = (/** @type {boolean} */ isDark) => (style.colorScheme = isDark ? "dark" : "light");
  set(matchMedia("(prefers-color-scheme: dark)").matches);
  document.querySelector("#light").addEventListener("click", () => set(style.colorScheme === "light"));
}
