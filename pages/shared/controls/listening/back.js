// @ts-check
// Says when the visitor went back or forward within a page: the address that Python is then told is
// meant, and no late echo of one that it replaced. Draws nothing.

/** The page that is shown, by its name in the address. */
let page = "";
let tell = () => {};

function went() {
  // Another page is Streamlit's to ask for; to be told of this one as well, it would stay here.
  if (location.pathname.split("/").pop() === page) tell();
}

/** @param {{ data: { page: string }, setStateValue: (name: string, value: number) => void }} component */
export default function ({ data, setStateValue }) {
  page = data.page;
  tell = () => setStateValue("went", Date.now());
  // Before Streamlit hears of it, so that what it sends then says so; once more does nothing.
  window.addEventListener("popstate", went, { capture: true });
}
