// Presenter view of the player. A step with a question shows the question first (see Player.go).
// Rows that do not fit are left out, so that nothing is cut off and nobody has to scroll.

// Font scales with the rows that a part keeps at least: first the type gets smaller, down to what is
// legible from the back row, then rows are left out.
/** @type {[scale: number, least: number][]} */
const FITS = [[1, 5], [0.9, 5], [0.8, 5], [0.7, 5], [0.7, 1], [0.6, 1], [0.5, 1]];
const KEPT = 3; // index in FITS at which a later step starts at most
const SHARE = 0.48; // of the window's height, for a lattice
const PLAIN = /^(strip same|rejected)?$/; // rows that the step is not about

/** Notes the number of rows left out, together with those that the page had left out. */
function noteCut(/** @type {HTMLElement} */ part) {
  const cut = part.querySelectorAll(".cut").length;
  const text = part.querySelector(".more")?.textContent ?? "";
  const [, left, of] = text.match(/^(?:and )?([\d,]+) more (.+)$/) ?? [];
  part.classList.toggle("counted", left !== undefined);
  const hidden = cut + Number(left?.replaceAll(",", "") ?? 0);
  const [noun, column] = [...part.querySelectorAll("th")].map((head) => head.textContent);
  const most = column === "count" ? part.querySelector("tr.cut > :nth-child(2)").textContent : ""; // of those left out
  const isOfWords = part.querySelector(".count")?.textContent.endsWith("×");
  part.dataset.cut = moreText(hidden, noun || (isOfWords ? "word" : "row"), most, of?.match(/^words?( .+)/)?.[1]);
}

/** The plain row farthest from the rows that the step is about, or the last. */
function farthest(/** @type {Element[]} */ rows, /** @type {Element[]} */ plain) {
  const relevant = rows.flatMap((row, i) => (plain.includes(row) ? [] : [i]));
  const off = (/** @type {Element} */ row) => Math.min(...relevant.map((i) => Math.abs(i - rows.indexOf(row))));
  return plain.reduce((best, row) => (best && off(best) > off(row) ? best : row), undefined);
}

class Presenter extends FullscreenOverlay {
  size = ""; // of the window, with the key of the recording
  from = 0; // index in FITS to try first
  fitted = ""; // the `size` for which the lattice was scaled
  zoom = ""; // of the lattice, on the page

  constructor(/** @type {Player} */ player) {
    super(player.root);
    this.player = player;
    const on = (/** @type {string} */ name, /** @type {() => void} */ act) => (player.find(name).onclick = act);
    on("back-one", () => player.back());
    on("on", () => (player.stop(), player.forward()));
    on("by", () => player.setRule(1 - player.rule));
    on("ask-first", () => player.toggleAsking());
    on("room-too", () => (player.hasRoom ? player.room.toggleJoining() : window.dispatchEvent(new Event("showroom"))));
    on("scan-me", () => window.dispatchEvent(new Event("showaddress")));
    on("all-keys", () => window.dispatchEvent(new Event("showkeys")));
    on("light", () => this.toggleTheme());
    on("leave", () => this.set(false));
    new ResizeObserver(() => this.isOn && player.schedulePaint()).observe(this.root);
  }

  set(/** @type {boolean} */ isOn) {
    if (isOn === this.isOn) return;
    const { player } = this;
    player.stop();
    player.setSwitch("present", isOn);
    if (isOn) this.open();
    else this.close();
    player.layOut();
    player.go(player.at);
  }

  open() {
    this.zoom = this.lattice?.view.style.getPropertyValue("--zoom") ?? "";
    this.lattice?.view.style.removeProperty("--zoom");
    super.open();
    const [question, nav, room] = ["lesson-question", "stops", "lesson-room"].map((name) => this.player.find(name));
    this.offer({ question, votes: question, nav, room });
  }

  /** Offers slots to a lesson's components (pages/lesson/browser/presenter_slots.js), or removes them. */
  offer(/** @type {Window["presenterSlots"]} */ slots) {
    window.presenterSlots = slots;
    window.dispatchEvent(new Event("presenterslots"));
  }

  close() {
    super.close();
    this.offer(null);
    this.uncut();
    this.root.style.removeProperty("--scale");
    this.lattice?.view.style.setProperty("--zoom", this.zoom);
    this.fitted = "";
    this.player.find("present").focus({ preventScroll: true });
  }

  paintBar() {
    if (!this.isOn) return;
    const { player } = this;
    const { rules } = player.recording.head;
    const isBlocked = player.at === player.limit && player.limit < player.last;
    const isEnd = player.at === player.last && !player.question;
    const next = isBlocked && !player.question ? "answer the question to go on" : "next step";
    player.find("next").textContent = player.question ? "show the answer" : next;
    player.find("on").hidden = isEnd;
    player.find("counter").textContent = `${shown(player.at)} of ${shown(player.last)}`;
    player.find("ask-first").hidden = !player.asks;
    player.find("ask-first").setAttribute("aria-pressed", player.asksFirst);
    player.find("asking").textContent = player.asksFirst ? "on" : "off";
    player.find("room-too").hidden = player.hasRoom ? !player.find("room").hidden : !player.find("lesson-room").firstChild;
    player.find("by").hidden = !rules.length;
    player.find("its-rule").textContent = rules[player.ruleShown] ?? "";
  }

  // -- fitting

  get lattice() {
    return this.player.parts.find(({ view }) => view);
  }

  get isTooTall() {
    const stage = this.player.find("stage");
    return stage.scrollHeight > stage.clientHeight;
  }

  fit() {
    if (!this.isOn) return;
    const size = `${this.root.clientWidth} ${this.root.clientHeight} ${this.player.recording.key}`;
    if (size !== this.size) [this.size, this.from] = [size, 0];
    this.fitLattice(size);
    const trials = FITS.slice(this.from);
    const isTallied = Boolean(this.player.classroom.spokenTally);
    if (isTallied) trials.splice(1, 0, [trials[0][0], 1]); // rather fewer rows than smaller type
    const at = trials.findIndex((one) => this.fits(...one));
    // Later steps start from this size, so that the type does not jump back and forth.
    const isBrief = this.player.question || this.player.verdict || isTallied;
    if (!isBrief) this.from = at < 0 ? KEPT : Math.min(this.from + at, KEPT);
  }

  /** Whether everything fits at this scale, with at least so many rows in each part. */
  fits(/** @type {number} */ scale, /** @type {number} */ least) {
    this.uncut();
    this.root.style.setProperty("--scale", scale);
    while (this.isTooTall && this.cutOne(least));
    return !this.isTooTall;
  }

  uncut() {
    this.root.querySelectorAll(".cut").forEach((row) => row.classList.remove("cut"));
    /** @type {NodeListOf<HTMLElement>} */
    const parts = this.root.querySelectorAll("[data-cut]");
    for (const part of parts) {
      delete part.dataset.cut;
      part.classList.remove("counted");
    }
  }

  /** Scales a lattice to the space; once per window size, so that it never moves. */
  fitLattice(/** @type {string} */ size) {
    const part = this.lattice;
    if (!part?.view.clientWidth || this.fitted === size) return; // hidden: no size
    this.fitted = size;
    fitPicture(/** @type {FittedPart} */ (part), (part.share ?? SHARE) * this.root.clientHeight);
  }

  /** Leaves out a row of a column that is too tall; false if no part has more than `least` rows. */
  cutOne(/** @type {number} */ least) {
    const columns = [...this.root.querySelectorAll(".column > div")];
    const boxes = columns.map((column) => column.getBoundingClientRect());
    const floor = this.player.find("stage").getBoundingClientRect().bottom;
    const isStacked = boxes[0].left === boxes[1].left;
    const lowest = Math.max(...boxes.map(({ bottom }) => bottom)); // may end above the floor, but for a margin
    for (const [i, column] of columns.entries()) {
      if (boxes[i].bottom < Math.min(floor, lowest) && !isStacked) continue;
      /** @type {NodeListOf<HTMLElement>} */
      const all = column.querySelectorAll(".part:not(.note)");
      const parts = [...all].map((part) => ({
        part,
        rows: [...part.querySelectorAll("tbody tr:not(.cut), .strip:not(.cut)")],
      }));
      const { part, rows } = parts.sort((a, b) => b.rows.length - a.rows.length)[0] ?? {};
      if (!(rows?.length > least) || !part.checkVisibility()) continue;
      const plain = rows.filter((row) => PLAIN.test(row.className.replace(/ ?marked/g, "")));
      if (plain.length === rows.length) plain.shift(); // the first is the most important
      (farthest(rows, plain) ?? rows.at(-1)).classList.add("cut");
      noteCut(part);
      return true;
    }
    return false;
  }
}
