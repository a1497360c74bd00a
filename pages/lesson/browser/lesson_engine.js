// The engine of a lesson, which holds where the learner is, and grades and counts the answers. It draws
// nothing. The page Lessons and an exported file share it: there is one engine per lesson in a window,
// which the components find with `engineOf`. Loaded after grading.js.
//
// Progress is one sign per stop, a mark, as in lessons/progress.py.

const SIGNS = "-o12xy"; // unseen, read, right at the first or second try, shown, made good
const RIGHT = "12";
const SETTLED = `${RIGHT}y`;
const PASS_SHARE = 0.8;
/** @type {Attempt} */
const UNANSWERED = { tries: 0, state: "open", reply: [], given: null };

/** The stored marks, one per stop. @param {unknown} stored @param {number} stops */
function readMarks(stored, stops) {
  const known = typeof stored === "string" ? [...stored.slice(0, stops)] : [];
  return known.map((sign) => (SIGNS.includes(sign) ? sign : "-")).join("").padEnd(stops, "-");
}

/**
 * The mark of a stop after its `tries`-th answer, of `most`.
 * @param {string} before @param {number} tries @param {boolean} isRight @param {number} most
 */
function afterAnswer(before, tries, isRight, most) {
  if (SETTLED.includes(before)) return before;
  if (isRight) return before === "x" ? "y" : `${Math.min(tries, 2)}`;
  return tries >= most ? "x" : before;
}

/** The stops whose question was not answered right yet. @param {string} marks @param {boolean[]} asks */
function openStops(marks, asks) {
  return asks.flatMap((isAsked, n) => (isAsked && !SETTLED.includes(marks[n]) ? [n] : []));
}

/** Whether every stop was seen and every question is right by now. @param {string} marks @param {boolean[]} asks */
function isDone(marks, asks) {
  return !marks.includes("-") && !openStops(marks, asks).length;
}

/** The share of the questions that were right at the first or second try. @param {string} marks @param {boolean[]} asks */
function rightShare(marks, asks) {
  const all = asks.filter(Boolean).length;
  return all ? asks.filter((isAsked, n) => isAsked && RIGHT.includes(marks[n])).length / all : 1;
}

/** Whether it is done, and enough was right without the answer being shown. @param {string} marks @param {boolean[]} asks */
function isPassed(marks, asks) {
  return isDone(marks, asks) && rightShare(marks, asks) >= PASS_SHARE;
}

/** Whether the answer of a stop was shown, so that it could be copied. @param {string} sign */
function wasShown(sign) {
  return sign === "x" || sign === "y";
}

/** The marks for a new start: an answer that was shown stays shown. @param {string} marks */
function beginAgain(marks) {
  return [...marks].map((sign) => (wasShown(sign) ? "x" : "-")).join("");
}

class LessonEngine {
  asks = /** @type {boolean[]} */ ([]); // for each stop, whether it has a question
  marks = "";
  stop = 0; // asks.length is the end of the lesson
  starts = 0; // how often the lesson was begun again
  rounds = /** @type {number[]} */ ([]); // how often each question was asked again
  isReview = false; // visits only open stops
  attempts = /** @type {Map<string, Attempt>} */ (new Map());
  /** By stop, the first answer to the question itself: the option (or 0 for right, 1 for wrong). @type {Record<number, FirstAnswer>} */
  firstAnswers = {};
  /** Called after every change, by the name of who listens. @type {Record<string, () => void>} */
  listeners = {};
  /** Of what was taken over last; see `begin`. */
  revision = 0;

  /**
   * Takes over the marks and the stop from storage, a link or the server, once for each `revision`. The
   * marks of what was answered in this visit stay. Returns whether the revision was new.
   * @param {number} revision @param {boolean[]} asks @param {string} marks @param {number} stop
   */
  begin(revision, asks, marks, stop) {
    if (revision === this.revision) return false;
    Object.assign(this, { revision, asks, isReview: false });
    this.marks = [...marks].map((sign, n) => (this.attempt(n).tries ? this.marks[n] : sign)).join("");
    // A question whose answer was shown in another visit is asked in another form.
    this.rounds = asks.map((_, n) => this.rounds[n] || Number(!this.attempt(n).tries && wasShown(marks[n])));
    this.enter(stop);
    return true;
  }

  /** The key of a stop's question in its round. @param {number} n */
  keyOf(n) {
    return `${n}:${this.starts}.${this.rounds[n] ?? 0}`;
  }

  /** The state of a stop's question. @param {number} n */
  attempt(n) {
    return this.attempts.get(this.keyOf(n)) ?? UNANSWERED;
  }

  /** Whether the question of a stop is not settled yet. @param {number} n */
  isOpen(n) {
    return Boolean(this.asks[n]) && this.attempt(n).state === "open";
  }

  /** Whether an answer to the question of a stop would be the first. @param {number} n */
  isFirst(n) {
    return !this.rounds[n] && !this.attempt(n).tries && !(n in this.firstAnswers);
  }

  get openStops() {
    return openStops(this.marks, this.asks);
  }

  /** Goes to a stop. @param {number} n */
  enter(n) {
    this.stop = Math.min(Math.max(n, 0), this.asks.length);
    if (this.marks[this.stop] === "-") this.setMark(this.stop, "o");
    this.changed();
  }

  /** Goes to a stop, or to the one before or after, which in a review is open. @param {number | "on" | "back"} where */
  navigate(where) {
    if (typeof where === "number") {
      this.isReview &&= where === this.stop;
      return this.enter(where);
    }
    const step = where === "on" ? 1 : -1;
    if (!this.isReview) return this.enter(this.stop + step);
    const open = this.openStops.filter((n) => (n - this.stop) * step > 0);
    this.isReview = open.length > 0;
    if (!this.isReview) return this.enter(this.asks.length);
    this.askAgain(step > 0 ? open[0] : open.at(-1));
  }

  /** Visits the stops whose questions are open, beginning with the first. */
  review() {
    this.isReview = true;
    this.askAgain(this.openStops[0]);
  }

  /** Goes to a stop, with another form of its question if it was answered. @param {number} n */
  askAgain(n) {
    if (this.attempt(n).tries) this.rounds[n] += 1;
    this.enter(n);
  }

  /** Begins the lesson again, with other forms of the questions whose answer was shown. */
  restart() {
    this.marks = beginAgain(this.marks);
    this.starts += 1;
    this.rounds = this.rounds.map((round, n) => (wasShown(this.marks[n]) ? round + 1 : 0));
    this.isReview = false;
    this.enter(0);
  }

  /**
   * Grades an answer to the question of stop `n`, as it is asked in the round of `key`.
   * @param {string} key @param {number} n @param {any} question @param {Given} given @param {number} sureness
   */
  answer(key, n, question, given, sureness) {
    const before = this.attempt(n);
    if (key !== this.keyOf(n) || before.state !== "open") return;
    const attempt = attemptAfter(question, before, given);
    if (attempt.tries > before.tries) {
      const isRight = attempt.state === "right";
      const choice = question.form === "choice" ? Number(given) : Number(!isRight);
      if (this.isFirst(n)) this.firstAnswers[n] = [choice, sureness, isRight];
      this.setMark(n, afterAnswer(this.marks[n], attempt.tries, isRight, question.tries));
    }
    this.attempts.set(key, attempt);
    this.changed();
  }

  /**
   * Settles an open question by showing its answer, as a teacher does. The marks stay: nobody has tried.
   * @param {string} key @param {number} n @param {any} question
   */
  showAnswer(key, n, question) {
    if (key !== this.keyOf(n) || this.attempt(n).state !== "open") return;
    this.attempts.set(key, { tries: question.tries, state: "shown", reply: question.answer, given: null });
    this.changed();
  }

  /** @param {number} n @param {string} sign */
  setMark(n, sign) {
    this.marks = this.marks.slice(0, n) + sign + this.marks.slice(n + 1);
  }

  changed() {
    // One listener may replace another that comes later.
    for (const name of Object.keys(this.listeners)) this.listeners[name]?.();
  }

  /** What the server has to know, see state.py. @returns {EngineReport} */
  report() {
    const settled = this.asks.flatMap((isAsked, n) => (isAsked && !this.isOpen(n) ? [n] : []));
    const firstAnswers = Object.entries(this.firstAnswers).map(
      ([n, answer]) => /** @type {EngineReport[5][number]} */ ([Number(n), ...answer]),
    );
    return [this.stop, this.marks, this.starts, this.rounds, settled, firstAnswers];
  }
}

/** The engine of a lesson in this window. @param {string} lesson its key */
function engineOf(lesson) {
  globalThis.lessonEngines ??= {};
  globalThis.lessonEngines[lesson] ??= new LessonEngine();
  return globalThis.lessonEngines[lesson];
}
