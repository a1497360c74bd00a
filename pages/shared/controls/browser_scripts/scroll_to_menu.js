// @ts-check
// Scrolls to the export menu that a link opens: what is above it is drawn later, and moves it down.

const LONGEST_MS = 15_000;
const ACTS = ["wheel", "touchmove", "pointerdown", "keydown"]; // from then on, the visitor scrolls

/** The number of the last time that a link opened the menu. @type {number | undefined} */
let last;

/** @param {{ data: { visit: number } }} component */
export default function ({ data }) {
  if (data.visit === last) return;
  last = data.visit;
  const show = () => document.querySelector(".st-key-export")?.scrollIntoView({ block: "start" });
  const observer = new ResizeObserver(show);
  const content = document.querySelector(".stMain")?.firstElementChild;
  if (content) observer.observe(content);
  const done = new AbortController();
  done.signal.addEventListener("abort", () => observer.disconnect());
  for (const act of ACTS) addEventListener(act, () => done.abort(), { capture: true, signal: done.signal });
  setTimeout(() => done.abort(), LONGEST_MS);
}
