// Stores the marks of the lessons and the custom lesson in the browser; draws nothing.
// `data.progress` is null until Python has received the stored progress; then it is the progress
// to store. The first failure to store is reported. Loaded after storage.js.

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
