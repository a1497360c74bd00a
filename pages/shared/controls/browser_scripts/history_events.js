// @ts-check
// Reports when the user goes back or forward within a page (history.js): the URL that Python then
// receives is meant, and not the echo of one that it has replaced. Also reports when a switch is written
// to the URL (presenter_base.js).

let report = (/** @type {string} */ _name) => {};
const onNavigation = () => report("went");
const onSwitch = () => report("switched");

/** @param {{ setStateValue: (name: string, value: number) => void }} component */
export default function ({ setStateValue }) {
  report = (name) => setStateValue(name, Date.now());
  window.addEventListener("wentwithinpage", onNavigation); // adding it again has no effect
  window.addEventListener("switched", onSwitch);
}
