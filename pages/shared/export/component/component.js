// What Streamlit does for a component in the app, done inside a file: it hands over the message,
// keeps the place (in the address, behind the #), presents, and turns light or dark. It fetches
// nothing. In front of it: the component (mount), mountQrOverlay and file_shell.js.

export {}; // a module, as the page has it: its names are its own

const parentElement = find("#screen").shadowRoot;
/** @type {ComponentConfig} */
const { form, presents, told, parts } = JSON.parse(find("#how").textContent);
const message = await unpacked("#message");
/** By part and value: what the message has with it. @type {Record<string, Record<StateValue, object>>} */
const brings = read(await unpacked("#brings"));
let sent = 1; // the number of our last wish
let place = asked(location.hash);
let isLarge = false;
let isFull = false; // whether the browser has given the whole screen

function find(/** @type {string} */ selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

function read(/** @type {Uint8Array} */ bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** What an element holds, packed by zlib. @param {string} selector */
async function unpacked(selector) {
  const stream = new Blob([bytesOf(find(selector))]).stream();
  const unpacking = stream.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(unpacking).arrayBuffer());
}

// ---- the message: as it was sent in the app, but for the place and the size of the type ----

/** @type {Record<ComponentConfig["form"], (change: object) => object>} */
const FORMS = {
  object: (change) => ({ ...read(message), ...change }),
  json: (change) => new TextEncoder().encode(JSON.stringify({ ...read(message), ...change })),
  headed: (change) => withHeader(message, (header) => ({ ...header, ...change })),
};

function show() {
  const brought = parts.map(({ name }) => brings[name]?.[place[name]] ?? {});
  const large = isLarge ? { large: true } : {};
  const data = FORMS[form](Object.assign({}, ...brought, place, told ? { key: `${sent}` } : {}, large));
  mount({ data, parentElement, setStateValue: hear });
}

// ---- the place ----

/**
 * The value that a word of the address stands for; between two numbers, the smaller one.
 * @param {StatePart} part @param {string} word
 */
function valueAt({ values, words }, word) {
  const exact = words.indexOf(word);
  if (exact >= 0) return values[exact];
  if (!/^\d{1,9}$/.test(word) || !words.every((one) => /^\d+$/.test(one))) return undefined;
  return values[Math.max(words.findLastIndex((one) => Number(one) <= Number(word)), 0)];
}

/** The place that the end of an address asks for; what it leaves out is as it was taken along. */
function asked(/** @type {string} */ hash) {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(
    parts.map((part) => [part.name, valueAt(part, given.get(part.inAddress) ?? "") ?? part.own]),
  );
}

/** The component says where it rests. @param {string} name @param {StateValue[]} value */
function hear(name, value) {
  if (name !== told || value.at(-1) !== `${sent}`) return;
  place = Object.fromEntries(parts.map((part, n) => [part.name, value[n]]));
  const words = parts.map((part) => [part.inAddress, part.words[part.values.indexOf(place[part.name])]]);
  const url = new URL(location.href);
  url.hash = new URLSearchParams(words).toString();
  history.replaceState(history.state, "", url);
  if (parts.some((part) => part.name in brings)) show();
}

// The new address as the browser tells it: a component at rest may have written its own over it.
window.addEventListener("hashchange", ({ newURL }) => {
  sent += 1;
  place = asked(new URL(newURL).hash);
  show();
});

// ---- presenter view: the picture alone, in large type ----

function present(/** @type {boolean} */ isOn) {
  isLarge = isOn;
  document.documentElement.classList.toggle("presenting", isOn);
  find("#podium").hidden = !isOn;
  if (isOn) document.documentElement.requestFullscreen?.()?.then(filled, () => {}); // or the window is enough
  else if (isFull && document.fullscreenElement) document.exitFullscreen();
  isFull = false;
  show();
  find(isOn ? "#leave" : "#present").focus({ preventScroll: true });
}

/** The browser has given the whole screen, perhaps when it is not wanted any more. */
function filled() {
  isFull = isLarge;
  if (!isLarge) document.exitFullscreen();
}

function press(/** @type {KeyboardEvent} */ event) {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  /** @type {Record<string, () => void>} */
  const acts = { p: () => present(!isLarge), t: toggleTheme };
  if (isLarge) acts.Escape = () => present(false);
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function toggleTheme() {
  find("#light").click();
}

find("#present").hidden = presents; // then it has a button and keys of its own
if (!presents) {
  document.addEventListener("keydown", press);
  document.addEventListener("fullscreenchange", () => isFull && !document.fullscreenElement && present(false));
  find("#present").onclick = () => present(true);
  find("#leave").onclick = () => present(false);
  find("#turn").onclick = toggleTheme;
}
ignoreHistoryErrors();
initThemeButton();
reportHeight();
mountQrOverlay();
show();
