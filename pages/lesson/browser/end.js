// What the end of a lesson says: how many answers were right, and which questions are open. Loaded after
// lesson_engine.js.

/** @param {number} count @param {string} noun */
const several = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** How many questions were right, in words: “6 of 9 questions”, and a sentence about those asked again. @param {LessonEngine} engine */
function scoreOf({ marks, asks, openStops }) {
  const all = asks.filter(Boolean).length;
  const madeGood = [...marks].filter((sign) => sign === "y").length;
  const them = madeGood === 1 ? "it was" : "they were";
  return {
    right: all ? `${all - openStops.length - madeGood} of ${several(all, "question")}` : "",
    more: madeGood ? `You got ${madeGood} more right when ${them} asked again, after the answer was shown.` : "",
  };
}

/** @param {string} text @param {string} name @param {() => void} press */
function endButton(text, name, press) {
  const made = make("button", name, text);
  made.type = "button";
  made.onclick = press;
  return made;
}

/** @param {LessonEngine} engine @param {EndMessage} message */
function endNodes(engine, { headings, openText }) {
  const { right, more } = scoreOf(engine);
  const open = engine.openStops;
  const isWhole = right && !open.length;
  return [
    right && make("p", "", "You have answered ", make("b", "", right), " right."),
    more && make("p", "", more),
    open.length && make("p", "", openText),
    open.length && make("ol", "", ...open.map((n) => make("li", "", headings[n]))),
    isWhole && make("p", "", "Nothing is left open."),
    open.length && endButton(`Go over ${several(open.length, "open question")}`, "review", () => engine.review()),
    endButton("Begin it again", "anew", () => engine.restart()),
  ].filter(Boolean);
}

/** @param {Mounting<EndMessage>} given */
export default function ({ data, parentElement }) {
  const engine = engineOf(data.lesson);
  const root = parentElement.querySelector(".component");
  const paint = () => {
    if (engine.stop === engine.asks.length) root.replaceChildren(...endNodes(engine, data));
  };
  engine.listeners.end = paint;
  paint();
}
