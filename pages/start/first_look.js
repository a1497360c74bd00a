// Shows Start's first look at once, and makes way when the app has painted the same.
// In front of it: the rows of the app, as `mount`, and storage.js.

(() => {
  /** @type {HTMLElement} */
  const look = document.querySelector("#first-look");
  // Closed: whoever looks for a title or a token finds one of each, the app's.
  const inside = look.attachShadow({ mode: "closed" });
  inside.append(look.querySelector("template").content);
  const rows = inside.querySelector(".rows");
  const parentElement = rows.attachShadow({ mode: "closed" });
  parentElement.append(rows.querySelector("template").content);

  // Light or dark as Streamlit will have it: what was chosen here before, or else the system's.
  const theme = readText("localStorage", `stActiveTheme-${location.pathname}-v2`) ?? "";
  for (const one of ["Light", "Dark"]) if (theme.includes(one)) look.style.colorScheme = one.toLowerCase();

  const data = new TextEncoder().encode(document.querySelector("#first-rows").textContent);
  mount({ data, parentElement });
  requestAnimationFrame(() => requestAnimationFrame(() => look.setAttribute("data-drawn", "")));

  const app = document.querySelector("#root");
  const watch = new MutationObserver(() => {
    if (!app.querySelector("[data-painted], .stAlert")) return; // its rows, or why there are none
    watch.disconnect();
    // The names beside the rows are placed in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => look.remove()));
  });
  watch.observe(app, { subtree: true, childList: true, attributeFilter: ["data-painted"] });
  app.addEventListener("focusin", () => look.remove(), { once: true }); // somebody is there already
})();
