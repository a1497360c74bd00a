// The lessons page inside an exported file: the text, the question and the picture of the current stop, and
// the stored progress. The engine knows where the learner is. It makes no network requests.
// Loaded after the app's components as functions (mountNav, mountQuestion, mountEnd, mountPlayer,
// mountStages, mountTerms, mountOverlays) and the scripts listed in lesson_html.py.

export {}; // a module, to keep its names local

/** @type {Lesson} */
const lesson = JSON.parse(find("#lesson").textContent);
const asks = lesson.stops.map((stop) => stop.question !== null);
const lms = findLms(); // a platform stores the progress instead of the browser
const known = lms?.restore() ?? readValue("localStorage", lesson.storageKey, isRecord) ?? {};
const engine = engineOf(lesson.key);
let shown = ""; // the question and the state that the picture was last moved for
let stepRevision = 0; // of the last step set in the player
let ruleRequest = { recording: "", rule: "", revision: 1 }; // the last rule set in the player
let position = 0; // of the picture

/** @type {HTMLElement} */
const questionContent = find("#question").shadowRoot.querySelector(".component");
const classAnswers = new ClassAnswers(find("#class"), questionContent, (n) => engine.navigate(n), () => paint());

function find(/** @type {string} */ selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
function findAll(selector) {
  return document.querySelectorAll(selector);
}

/** The number of the variant that a stop asks in this round; 0 is the question itself. @param {number} n */
function formAt(n) {
  return engine.rounds[n] % ((lesson.stops[n]?.variants.length ?? 0) + 1);
}

/** A stop as it is asked in this round: the question and its variants alternate. @param {number} n @returns {Stop | undefined} */
function stopAt(n) {
  const stop = lesson.stops[n];
  const form = formAt(n);
  return form ? { ...stop, ...stop.variants[form - 1] } : stop;
}

/** Folds the text of the current stop beside a variant, which asks about another case. @param {boolean} isVariant */
function paintText(isVariant) {
  const section = find(`.stop[data-stop="${engine.stop}"]`);
  section.classList.toggle("again", isVariant);
  section.querySelector("details").open = !isVariant;
  section.querySelector("h2").textContent = isVariant ? lesson.againHeading : lesson.stops[engine.stop].heading;
}

function remember() {
  const { marks, stop } = engine;
  if (lms) lms.report(marks, stop, asks);
  else find("#unkept").hidden = storeText("localStorage", lesson.storageKey, JSON.stringify({ marks, stop }));
  const url = new URL(location.href);
  url.hash = `stop=${stop + 1}`;
  history.replaceState(history.state, "", url);
}

/** The stop (0-based) given by the hash of a URL, if any. */
function stopInHash(/** @type {string} */ hash) {
  const stop = hash.match(/^#stop=(\d{1,5})$/)?.[1];
  return stop === undefined ? undefined : Math.max(Number(stop), 1) - 1;
}

/** Stores what the engine has changed, and shows it, with the picture where the stop or the answer is. */
function handleChange() {
  const stop = stopAt(engine.stop);
  const key = engine.keyOf(engine.stop);
  const isSettled = engine.attempt(engine.stop).state !== "open";
  if (shown !== `${key} ${isSettled}`) {
    const isAnswer = shown === `${key} false`;
    if (!isAnswer) moveTo(stop?.at ?? 0);
    else if (stop.question.shownAt !== null) moveTo(stop.question.shownAt);
    if (!isAnswer && stop) paintText(Boolean(formAt(engine.stop)));
    shown = `${key} ${isSettled}`;
  }
  remember();
  paint();
}

/** Moves the picture. @param {number} there */
function moveTo(there) {
  stepRevision += 1;
  position = there;
}

// ---- painting ----

function paint() {
  const at = engine.stop;
  const stop = stopAt(at);
  for (const one of findAll("[data-stop]")) {
    const isRevealed = one.classList.contains("revealed");
    one.hidden = Number(one.dataset.stop) !== at || (isRevealed && engine.isOpen(at));
  }
  paintQuestion(stop);
  paintPicture(stop);
  find("#end").hidden = Boolean(stop);
}

function paintQuestion(/** @type {Stop | undefined} */ stop) {
  const at = engine.stop;
  const box = find("#question");
  box.hidden = !stop?.question;
  if (box.hidden) return;
  const data = { lesson: lesson.key, key: engine.keyOf(at), at, question: stop.question };
  mountQuestion({ data, parentElement: box.shadowRoot });
  classAnswers.paintLesson(engine, at, lesson.stops[at].question);
}

function paintPicture(/** @type {Stop | undefined} */ stop) {
  const hidesAnswer = stop && engine.isOpen(engine.stop) && stop.question.hidesAnswer;
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
  const data = { ...table, content: engine.keyOf(engine.stop), state: [stepRevision, token] };
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
  const stop = stopAt(engine.stop);
  const isMovable = !find("#player").hidden || !find("#stages").hidden;
  find("#back").hidden = !stop || !isMovable || position === stop.at;
}

// ---- start ----

find("#back").onclick = () => {
  moveTo(stopAt(engine.stop).at);
  paint();
};
window.addEventListener("hashchange", ({ newURL }) => {
  const stop = stopInHash(new URL(newURL).hash);
  if (stop !== undefined) engine.enter(stop);
});
ignoreHistoryErrors();
initThemeButton();
reportHeight();
mountTerms();
mountOverlays();
classAnswers.start(lesson.key, asks);
engine.firstAnswers = { ...classAnswers.answerCode.stored.said };
const headings = lesson.stops.map(({ heading }) => heading);
const message = { lesson: lesson.key, headings, signs: lesson.signs, openText: lesson.openText };
const start = stopInHash(location.hash) ?? (Number.isInteger(known.stop) ? Number(known.stop) : 0);
engine.begin(1, asks, readMarks(known.marks, asks.length), start);
mountNav({ data: message, parentElement: find("#nav").shadowRoot });
mountEnd({ data: message, parentElement: find("#end > div").shadowRoot });
engine.listeners.page = handleChange;
handleChange();
