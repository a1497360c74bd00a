// @ts-check
// Scrolls to the top when other content is shown: another page, or a lesson instead of the list.
// Streamlit leaves the window where it was, and the next page grows above what is in sight.

/** The names of the content that was shown last, by its kind. @type {Record<string, string>} */
const last = {};

/** @param {{ data: Record<string, string> }} component */
export default function ({ data }) {
  for (const [kind, shown] of Object.entries(data)) {
    if (kind in last && last[kind] !== shown) document.querySelector(".stMain")?.scrollTo(0, 0);
    last[kind] = shown;
  }
}
