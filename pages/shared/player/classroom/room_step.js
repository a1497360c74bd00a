// What the player's screen shows, as the phones of a room get it: the open question, the one whose answer
// is on the screen, or only the step.

/** A sentence of a recording, for phones. @param {Recording} recording @param {RichText} text @returns {RoomText} */
function roomText(recording, text) {
  return text.map((part) => {
    if (typeof part === "string") return ["text", part];
    if (part[0] === "token" || part[0] === "new") return ["token", ...recording.head.tokens[part[1]]];
    return /** @type {RoomText[0]} */ ([part[0] === "tie" ? "text" : part[0], part[1]]);
  });
}

/** @param {Recording} recording @param {StepQuestion} ask @param {string} key @returns {RoomQuestion} */
function roomQuestion(recording, ask, key) {
  const options = ask.options.map((tokens, i) => {
    const tiles = /** @type {RoomText} */ (tokens.map((number) => ["token", ...recording.head.tokens[number]]));
    const hint = ask.hints[i] ?? [];
    return hint.length ? [...tiles, /** @type {RoomText[0]} */ (["text", " "]), ...roomText(recording, hint)] : tiles;
  });
  return { key, prompt: roomText(recording, ask.prompt), form: "choice", options };
}

/** Whether the answer to the question that was asked last is on the screen. */
function isAnswerShown(/** @type {Player} */ { asked, recording, ruleShown, at, question }) {
  if (!asked || question || asked.recording !== recording.key || asked.rule !== ruleShown) return false;
  return at >= asked.position && at <= asked.position + asked.ask.after;
}

/** @param {Player} player @returns {RoomStep} */
function roomStep(player) {
  const { recording, asked, question, at, last } = player;
  const label = `${recording.head.title}: step ${shown(question || at)} of ${shown(last)}`;
  const isAnswered = isAnswerShown(player);
  if (!question && !isAnswered) return { label, question: null };
  const key = `${recording.key} ${asked.gate}`;
  return { label, question: roomQuestion(recording, asked.ask, key), right: isAnswered ? asked.ask.correct : null };
}

/** What a player does for the panel of its room. @param {Player} player @returns {RoomHost} */
function roomHostOf(player) {
  return {
    title: () => player.recording.head.title,
    begin: () => {
      if (player.asks && !player.isPredicting && !player.presenter.isOn) player.togglePredicting();
      else player.schedulePaint();
    },
    reveal: () => player.question && player.answer(null),
    changed: (isWhole) => {
      const frame = player.recording && player.frame(player.position);
      if (isWhole || !frame) return player.recording && player.schedulePaint();
      const items = [...player.find("options").children].filter((item) => item.querySelector("button"));
      player.classroom.paint(frame.question, /** @type {HTMLElement[]} */ (items));
    },
    announce: (text) => player.announce(text),
    focus: () => player.root.focus({ preventScroll: true }),
  };
}
