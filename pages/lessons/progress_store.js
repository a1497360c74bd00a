// Keeps the marks of the lessons, and a lesson of one's own, in the browser; draws nothing.
// `data.progress` is null until Python has heard what is stored; then it is what is to be stored. The
// first time that the browser refuses, Python hears that, too. In front of it: storage.js.

const STORAGE_KEY = "piece-by-piece:lessons";
let hasFailed = false;

/** @param {Mounting<{ progress: object | null }>} given */
export default function ({ data, setStateValue }) {
  if (!data.progress) {
    setStateValue("stored", readValue("localStorage", STORAGE_KEY, isRecord) ?? {});
  } else if (!storeText("localStorage", STORAGE_KEY, JSON.stringify(data.progress)) && !hasFailed) {
    hasFailed = true;
    setStateValue("failed", true);
  }
}
