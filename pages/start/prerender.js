// Shows the prerendered start page, and removes it once the app has painted the same.
// Runs after the aligned view (as `mount`) and storage.js.

(() => {
  /** @type {HTMLElement} */
  const look = document.querySelector("#prerender");
  // Closed: queries for a title or a token then find the app's only.
  const inside = look.attachShadow({ mode: "closed" });
  inside.append(look.querySelector("template").content);
  const rows = inside.querySelector(".rows");
  const parentElement = rows.attachShadow({ mode: "closed" });
  parentElement.append(rows.querySelector("template").content);

  // Streamlit's own rule: the theme chosen here before, else the system's.
  const theme = readText("localStorage", `stActiveTheme-${location.pathname}-v2`) ?? "";
  for (const one of ["Light", "Dark"]) if (theme.includes(one)) look.style.colorScheme = one.toLowerCase();

  const data = JSON.parse(document.querySelector("#prerender-message").textContent);
  mount({ data, parentElement });
  requestAnimationFrame(() => requestAnimationFrame(() => look.setAttribute("data-drawn", "")));

  const app = document.querySelector("#root");
  const watch = new MutationObserver(() => {
    if (!app.querySelector("[data-painted], .stAlert")) return; // its rows, or an error
    watch.disconnect();
    // The names beside the rows are placed in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => look.remove()));
  });
  watch.observe(app, { subtree: true, childList: true, attributeFilter: ["data-painted"] });
  app.addEventListener("focusin", () => look.remove(), { once: true }); // the app is in use already
})();
