// @ts-check
// Says when the visitor went back or forward: the address that Python is then told is meant, and no
// late echo of one that it replaced. Draws nothing.

let tell = () => {};
const went = () => tell();

/** @param {{ setStateValue: (name: string, value: number) => void }} component */
export default function ({ setStateValue }) {
  tell = () => setStateValue("went", Date.now());
  // Before Streamlit hears of it, so that what it sends then says so; once more does nothing.
  window.addEventListener("popstate", went, { capture: true });
}
