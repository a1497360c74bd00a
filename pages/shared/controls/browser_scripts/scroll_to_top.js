// @ts-check
// Scrolls to the top when a page shows other content, such as a lesson instead of the list: Streamlit
// does so for another page only.

/** The name of the content. @type {string | undefined} */
let shown;

/** @param {{ data: { shown: string } }} component */
export default function ({ data }) {
  if (shown !== undefined && shown !== data.shown) document.querySelector(".stMain")?.scrollTo(0, 0);
  shown = data.shown;
}
