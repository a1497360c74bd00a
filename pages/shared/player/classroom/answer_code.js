// A student's answers as a code to copy: the first answer to each question of a run or a lesson. They
// are stored in this tab only; the code contains a random number, and no name.

const grouped = (/** @type {number} */ number) => number.toLocaleString("en-US");
/** @param {number} number @param {string} what */
const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;

/**
 * The stored answers of a student. The field `said` (first answers by question) keeps its name: tabs
 * opened with an older version have stored it.
 * @typedef {{ student: number, said: Record<number, [choice: number, sureness: number, isRight: boolean]> }} StoredAnswers
 */

/** @returns {value is StoredAnswers} */
function isStoredAnswers(/** @type {any} */ value) {
  const isBelow = (/** @type {unknown} */ number, /** @type {number} */ end) =>
    Number.isInteger(number) && Number(number) >= 0 && Number(number) < end;
  return (
    isRecord(value) && isBelow(value.student, GATES) && isRecord(value.said) &&
    Object.entries(value.said).every(
      ([gate, answer]) =>
        isBelow(Number(gate), GATES) && Array.isArray(answer) && answer.length === 3 &&
        isBelow(answer[0], CHOICES) && isBelow(answer[1], SURENESS) && typeof answer[2] === "boolean",
    )
  );
}

class AnswerCode {
  /** `find` gives an element by its class. @param {Find} find */
  constructor(find) {
    this.find = find;
    this.find("copy").onclick = () => this.copy();
    this.find("my-qr").ontoggle = () => this.drawQr();
  }

  /** Loads the answers stored for a run or lesson. @param {string} key */
  begin(key) {
    this.key = key;
    const [student] = crypto.getRandomValues(new Uint32Array(1));
    /** @type {StoredAnswers} */
    this.stored = readValue("sessionStorage", this.storageKey, isStoredAnswers) ?? { student: student % GATES, said: {} };
    this.draw();
  }

  get storageKey() {
    return `answers ${this.key}`;
  }

  /**
   * Records an answer; only the first to a question counts.
   * @param {number} gate @param {number} choice @param {number} sureness @param {boolean} isRight
   */
  record(gate, choice, sureness, isRight) {
    if (gate in this.stored.said || gate >= GATES) return;
    this.stored.said[gate] = [choice, sureness, isRight];
    this.find("unkept").hidden = storeText("sessionStorage", this.storageKey, JSON.stringify(this.stored));
    this.draw();
  }

  get score() {
    const answers = Object.values(this.stored.said);
    const right = answers.filter(([, , isRight]) => isRight).length;
    return answers.length ? `${right} of ${answers.length} right` : "";
  }

  get code() {
    const answers = Object.entries(this.stored.said).map(
      ([gate, [choice, sureness]]) => /** @type {Answer} */ ([Number(gate), choice, sureness]),
    );
    answers.sort(([one], [other]) => one - other);
    return encodeCode({ run: runOf(this.key), student: this.stored.student, answers });
  }

  draw() {
    const count = Object.keys(this.stored.said).length;
    this.find("mine").hidden = !count;
    this.find("my-count").textContent = counted(count, "answer");
    this.find("my-code").textContent = count ? this.code : "";
    this.find("copied").textContent = "";
    this.drawQr();
  }

  /** Draws the QR code, once its box is open. */
  drawQr() {
    const code = this.find("my-code").textContent;
    if (!this.find("my-qr").open || !code) return;
    const cells = qrCells(code);
    const message = "Your code has too many answers for a QR code. Copy it instead.";
    this.find("qr").replaceChildren(cells ? qrNode(cells, "QR code of your code") : make("p", "small", message));
  }

  /** Copies the code, or selects it if the browser does not allow that. */
  async copy() {
    const code = this.find("my-code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      this.find("copied").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(code);
      this.find("copied").textContent = "It is selected: press Ctrl+C, or ⌘C on a Mac.";
    }
  }
}
