// Keeps the marks of the lessons, and a lesson of one's own, in the browser; draws nothing.
// `data.keep` is null until Python has heard what is stored; then it is what is to be stored.

const PLACE = "piece-by-piece:lessons";

/** What is stored, or nothing where the visitor does not allow that. */
function stored() {
  try {
    return JSON.parse(window.localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

/** @typedef {(name: string, value: object) => void} Tell */
/** @param {{data: {keep: object | null}, setStateValue: Tell}} component */
export default function ({ data, setStateValue }) {
  if (!data.keep) return setStateValue("told", stored());
  try {
    window.localStorage.setItem(PLACE, JSON.stringify(data.keep));
  } catch {
    // Full, or not allowed: the address still holds the marks of this lesson.
  }
}
