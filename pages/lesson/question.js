// The question of a stop: its form (question_form.js), and the reply to the answer.
// All texts come from Python (lessons/questions) and are inserted as text, not HTML.

const drawnQuestions = new WeakMap(); // by element: the drawn question as JSON

// With "shown", the reply to the last try comes first, then the answer.
const MARKS = { right: "✓ Right. ", shown: "", open: "Not yet. " };

/**
 * @param {HTMLElement} root @param {QuestionMessage} data
 * @param {ReportAnswer} report @param {() => void} goForward
 */
function draw(root, data, report, goForward) {
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
    report(value(form, data.form), surenessOf(form));
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
export default function ({ data, parentElement, setStateValue }) {
  const root = contentOf(parentElement, "question");
  const drawn = JSON.stringify(data);
  const before = drawnQuestions.get(parentElement);
  if (before?.drawn === drawn) return;
  const hadFocus = Boolean(root.querySelector(":focus"));
  /** @type {ReportAnswer} */
  const report = (given, sureness) => setStateValue("answer", [data.key, data.tries, given, sureness]);
  const goForward = () => setStateValue("target", [...data.origin, "on"]);
  const { form, reply } = draw(root, data, report, goForward);
  // After an answer, focus the first control if the question is open, else the reply.
  if (before?.key === data.key && (hadFocus || before.tries !== data.tries)) {
    const first = form.querySelector("input:checked") ?? form.querySelector("input, .order button");
    /** @type {HTMLElement} */ (data.state === "open" ? first : reply)?.focus();
  }
  drawnQuestions.set(parentElement, { drawn, key: data.key, tries: data.tries });
}
