// @ts-check
// Says when the visitor went back or forward within a page (history.js): the address that Python is
// then told is meant, and no late echo of one that it replaced. Draws nothing.

let tell = () => {};
const went = () => tell();

/** @param {{ setStateValue: (name: string, value: number) => void }} component */
export default function ({ setStateValue }) {
  tell = () => setStateValue("went", Date.now());
  window.addEventListener("wentwithinpage", went); // once more does nothing
}
