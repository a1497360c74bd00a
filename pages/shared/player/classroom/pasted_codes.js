// A teacher's pasted codes: messages about them, and the answers that count, by question. Everything
// stays in this tab.

/** @type {Record<Problem, string>} */
const PROBLEMS = {
  damaged: "is damaged: a character is missing, added or wrong. Ask for it again, copied with the button.",
  version: "comes from another version of this program. Have the student reload the page, or take the same file, and answer again.",
  run: "is of another run: other words, other settings, or an older page. Send the student this page’s link, or this file, to answer again.",
};
const NAMED = 20; // problems listed

class PastedCodes {
  problems = PROBLEMS;
  isKept = true; // stored by the browser, for a reload

  /** `find` gives an element by its class; `changed` is called when the answers change. */
  constructor(/** @type {Find} */ find, /** @type {() => void} */ changed) {
    this.find = find;
    this.changed = changed;
    find("codes-in").oninput = () => this.setText(find("codes-in").value);
    find("forget").onclick = () => this.forget();
    this.scanner = new Scanner(find, (/** @type {string} */ text) => this.addScanned(text));
  }

  /** Loads the codes stored for this key. @param {string} key */
  begin(key) {
    this.key = key;
    const text = readText("sessionStorage", this.storageKey) ?? "";
    this.find("codes-in").value = text;
    this.read(text);
  }

  get storageKey() {
    return `class ${this.key}`;
  }

  setText(/** @type {string} */ text) {
    this.isKept = storeText("sessionStorage", this.storageKey, text);
    this.read(text);
    this.changed();
  }

  /** Appends a scanned text; returns whether it contains a code. @param {string} text */
  addScanned(text) {
    const box = this.find("codes-in");
    if (!codesIn(text).length) return false;
    if (!box.value.includes(text)) {
      box.value = `${box.value.trimEnd()}\n${text}`.trimStart();
      this.setText(box.value);
    }
    return true;
  }

  forget() {
    this.scanner.seen.clear();
    this.find("codes-in").value = "";
    this.setText("");
    this.find("codes-in").focus();
  }

  read(/** @type {string} */ text) {
    const read = decodeAll(text, runOf(this.key));
    this.gates = tally(read.count);
    /** @type {number | null} */
    this.shownGate = null; // the gate whose answers are shown
    const { problems, again, idle } = read;
    const [good, bad] = [read.count.length, problems.length];
    const sentences = [
      good || bad ? `${counted(good, "code")} ${good === 1 ? "counts" : "count"}.` : "",
      again ? `${counted(again, "code")} came from students who sent another: the longer one counts.` : "",
      idle ? `${counted(idle, "line")} without a code left out.` : "",
      text && !this.isKept ? "This browser doesn’t store the codes: they will be gone after a reload." : "",
      bad ? `${counted(bad, "code")} ${bad === 1 ? "doesn’t" : "don’t"} count:` : "",
    ];
    this.find("codes-read").textContent = sentences.filter(Boolean).join(" ");
    this.find("forget").hidden = !text;
    this.drawProblems(problems);
  }

  drawProblems(/** @type {DecodedClass["problems"]} */ problems) {
    const rows = problems.slice(0, NAMED).map(({ line, text, problem }) =>
      make("li", "", `Line ${line}: `, make("code", "", text.slice(0, 60)), ` ${this.problems[problem]}`),
    );
    const rest = problems.length - rows.length;
    if (rest) rows.push(make("li", "", `And ${counted(rest, "more code")}.`));
    this.find("codes-wrong").replaceChildren(...rows);
    this.find("codes-wrong").hidden = !rows.length;
  }
}
