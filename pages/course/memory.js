// Keeps the marks of the lessons, and a lesson of one's own, in the browser; draws nothing.
// `data.keep` is null until Python has heard what is stored; then it is what is to be stored.
// In front of it: keeping.js.

const PLACE = "piece-by-piece:lessons";

/** @param {Mounting<{ keep: object | null }>} given */
export default function ({ data, setStateValue }) {
  if (data.keep) keep(PLACE, data.keep);
  else setStateValue("told", kept(PLACE));
}
