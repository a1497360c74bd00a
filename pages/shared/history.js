// Only the user's actions create history entries, and a page writes only to its own URL.
// Streamlit pushes an entry for every change of the query, onto whatever entry is current: a value
// restored on arrival would create a second entry, again after every Back, and a change made while
// leaving a page would end up in the URL of another. Loaded in Streamlit's page before its scripts.

(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let path = location.pathname; // of the current entry
  let hasActed = false; // since the current entry was created or returned to
  let isBack = false; // the visitor went back or forward, and has done nothing since
  /** The URL before the first write since the last action. @type {{ address: string, isNew: boolean } | null} */
  let before = null;

  function act() {
    [hasActed, isBack] = [true, false];
    before = null;
  }

  function went(/** @type {PopStateEvent} */ event) {
    if (!event.isTrusted) return; // sent again, here or by commit_before_click.js
    [hasActed, isBack] = [false, true];
    before = null;
    const isWithinPage = location.pathname === path;
    path = location.pathname;
    if (!isWithinPage) return;
    // The report is sent in a task of its own, with the widgets' values of the entry that was left: after
    // Streamlit's own request, for the new URL, it would bring them back.
    event.stopImmediatePropagation();
    window.dispatchEvent(new Event("wentwithinpage"));
    setTimeout(() => window.dispatchEvent(new PopStateEvent("popstate", { state: event.state })));
  }

  for (const name of ["pointerdown", "keydown", "click", "input", "drop"]) {
    window.addEventListener(name, act, { capture: true, passive: true });
  }
  // Before Streamlit's own listener.
  window.addEventListener("popstate", went, { capture: true });

  history.pushState = (state, unused, url) => {
    const { href } = location;
    if (new URL(url ?? href, href).pathname === location.pathname) {
      before ??= { address: href, isNew: hasActed };
      (hasActed ? push : replace)(state, unused, url);
    } else if (isBack) {
      return; // the page that was shown before answers late: Streamlit would lead there again
    } else {
      // Writes since the user requested this page were not meant for the previous one.
      if (before && !before.isNew) replace(history.state, "", before.address);
      (before?.isNew ? replace : push)(state, unused, url);
      before = null;
    }
    hasActed = false; // one action creates one entry
    path = location.pathname;
  };
})();
