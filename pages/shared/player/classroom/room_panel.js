// The teacher's controls of a live room: how to join, who is there and has voted, the vote itself. They
// are part of the player, and beside a lesson's question (pages/lesson/classroom/live_room.js).

const ASK_TWICE_MS = 4000; // the time for the second click that ends a room

/** The room of this browser, as this script's components share it. @type {Room | undefined} */
let sharedRoom;
const liveRoom = () => (sharedRoom ??= new Room());

/** The key of a panel that moves a room: on another page, a player of the same name is another one. */
const placeOf = (/** @type {string} */ key) => `${location.pathname} ${key}`;

class RoomPanel {
  /** The room, if this page may have one. @type {Room | null} */
  room = null;
  place = "";
  isJoining = false; // the code to join is large
  joinedAt = ""; // the question that was asked meanwhile
  endAsked = 0; // a timer: the next click ends the room
  isTallyNew = false; // shown by a click: to be read out, once painted
  saidComplete = ""; // the round of which it was said that all have voted
  drawn = ""; // what the answers were drawn from

  /** `find` gives an element by its class. @param {Find} find @param {RoomHost} host */
  constructor(find, host) {
    this.find = find;
    this.host = host;
    /** @param {string} name @param {() => void} act */
    const on = (name, act) => (find(name).onclick = act);
    if (find("to-room")) on("to-room", () => this.toggleJoining()); // a lesson's is elsewhere
    on("room-code", () => this.toggleJoining());
    on("room-begin", () => this.endJoining());
    on("room-show", () => this.toggleShown());
    on("room-again", () => this.room.voteAgain());
    on("room-reveal", () => host.reveal());
    on("room-here", () => this.take());
    on("room-end", () => this.end());
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (!find("room").isConnected) window.removeEventListener("keydown", press, true);
      else this.pressWhileJoining(event);
    };
    window.addEventListener("keydown", press, true);
  }

  /** Offers a room to the component `key` of this page, which goes on with one that it moved before. */
  begin(/** @type {string} */ key) {
    this.place = placeOf(key);
    if (this.room) return;
    this.room = liveRoom();
    const changed = () => {
      if (this.find("room")?.isConnected) this.update();
      else this.room.listeners.delete(changed);
    };
    this.room.listeners.add(changed);
    this.room.resume(this.place);
    this.update();
  }

  /** Whether this panel moves the room. */
  get isHere() {
    return Boolean(this.room?.isHere(this.place));
  }

  /** Whether the phones vote on what is asked here, or have. */
  get isVoting() {
    return this.isHere && this.room.isVoting;
  }

  /** Whether the votes are shown on this screen. */
  get isShown() {
    return this.isVoting && this.room.state.isShown;
  }

  // -- what the teacher does

  async toggleJoining() {
    if (!this.room || this.room.isOpening) return;
    if (this.room.record && !this.isHere) return this.take();
    if (this.isHere) this.setJoining(!this.isJoining);
    else await this.open();
  }

  async open() {
    await this.room.open(this.place, this.host.title());
    if (!this.isHere) return;
    this.setJoining(true);
    this.host.begin();
    const { code } = this.room.record;
    this.host.announce(`Room ${[...code].join(" ")} is open. Phones join it at ${shortAddress(this.room.link)}.`);
  }

  take() {
    this.room.take(this.place, this.host.title());
    this.host.begin();
  }

  setJoining(/** @type {boolean} */ isJoining) {
    this.isJoining = isJoining;
    this.joinedAt = "";
    this.update();
    this.find("room").scrollIntoView({ block: "nearest" });
  }

  endJoining() {
    this.setJoining(false);
    this.host.focus();
  }

  /** Keys while the code covers the picture: they uncover it first. @param {KeyboardEvent} event */
  pressWhileJoining(event) {
    const covers = this.isJoining && getComputedStyle(this.find("room")).position === "absolute";
    if (!covers || !["ArrowRight", "PageDown", "Escape", " "].includes(event.key)) return;
    const target = /** @type {Partial<Element>} */ (event.composedPath()[0]);
    if (event.key === " " && target.matches?.("button")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.endJoining();
  }

  toggleShown() {
    if (!this.isVoting) return;
    this.isTallyNew = !this.isShown;
    this.room.show(!this.isShown);
  }

  voteAgain() {
    if (this.isHere) this.room.voteAgain();
  }

  /** Ends the room at the second click: it cannot be opened again. */
  end() {
    if (this.endAsked) {
      clearTimeout(this.endAsked);
      this.endAsked = 0;
      this.isJoining = false;
      this.room.end();
    } else {
      this.endAsked = setTimeout(() => ((this.endAsked = 0), this.update()), ASK_TWICE_MS);
    }
    this.update();
  }

  /** Says what this screen shows; a new question takes the place of the code to join. */
  tell(/** @type {RoomStep} */ step) {
    if (!this.isHere) return;
    this.room.tell(step);
    const open = step.right ? "" : (step.question?.key ?? "");
    this.joinedAt ||= open;
    if (this.isJoining && open && open !== this.joinedAt) this.setJoining(false);
    else this.draw();
  }

  // -- drawing

  /** Draws what has changed in the room; the picture around it only if it has to change as well. */
  update() {
    this.draw();
    const { state } = this.room;
    const now = JSON.stringify([this.isVoting, this.isShown, state?.round, state?.phase, this.isHere, this.isJoining]);
    const votes = this.isShown ? JSON.stringify(state.tallies) : "";
    if (now + votes === this.drawn) return;
    const isWhole = !this.drawn.startsWith(now);
    this.drawn = now + votes;
    this.host.changed(isWhole);
  }

  draw() {
    const { room, isHere } = this;
    const isElsewhere = Boolean(room.record) && !isHere;
    this.find("room").hidden = !room.record && !room.problem && !room.isOpening;
    this.find("room").classList.toggle("joining", this.isJoining && isHere);
    this.find("to-room")?.setAttribute("aria-pressed", isHere);
    this.find("room-name").replaceChildren(...this.nameNodes(isElsewhere));
    this.setText("room-counts", isHere ? this.counts : "");
    this.setText("room-problem", room.problem);
    this.find("room-show").hidden = !this.isVoting;
    this.find("room-show").setAttribute("aria-pressed", this.isShown);
    this.find("room-show").firstElementChild.textContent = this.isShown ? "Hide the votes" : "Show the votes";
    this.find("room-again").hidden = !isHere || !room.canVoteAgain;
    this.find("room-reveal").hidden = !this.isVoting || room.state.phase === "revealed";
    this.find("room-code").hidden = !isHere;
    this.find("room-code").setAttribute("aria-pressed", this.isJoining);
    this.find("room-here").hidden = !isElsewhere;
    this.find("room-end").hidden = !room.record;
    this.setText("room-end", this.endAsked ? "End it for everybody?" : "End the room");
    this.drawJoining(isHere && this.isJoining);
    this.announceComplete();
  }

  /** @param {string} name @param {string} text */
  setText(name, text) {
    const element = this.find(name);
    if (element.textContent !== text) element.textContent = text; // a live region reads only what is new
  }

  /** @returns {(Node | string)[]} */
  nameNodes(/** @type {boolean} */ isElsewhere) {
    const { record, isOpening } = this.room;
    if (isOpening) return ["A room is being opened …"];
    if (!record) return [];
    const name = ["Room ", make("b", "", record.code)];
    return isElsewhere ? [...name, ` is open; it shows ${record.title}.`] : name;
  }

  /** Who is there and has voted, as text. */
  get counts() {
    const { state, isConnected } = this.room;
    if (!state) return isConnected ? "" : "connecting …";
    const here = `${grouped(state.here)} here`;
    if (!this.isVoting) return `${here} · nothing is asked now`;
    return `${here} · ${grouped(state.answered)} ${state.round > 1 ? "in the second vote" : "answered"}`;
  }

  announceComplete() {
    const { state } = this.room;
    if (!this.isVoting || !state.here || state.answered < state.here) return;
    const round = `${state.question.key} ${state.round}`;
    if (round === this.saidComplete) return;
    this.saidComplete = round;
    this.host.announce(state.here === 1 ? "The only phone here has voted." : `All ${grouped(state.here)} have voted.`);
  }

  drawJoining(/** @type {boolean} */ isJoining) {
    const box = this.find("room-joining");
    box.hidden = !isJoining;
    if (!isJoining) return;
    const { record, link, state, isKept } = this.room;
    if (box.dataset.link !== link) {
      box.dataset.link = link;
      const isLocal = Boolean(record.note) && !record.host; // only this computer can reach it
      const cells = qrCells(link);
      this.find("room-qr").replaceChildren(...(cells ? [qrNode(cells, "QR code of the room’s address")] : []));
      this.find("room-address").textContent = shortAddress(link).slice(0, -record.code.length - 1);
      this.find("room-letters").textContent = record.code;
      this.find("room-note").textContent = record.note;
      this.find("room-note").classList.toggle("urgent", isLocal);
      this.find("room-command").hidden = !isLocal || !record.note.includes("server.address");
    }
    this.setText("room-present", state ? `${grouped(state.here)} here` : "");
    this.find("room-unkept").hidden = isKept;
  }

  // -- the votes, where the picture itself has no options to draw them at

  /**
   * Draws the votes into a list beside the panel: for a question of a lesson.
   * @param {(part: RoomText) => Node[]} nodesOf
   */
  drawVotes(nodesOf) {
    this.find("votes").replaceChildren();
    this.find("sum").textContent = "";
    if (!this.isShown) return;
    const { rounds, step } = this.room;
    const { question, right } = step;
    if (question.form === "choice") {
      const correct = /** @type {number[] | null} */ (right ?? null);
      const labels = question.options.map((option) => make("span", "voted", ...nodesOf(option)));
      drawVoteList(this.find("votes"), labels, votesOfOptions(rounds, labels.length, correct));
      this.find("sum").textContent = sumOfRounds(rounds, correct);
    } else {
      const { groups, rest } = this.room.groups(MOST_GROUPS);
      const labels = groups.map(({ answer }) => make("span", "voted", ...this.answerNodes(answer, nodesOf)));
      const all = rest.map((others, round) => [...groups.map((group) => group.rounds[round]), others]);
      const bars = groups.map((group) => group.rounds.map((votes, round) => votesNode(votes, all[round], group.isRight)));
      drawVoteList(this.find("votes"), labels, bars);
      const others = everybody(rest.at(-1) ?? NOBODY);
      const told = /** @type {RoomAnswer} */ (Array.isArray(right) && typeof right[0] === "number" ? right : right?.[0]);
      this.find("sum").replaceChildren(
        others ? `${counted(others, "vote")} for other answers. ` : "",
        ...(right ? [make("b", "", "The answer: "), ...this.answerNodes(told, nodesOf)] : []), // perhaps nobody gave it
      );
    }
    if (this.isTallyNew) this.host.announce(`${spokenVotes(this.find("votes"))}. ${this.find("sum").textContent}`);
    this.isTallyNew = false;
  }

  /** @param {RoomAnswer} answer @param {(part: RoomText) => Node[]} nodesOf @returns {Node[]} */
  answerNodes(answer, nodesOf) {
    if (!Array.isArray(answer)) return [make("bdi", "", String(answer))];
    const { options, form } = this.room.step.question;
    const parts = answer.map((n) => make("span", "", ...nodesOf(options[n] ?? [])));
    return parts.flatMap((part, i) => (i ? [document.createTextNode(form === "order" ? " → " : ", "), part] : [part]));
  }
}

const MOST_GROUPS = 8; // of equal typed answers that are shown

/** An address as one writes it, without the protocol. */
const shortAddress = (/** @type {string} */ url) => url.replace(/^https?:\/\//, "");
