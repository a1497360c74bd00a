// The question of a stop: its form (question_form.js), and the reply to the answer, which the lesson's
// engine grades. All texts come from Python (lessons/questions) and are inserted as text, not HTML.

const drawnQuestions = new WeakMap(); // by element: the drawn question as JSON

// With "shown", the reply to the last try comes first, then the answer.
const MARKS = { right: "✓ Right. ", shown: "", open: "Not yet. " };

/**
 * @param {HTMLElement} root @param {DrawnQuestion} data
 * @param {(given: Given, sureness: number) => void} submit @param {() => void} goForward
 */
function draw(root, data, submit, goForward) {
  const isOver = data.state !== "open";
  const reply = make("p", `reply ${data.state}`);
  reply.setAttribute("role", "status");
  reply.setAttribute("aria-live", "polite");
  reply.tabIndex = -1;
  const form = make("form", "question", fieldOf(data), reply);
  if (isOver) {
    const on = make("button", "go", "Go on →");
    on.type = "button";
    form.append(on);
  }
  form.onsubmit = (event) => {
    event.preventDefault();
    submit(value(form, data.form), surenessOf(form));
  };
  form.onclick = ({ target }) => {
    const pressed = /** @type {Element} */ (target);
    /** @type {HTMLElement} */
    const button = pressed.closest("button[data-step]");
    if (button) shift(button, reply);
    if (pressed.closest(".go")) goForward();
  };
  root.replaceChildren(form);
  // Filled in after insertion: screen readers only announce changes of a live region.
  if (data.reply.length || isOver) {
    setTimeout(() => {
      reply.replaceChildren(make("b", "", MARKS[data.state]), ...nodes(data.reply));
      const { activeElement } = /** @type {ShadowRoot} */ (form.getRootNode());
      if (form.contains(activeElement)) form.lastElementChild.scrollIntoView({ block: "nearest" });
    });
  }
  return { form, reply };
}

/** @param {Mounting<QuestionMessage>} given */
export default function ({ data, parentElement }) {
  const { key, at, question } = data;
  const engine = engineOf(data.lesson);
  const submit = (/** @type {Given} */ given, /** @type {number} */ sureness) =>
    engine.answer(key, at, question, given, sureness);
  const goForward = () => engine.stop === at && engine.navigate("on");
  const paint = () => {
    const { form, prompt, options } = question;
    // While the engine is elsewhere already, the question stays as it was drawn.
    const attempt = engine.attempts.get(key) ?? UNANSWERED;
    const asksSureness = engine.keyOf(at) === key && engine.isFirst(at);
    const root = contentOf(parentElement, "question");
    const drawn = JSON.stringify({ key, form, prompt, options, attempt, asksSureness });
    const before = drawnQuestions.get(parentElement);
    if (before?.drawn === drawn) return;
    const hadFocus = Boolean(root.querySelector(":focus"));
    const made = draw(root, { form, prompt, options, ...attempt, asksSureness }, submit, goForward);
    // After an answer, focus the first control if the question is open, else the reply.
    if (before?.key === key && (hadFocus || before.tries !== attempt.tries)) {
      const first =
        made.form.querySelector("input:checked") ?? made.form.querySelector("input, .order button");
      /** @type {HTMLElement} */ (attempt.state === "open" ? first : made.reply)?.focus();
    }
    drawnQuestions.set(parentElement, { drawn, key, tries: attempt.tries });
  };
  engine.listeners.question = paint;
  paint();
}
