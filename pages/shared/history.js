// A visitor makes the entries of the browser's history, and a page writes only into its own address.
// Streamlit makes an entry of whatever a page says of its address, and puts it into the one that is
// shown just then: a value that is restored on arrival would make a second entry, and again whenever
// Back leads to the first; and what is said as somebody leaves, or before the next page has its own
// address, would stand in the wrong one. Part of Streamlit's own page, before its scripts.

(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  let path = location.pathname; // of the entry that is shown
  let hasActed = false; // since the last entry was made, or gone back to
  let isBack = false; // the visitor went back or forward, and has done nothing since
  /** What was shown before the first write since somebody acted. @type {{ address: string, isNew: boolean } | null} */
  let before = null;

  function act() {
    [hasActed, isBack] = [true, false];
    before = null;
  }

  function went(/** @type {Event | undefined} */ event) {
    if (event?.isTrusted === false) return; // it is told a second time, see commit.js
    [hasActed, isBack] = [false, true];
    before = null;
    // Another page is Streamlit's to ask for; to be told of this one as well, it would stay here.
    if (location.pathname === path) window.dispatchEvent(new Event("wentwithinpage"));
    path = location.pathname;
  }

  for (const name of ["pointerdown", "keydown", "click", "input", "drop"]) {
    window.addEventListener(name, act, { capture: true, passive: true });
  }
  // Before Streamlit hears of it, so that what it sends then says so.
  window.addEventListener("popstate", went, { capture: true });

  history.pushState = (state, unused, url) => {
    const { href } = location;
    if (new URL(url ?? href, href).pathname === location.pathname) {
      before ??= { address: href, isNew: hasActed };
      (hasActed ? push : replace)(state, unused, url);
    } else if (isBack) {
      return; // the page that was shown before answers late: Streamlit would lead there again
    } else {
      // What was written since the visitor asked for this page was not meant for the one before.
      if (before && !before.isNew) replace(history.state, "", before.address);
      (before?.isNew ? replace : push)(state, unused, url);
      before = null;
    }
    hasActed = false; // one act makes one entry
    path = location.pathname;
  };
})();
