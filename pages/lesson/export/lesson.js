// The lessons page inside an exported file: the current stop, the grading of answers, the position
// of the picture, and the stored progress. It makes no network requests.
// Loaded after the app's components as functions (mountNav, mountQuestion, mountPlayer, mountStages,
// mountTerms, mountOverlays) and the scripts listed in lesson_html.py.

export {}; // a module, to keep its names local

/** @type {Lesson} */
const lesson = JSON.parse(find("#lesson").textContent);
const asks = lesson.stops.map((stop) => stop.question !== null);
const lms = findLms(); // a platform stores the progress instead of the browser
const known = lms?.restore() ?? readValue("localStorage", lesson.storageKey, isRecord) ?? {};
let marks = readMarks(known.marks, asks.length);
let at = 0; // the current stop; lesson.stops.length is the end
let isReview = false; // visits only open stops
let revision = 1; // expected of the next navigation request
let stepRevision = 0; // of the last step set in the player
let ruleRequest = { recording: "", rule: "", revision: 1 }; // the last rule set in the player
let position = 0; // of the picture
const rounds = asks.map(() => 0); // how often each question was asked again
let starts = 0; // how often the lesson was begun again
/** @type {Map<string, Attempt>} */
const attempts = new Map();

/** @type {HTMLElement} */
const questionContent = find("#question").shadowRoot.querySelector(".component");
const lessonClass = new LessonClass(find("#class"), questionContent, enter, () => paint());

function find(/** @type {string} */ selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
function findAll(selector) {
  return document.querySelectorAll(selector);
}

function keyOf(/** @type {number} */ n) {
  return `${n}:${starts}.${rounds[n]}`;
}

/** The number of the variant that a stop asks in this round; 0 is the question itself. @param {number} n */
function formAt(n) {
  return rounds[n] % ((lesson.stops[n]?.variants.length ?? 0) + 1);
}

/** A stop as it is asked in this round: the question and its variants alternate. @param {number} n @returns {Stop | undefined} */
function stopAt(n) {
  const stop = lesson.stops[n];
  const form = formAt(n);
  return form ? { ...stop, ...stop.variants[form - 1] } : stop;
}

/** @param {number} n @returns {Attempt} */
function attemptAt(n) {
  return attempts.get(keyOf(n)) ?? { tries: 0, state: "open", reply: [], given: null };
}

function setMark(/** @type {number} */ n, /** @type {string} */ sign) {
  marks = marks.slice(0, n) + sign + marks.slice(n + 1);
}

// ---- moving ----

/** Shows a stop, with its picture at the stop's position. */
function enter(/** @type {number} */ n) {
  at = Math.min(Math.max(n, 0), asks.length);
  if (at < asks.length && marks[at] === "-") setMark(at, "o");
  const isFresh = !rounds[at] && !attempts.has(keyOf(at));
  if (isFresh && wasShown(marks[at] ?? "")) rounds[at] = 1; // shown in another visit
  stepRevision += 1;
  position = stopAt(at)?.at ?? 0;
  if (at < asks.length) paintText(Boolean(formAt(at)));
  remember();
  paint();
}

/** Folds the text of the current stop beside a variant, which asks about another case. @param {boolean} isVariant */
function paintText(isVariant) {
  const section = find(`.stop[data-stop="${at}"]`);
  section.classList.toggle("again", isVariant);
  section.querySelector("details").open = !isVariant;
  section.querySelector("h2").textContent = isVariant ? lesson.againHeading : lesson.stops[at].heading;
}

function remember() {
  if (lms) lms.report(marks, at, asks);
  else find("#unkept").hidden = storeText("localStorage", lesson.storageKey, JSON.stringify({ marks, stop: at }));
  const url = new URL(location.href);
  url.hash = `stop=${at + 1}`;
  history.replaceState(history.state, "", url);
}

/** The stop (0-based) given by the hash of a URL, if any. */
function stopInHash(/** @type {string} */ hash) {
  const stop = hash.match(/^#stop=(\d{1,5})$/)?.[1];
  return stop === undefined ? undefined : Math.max(Number(stop), 1) - 1;
}

function askAgain(/** @type {number} */ n) {
  if (attempts.has(keyOf(n))) rounds[n] += 1; // what was not answered yet is asked as it was
  enter(n);
}

/** Handles a request of the bar or of the button below a question. @param {string} name @param {NavigationTarget} target */
function handleNavigation(name, [number, stop, where]) {
  if (name !== "target" || number !== revision || stop !== at) return;
  revision += 1;
  if (typeof where === "number") {
    isReview &&= where === at;
    return enter(where);
  }
  const step = where === "on" ? 1 : -1;
  if (!isReview) return enter(at + step);
  const open = openStops(marks, asks).filter((n) => (n - at) * step > 0);
  isReview = open.length > 0;
  if (!isReview) return enter(asks.length);
  askAgain(step > 0 ? open[0] : open.at(-1));
}

function handleAnswer(/** @type {SubmittedAnswer} */ [key, tries, given, sureness]) {
  const { question } = stopAt(at);
  const before = attemptAt(at);
  if (key !== keyOf(at) || tries !== before.tries || before.state !== "open") return;
  const attempt = attemptAfter(question, before, given);
  attempts.set(key, attempt);
  if (attempt.tries > before.tries) {
    if (!before.tries && !rounds[at]) lessonClass.recordAnswer(at, question, attempt, sureness);
    setMark(at, afterAnswer(marks[at], attempt.tries, attempt.state === "right", question.tries));
  }
  if (attempt.state !== "open" && question.shownAt !== null) {
    stepRevision += 1;
    position = question.shownAt;
  }
  remember();
  paint();
}

// ---- painting ----

function paint() {
  const stop = stopAt(at);
  for (const one of findAll("[data-stop]")) {
    const isRevealed = one.classList.contains("revealed");
    one.hidden = Number(one.dataset.stop) !== at || (isRevealed && isOpen(at));
  }
  paintBar();
  paintQuestion(stop);
  paintPicture(stop);
  paintEnd(!stop);
}

/** Whether the question of a stop is not settled yet. @param {number} n */
function isOpen(n) {
  return asks[n] && attemptAt(n).state === "open";
}

function paintBar() {
  const stops = lesson.stops.map(({ heading }, n) => [heading, ...lesson.signs[marks[n]]]);
  const after = at + 1 < asks.length ? "Next" : "Finish";
  const parentElement = find("#nav").shadowRoot;
  mountNav({ data: { stops, at, revision, after }, parentElement, setStateValue: handleNavigation });
}

function paintQuestion(/** @type {Stop | undefined} */ stop) {
  const box = find("#question");
  box.hidden = !stop?.question;
  if (box.hidden) return;
  const { form, prompt, options } = stop.question;
  const data = { key: keyOf(at), form, prompt, options, ...attemptAt(at), origin: [revision, at] };
  /** @type {(...state: QuestionState) => void} */
  const onState = (name, value) => (name === "answer" ? handleAnswer(value) : handleNavigation(name, value));
  mountQuestion({ data, parentElement: box.shadowRoot, setStateValue: onState });
  lessonClass.paint(at, lesson.stops[at].question, attemptAt(at));
}

function paintPicture(/** @type {Stop | undefined} */ stop) {
  const hidesAnswer = stop && isOpen(at) && stop.question.hidesAnswer;
  find("#player").hidden = !stop?.recording;
  find("#stages").hidden = (stop?.stageTable ?? null) === null || hidesAnswer;
  for (const one of findAll("[data-picture]")) {
    const isBefore = one.classList.contains("before");
    one.hidden = one.dataset.picture !== stop?.picture || isBefore !== Boolean(hidesAnswer) || Boolean(stop.recording);
  }
  find(".picture").hidden = !stop;
  if (stop?.recording) paintPlayer(stop, hidesAnswer);
  else if (!find("#stages").hidden) paintStages(stop);
  offerBack();
}

function paintPlayer(/** @type {Stop} */ stop, /** @type {boolean} */ hidesAnswer) {
  const isNew = ruleRequest.recording !== stop.recording || ruleRequest.rule !== stop.rule;
  if (isNew) ruleRequest = { recording: stop.recording, rule: stop.rule, revision: ruleRequest.revision + 1 };
  const message = bytesOf(document.getElementById(`recording-${stop.recording}`));
  const data = withHeader(message, (header) => ({
    ...header,
    step: [stepRevision, position],
    rule: [ruleRequest.revision, stop.rule === "sum" ? 1 : 0],
    highlights: stop.highlights,
    until: hidesAnswer ? stop.at : null,
    masked: hidesAnswer ? stop.question.masked : [],
    hasPredictions: false,
    showsQuestion: stop.question !== null,
  }));
  /** @type {OnPictureState} */
  const setStateValue = (name, value) => name === "step" && noteRest(value[0]);
  mountPlayer({ data, parentElement: find("#player").shadowRoot, setStateValue });
}

function paintStages(/** @type {Stop} */ stop) {
  const table = lesson.stageTables[stop.stageTable];
  const last = table.first + Math.max(table.tiles.length - 1, 0);
  const token = Math.min(Math.max(position ? position - 1 : table.first, table.first), last);
  const data = { ...table, content: keyOf(at), state: [stepRevision, token] };
  /** @type {OnPictureState} */
  const setStateValue = (name, value) => name === "token" && stop.at && noteRest(value[0] + 1);
  mountStages({ data, parentElement: find("#stages").shadowRoot, setStateValue });
}

/** Notes the position to which the learner moved the picture. @param {number} there */
function noteRest(there) {
  position = there;
  offerBack();
}

function offerBack() {
  const stop = stopAt(at);
  const isMovable = !find("#player").hidden || !find("#stages").hidden;
  find("#back").hidden = !stop || !isMovable || position === stop.at;
}

function paintEnd(/** @type {boolean} */ isEnd) {
  const end = find("#end");
  end.hidden = !isEnd;
  if (!isEnd) return;
  const open = openStops(marks, asks);
  const all = asks.filter(Boolean).length;
  const madeGood = [...marks].filter((sign) => sign === "y").length;
  const right = `${all - open.length - madeGood} of ${counted(all, "question")}`;
  const them = madeGood === 1 ? "it was" : "they were";
  const more = madeGood ? ` You got ${madeGood} more right when ${them} asked again, after the answer was shown.` : "";
  end.querySelector(".score").textContent = all ? `You have answered ${right} right.${more}` : "";
  find("#end .open").hidden = find("#review").hidden = !open.length;
  find("#end .whole").hidden = !all || open.length > 0;
  end.querySelector("ol").replaceChildren(...open.map((n) => make("li", "", lesson.stops[n].heading)));
}

// ---- start ----

find("#back").onclick = () => enter(at);
find("#review").onclick = () => {
  isReview = true;
  askAgain(openStops(marks, asks)[0]);
};
find("#anew").onclick = () => {
  marks = beginAgain(marks);
  starts += 1;
  rounds.forEach((round, n) => (rounds[n] = wasShown(marks[n]) ? round + 1 : 0));
  isReview = false;
  enter(0);
};
window.addEventListener("hashchange", ({ newURL }) => {
  const stop = stopInHash(new URL(newURL).hash);
  if (stop !== undefined) enter(stop);
});
ignoreHistoryErrors();
initThemeButton();
reportHeight();
mountTerms();
mountOverlays();
lessonClass.start(lesson.key, asks);
enter(stopInHash(location.hash) ?? (Number.isInteger(known.stop) ? Number(known.stop) : 0));
