// Keeps a value in step with Python. Both may change it, and their messages cross: Python numbers its
// changes and sends [revision, value]; the browser adopts the value only when the revision is new, and
// reports its own value with the revision that it knows. Python's side is synced_state.py.

/** The values of this tab, by name: a page that is opened again goes on where it was left. @type {Map<string, SyncedState<any>>} */
const syncedStates = new Map();

/** @template Value @typedef {[value: Value, revision: number, number: number]} StateReport */

/** @template Value */
class SyncedState {
  /** @type {string} */
  content = ""; // what the component shows
  revision = 0; // of Python's last value
  /** @type {Value} */
  value = undefined;
  known = ""; // the value that Python knows, as JSON; "" if it is uncertain
  reports = 0; // their number, which tells a new report from one that was read
  /** @type {number | undefined} */
  timer = undefined;

  /** Whether Python's value is newer than the browser's. @param {string} content @param {[revision: number, value: Value]} target */
  isNew(content, [revision]) {
    return content !== this.content || revision !== this.revision;
  }

  /** Adopts Python's value if it is new; returns whether it is. @param {string} content @param {[revision: number, value: Value]} target */
  adopt(content, target) {
    if (!this.isNew(content, target)) return false;
    const [revision, value] = target;
    Object.assign(this, { content, revision, value, known: JSON.stringify(value) });
    return true;
  }

  /** Notes that the value is in the URL, where Python may read it or not. */
  noteInUrl() {
    if (JSON.stringify(this.value) !== this.known) this.known = "";
  }

  /** Sends the value to Python if that does not know it; returns whether it was sent. @param {(report: StateReport<Value>) => void} send */
  report(send) {
    const text = JSON.stringify(this.value);
    if (text === this.known) return false;
    this.known = text;
    this.reports += 1;
    send([this.value, this.revision, this.reports]);
    return true;
  }

  /** Sends the value, as `report` does, after so many milliseconds without another call. @param {number} milliseconds @param {(report: StateReport<Value>) => void} send */
  reportWhenIdle(milliseconds, send) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.report(send), milliseconds);
  }
}

/** The value of this tab that has a name. @template Value @param {string} name @returns {SyncedState<Value>} */
function syncedState(name) {
  const known = syncedStates.get(name) ?? new SyncedState();
  syncedStates.set(name, known);
  return known;
}
