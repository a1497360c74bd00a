// Keeps the marks of the lessons, and a lesson of one's own, in the browser; draws nothing.
// `data.keep` is null until Python has heard what is stored; then it is what is to be stored. The
// first time that the browser refuses, Python hears that, too. In front of it: storage.js.

const PLACE = "piece-by-piece:lessons";
let isRefused = false;

/** @param {Mounting<{ keep: object | null }>} given */
export default function ({ data, setStateValue }) {
  if (!data.keep) {
    setStateValue("told", readValue("localStorage", PLACE, isRecord) ?? {});
  } else if (!storeText("localStorage", PLACE, JSON.stringify(data.keep)) && !isRefused) {
    isRefused = true;
    setStateValue("refused", true);
  }
}
