// SCORM: reports progress to the learning platform that contains the lesson, and restores it. The
// editions of SCORM differ in the names of functions and values.

/** @typedef {Record<string, (...args: string[]) => string>} Api of a platform */

const EDITIONS = {
  API_1484_11: {
    begin: "Initialize", get: "GetValue", set: "SetValue", commit: "Commit", end: "Terminate",
    location: "cmi.location", suspendData: "cmi.suspend_data", session: "cmi.exit", time: "cmi.session_time",
    /** @param {number} seconds */
    duration: (seconds) => `PT${seconds}S`,
    /** @param {number} share @param {boolean} isFinished @param {boolean} isPass */
    values: (share, isFinished, isPass) => ({
      "cmi.score.min": 0, "cmi.score.max": 100, "cmi.score.raw": Math.round(100 * share),
      "cmi.score.scaled": Math.round(100 * share) / 100,
      "cmi.completion_status": isFinished ? "completed" : "incomplete",
      "cmi.success_status": isPass ? "passed" : "unknown",
    }),
  },
  API: {
    begin: "LMSInitialize", get: "LMSGetValue", set: "LMSSetValue", commit: "LMSCommit", end: "LMSFinish",
    location: "cmi.core.lesson_location", suspendData: "cmi.suspend_data", session: "cmi.core.exit",
    time: "cmi.core.session_time",
    /** @param {number} seconds */
    duration: (seconds) =>
      [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => `${Math.floor(part)}`.padStart(2, "0")).join(":"),
    /** @param {number} share @param {boolean} isFinished @param {boolean} isPass */
    values: (share, isFinished, isPass) => ({
      "cmi.core.score.min": 0, "cmi.core.score.max": 100, "cmi.core.score.raw": Math.round(100 * share),
      "cmi.core.lesson_status": isPass ? "passed" : isFinished ? "completed" : "incomplete",
    }),
  },
};
const MOST_FRAMES = 20;

/** The windows that contain this one or its opener. */
function* windowsAround() {
  for (let one = /** @type {Window | null} */ (window), n = 0; one && n < MOST_FRAMES; n += 1) {
    yield one;
    const next = one.parent === one ? one.opener : one.parent;
    one = next === one ? null : next;
  }
}

/** The platform that contains the lesson, or null. Windows of other origins cannot be inspected. */
function findLms() {
  for (const one of windowsAround()) {
    for (const [name, edition] of Object.entries(EDITIONS)) {
      try {
        const api = /** @type {Api | undefined} */ (/** @type {any} */ (one)[name]);
        if (api?.[edition.begin]("") === "true") return new Lms(api, edition);
      } catch {
        // a window of another origin
      }
    }
  }
  return null;
}

class Lms {
  /** @param {Api} api @param {typeof EDITIONS[keyof typeof EDITIONS]} edition */
  constructor(api, edition) {
    this.api = api;
    this.edition = edition;
    this.started = Date.now();
    addEventListener("pagehide", () => api[edition.end](""));
  }

  /** The learner's stored marks and stop. */
  restore() {
    const stop = Number.parseInt(this.api[this.edition.get](this.edition.location), 10);
    return { marks: this.api[this.edition.get](this.edition.suspendData), stop };
  }

  /** @param {string} marks @param {number} stop @param {boolean[]} asks which stops have a question */
  report(marks, stop, asks) {
    const { set, commit, location, suspendData, session, time, duration, values } = this.edition;
    const scores = values(rightShare(marks, asks), isDone(marks, asks), isPassed(marks, asks));
    const spent = duration(Math.round((Date.now() - this.started) / 1000));
    const here = { [location]: stop, [suspendData]: marks, [session]: "suspend", [time]: spent, ...scores };
    for (const [name, value] of Object.entries(here)) this.api[set](name, String(value));
    this.api[commit]("");
  }
}
