// Only the user's actions create history entries, and a page writes only to its own URL.
// Streamlit pushes an entry for every change of the query, onto whatever entry is current: a value
// restored on arrival would create a second entry, again after every Back, and a change made while
// leaving a page would end up in the URL of another. Loaded in Streamlit's page before its scripts.
//
// Streamlit writes the whole URL at a time, as a run of the page knew it. What our own scripts have
// written since (writeUrlParam in presenter_base.js) stays, even if the run ends after that.

(() => {
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  const SWITCHES = ["lines", "predict", "present", "tell"]; // they say how the screen is, also after Back
  /** @type {Map<string, string>} */
  const own = new Map();
  window.ownParams = own;
  let path = location.pathname; // of the current entry
  let hasActed = false; // since the current entry was created or returned to
  let isBack = false; // the visitor went back or forward, and has done nothing since
  /** The URL before the first write since the last action. @type {{ address: string, isNew: boolean } | null} */
  let before = null;

  /** A URL of this page, with what our scripts have written to it. */
  function withOwn(/** @type {string | URL | null | undefined} */ url) {
    const whole = new URL(url ?? location.href, location.href);
    for (const [name, value] of own) {
      if (value) whole.searchParams.set(name, value);
      else whole.searchParams.delete(name);
    }
    return whole;
  }

  /** Whether a URL has the same parameters as the current one, in whatever order. */
  function isCurrent(/** @type {URL} */ url) {
    const [one, other] = [new URL(url), new URL(location.href)];
    one.searchParams.sort();
    other.searchParams.sort();
    return one.href === other.href;
  }

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
    for (const name of own.keys()) {
      if (!isWithinPage || !SWITCHES.includes(name)) own.delete(name);
    }
    if (!isWithinPage) return;
    replace(history.state, "", withOwn(location.href));
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
      const whole = withOwn(url);
      if (isCurrent(whole)) return;
      before ??= { address: href, isNew: hasActed };
      (hasActed ? push : replace)(state, unused, whole);
    } else if (isBack) {
      return; // the page that was shown before answers late: Streamlit would lead there again
    } else {
      // Writes since the user requested this page were not meant for the previous one.
      if (before && !before.isNew) replace(history.state, "", withOwn(before.address));
      own.clear();
      (before?.isNew ? replace : push)(state, unused, url);
      before = null;
    }
    hasActed = false; // one action creates one entry
    path = location.pathname;
  };

  // Streamlit replaces the URL after Back, and when a widget changes.
  history.replaceState = (state, unused, url) => replace(state, unused, withOwn(url));
})();
