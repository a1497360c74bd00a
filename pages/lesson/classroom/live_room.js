// A live room in a lesson: its panel beside the question, and the votes on it. In presenter view both
// move there (presenter_slots.js). Loaded after lesson_engine.js and
// shared/player/classroom/room_panel.js.

/** By the element that a component is mounted in. @type {WeakMap<ShadowRoot, LessonRoom>} */
const lessonRooms = new WeakMap();

class LessonRoom {
  constructor(/** @type {ShadowRoot} */ parent) {
    this.host = parent.host;
    const contents = /** @type {const} */ (["room", "votes"]).map((name) => {
      const home = parent.querySelector(name === "room" ? ".panel-home" : ".votes-home");
      return contentOf(/** @type {any} */ (home), name);
    });
    /** @template {string} Name @param {Name} name @returns {Found<Name>} */
    this.find = (name) => /** @type {any} */ (contents.map((content) => content.querySelector(`.${name}`)).find(Boolean));
    /** @type {LessonRoomMessage} */
    this.data = null;
    this.panel = new RoomPanel(this.find, {
      title: () => this.data.title,
      begin: () => this.panel.tell(this.data.step),
      reveal: () => this.reveal(),
      changed: () => this.draw(),
      announce: (text) => (this.find("announcement").textContent = text),
      focus: () => window.presentedRoot?.focus({ preventScroll: true }),
    });
    const press = (/** @type {KeyboardEvent} */ event) => this.isThere(press) && this.press(event);
    document.addEventListener("keydown", press);
    const open = () => this.isThere(open) && this.panel.toggleJoining();
    window.addEventListener("showroom", open); // the button of the lesson, or of presenter view
    const moved = () => this.isThere(moved) && this.draw();
    window.addEventListener("presenterslots", moved);
  }

  /** Whether it is on the page; else the listener is not needed any more. */
  isThere(/** @type {(event: any) => void} */ listener) {
    if (this.find("room").isConnected) return true;
    document.removeEventListener("keydown", listener);
    for (const name of ["showroom", "presenterslots"]) window.removeEventListener(name, listener);
    return false;
  }

  press(/** @type {KeyboardEvent} */ event) {
    if (isTyping(event) || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    /** @type {Record<string, () => void>} */
    const acts = { a: () => this.panel.toggleShown(), o: () => this.panel.toggleJoining(), v: () => this.panel.voteAgain() };
    acts[event.key]?.();
  }

  /** Shows the answer in the lesson; the server then says what is right. */
  reveal() {
    const { lesson, at, attempt, question } = this.data;
    if (question) engineOf(lesson).showAnswer(attempt, at, question);
  }

  show(/** @type {LessonRoomMessage} */ data) {
    this.data = data;
    this.panel.begin("lesson");
    this.panel.tell(data.step);
    this.draw();
  }

  /** Draws the votes; the page keeps no room for the panel while there is no room. */
  draw() {
    this.panel.drawVotes(nodes);
    const { step } = this.data;
    this.find("asked").replaceChildren(...(this.panel.isShown ? nodes(step.question.prompt) : []));
    this.host.closest(".stElementContainer")?.toggleAttribute("data-room", !this.find("room").hidden);
    const { host } = /** @type {ShadowRoot} */ (this.find("votes").getRootNode()); // in presenter view, its frame
    host?.classList.toggle("has-votes", this.panel.isShown);
  }
}

/** @param {Mounting<LessonRoomMessage>} given */
export default function ({ data, parentElement }) {
  if (!lessonRooms.has(parentElement)) lessonRooms.set(parentElement, new LessonRoom(parentElement));
  lessonRooms.get(parentElement).show(data);
}
