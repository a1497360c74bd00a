// @ts-check
// Begins at the top what a page shows in place of something else, as a lesson of the list: Streamlit
// does so for another page only, and would keep where the list was scrolled to. Draws nothing.

/** What is shown. @type {string | undefined} */
let shown;

/** @param {{ data: { shown: string } }} component */
export default function ({ data }) {
  if (shown !== undefined && shown !== data.shown) document.querySelector(".stMain")?.scrollTo(0, 0);
  shown = data.shown;
}
