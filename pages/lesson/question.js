// The question of a stop: a form with native controls, and the reply to the answer, which the lesson's
// engine grades. All texts come from Python (lessons/questions) and are inserted as text, not HTML.

const drawnQuestions = new WeakMap(); // by element: the drawn question as JSON

/** The nodes of a text: plain, a word, or a token as a tile. @param {TextPart[]} parts */
function nodes(parts) {
  return parts.map(([kind, text, tint]) => {
    if (kind === "token") {
      const tile = make("bdi", "tile", text);
      tile.style.background = `var(--tint-${tint})`;
      return tile;
    }
    if (kind === "strong") return make("b", "", text);
    return kind === "word" ? make("bdi", "word", `“${text}”`) : document.createTextNode(text);
  });
}

/** Radio buttons or checkboxes with their labels. */
function choices(/** @type {DrawnQuestion} */ data) {
  const type = data.form === "choice" ? "radio" : "checkbox";
  const list = make("div", "options");
  data.options.forEach((option, n) => {
    const input = make("input");
    Object.assign(input, { type, name: "option", value: n });
    const given = Array.isArray(data.given) ? data.given : [data.given];
    input.checked = given.includes(n);
    list.append(make("label", "", input, make("span", "", ...nodes(option))));
  });
  return list;
}

function box(/** @type {DrawnQuestion} */ data) {
  const input = make("input");
  Object.assign(input, { type: "text", dir: "auto", autocomplete: "off", spellcheck: false });
  input.setAttribute("autocapitalize", "off");
  if (data.form === "number") input.inputMode = "decimal";
  input.value = typeof data.given === "string" ? data.given : "";
  return make("label", "written", data.form === "number" ? "Your number" : "Your pieces", input);
}

/** A list to put in order, each item with buttons to move it up and down. */
function order(/** @type {DrawnQuestion} */ data) {
  const list = make("ol", "order");
  const wanted = Array.isArray(data.given) ? data.given : data.options.map((_, n) => n);
  for (const n of wanted) {
    const item = make("li");
    item.dataset.option = `${n}`;
    const reply = make("span", "", ...nodes(data.options[n]));
    const name = reply.textContent;
    for (const [sign, step, how] of [["↑", "-1", "up"], ["↓", "1", "down"]]) {
      const button = make("button", "", sign);
      button.type = "button";
      button.dataset.step = step;
      button.setAttribute("aria-label", `Move ${name} ${how}`);
      item.append(button);
    }
    item.append(reply);
    list.append(item);
  }
  return list;
}

/** Moves an item of the list, keeping its focus. */
function shift(/** @type {HTMLElement} */ button, /** @type {HTMLElement} */ live) {
  const item = button.closest("li");
  const step = Number(button.dataset.step);
  const other = step < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!other) return;
  if (step < 0) other.before(item);
  else other.after(item);
  button.focus();
  const place = [...item.parentElement.children].indexOf(item) + 1;
  live.textContent = `${item.querySelector("span").textContent} is number ${place} now.`;
}

/** @param {HTMLFormElement} form @param {Question["form"]} kind @returns {Given} */
function value(form, kind) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = form.querySelectorAll("input:checked");
  const checked = [...inputs].map((input) => Number(input.value));
  if (kind === "choice") return checked[0] ?? null;
  if (kind === "several") return checked;
  if (kind === "order") {
    return [...form.querySelectorAll("li")].map((item) => Number(item.dataset.option));
  }
  return form.querySelector("input").value;
}

// With "shown", the reply to the last try comes first, then the answer.
const MARKS = { right: "✓ Right. ", shown: "", open: "Not yet. " };

/** The sureness to report with the answer; 0 if no button is pressed. */
function surenessOf(/** @type {HTMLFormElement} */ form) {
  /** @type {HTMLButtonElement} */
  const pressed = form.querySelector(".sureness [aria-pressed=true]");
  return Number(pressed?.value ?? 0);
}

/** The prompt and its controls, disabled once the question is settled. */
function fieldOf(/** @type {DrawnQuestion} */ data) {
  const answer = { choice: choices, several: choices, order, number: box, text: box }[data.form];
  const field = make("fieldset", "", make("legend", "", ...nodes(data.prompt)), answer(data));
  const submit = make("button", "submit", data.tries ? "Answer again" : "Answer");
  submit.type = "submit";
  field.disabled = data.state !== "open";
  if (data.asksSureness) field.append(surenessNode());
  if (!field.disabled) field.append(submit);
  return field;
}

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
