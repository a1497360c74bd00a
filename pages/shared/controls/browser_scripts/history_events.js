// @ts-check
// Reports when the user goes back or forward within a page (history.js): the URL that Python then
// receives is meant, and not the echo of one that it has replaced.

let report = () => {};
const onNavigation = () => report();

/** @param {{ setStateValue: (name: string, value: number) => void }} component */
export default function ({ setStateValue }) {
  report = () => setStateValue("went", Date.now());
  window.addEventListener("wentwithinpage", onNavigation); // adding it again has no effect
}
