// Jumps to the next step where something happens, and ticks for such steps under the slider.

const TICKS = 80; // more ticks would be indistinguishable

class Jump {
  constructor(/** @type {Player} */ player) {
    this.player = player;
    /** @template {string} Name @param {Name} name */
    this.find = (name) => player.find(name);
    this.find("leap").onclick = () => this.leap();
    this.find("wanted").onkeydown = (event) => void (event.key === "Enter" && this.leap());
    this.find("mark").onchange = () => this.updateControls(true);
  }

  /** Draws the controls for a new recording. */
  draw() {
    const { jumpTargets, newTokens } = this.player.recording.head;
    this.find("mark").replaceChildren(
      ...jumpTargets.map(([name, positions]) => make("option", "", `${name} (${positions.length})`)),
      ...(newTokens.some((token) => token >= 0) ? [make("option", "", "a token appears")] : []),
    );
    this.find("jump").hidden = !this.find("mark").length;
    this.drawTicks(jumpTargets);
  }

  drawTicks(/** @type {RecordingHead["jumpTargets"]} */ jumpTargets) {
    const all = jumpTargets.filter(([, , tick]) => tick).flatMap(([, positions]) => positions);
    const room = Math.max(this.player.last, 1);
    const slots = new Set(all.map((at) => Math.round((at / room) * Math.min(room, TICKS))));
    this.find("ticks").replaceChildren(
      ...[...slots].map((slot) => {
        const tick = make("i");
        tick.style.setProperty("--where", slot / Math.min(room, TICKS));
        return tick;
      }),
    );
  }

  /** The position of the next target, or -1. */
  target() {
    const { at, limit, recording } = this.player;
    const { jumpTargets, newTokens, tokens } = recording.head;
    const positions = jumpTargets[this.find("mark").selectedIndex]?.[1];
    const isLater = (/** @type {number} */ position) => position > at && position <= limit;
    if (positions) return positions.find(isLater) ?? -1;
    const wanted = this.find("wanted").value.replaceAll(" ", "·");
    if (!wanted) return -1;
    const all = [...newTokens.keys()].filter(
      (k) => k <= limit && tokens[newTokens[k]]?.[0].includes(wanted),
    );
    const exact = all.filter((k) => tokens[newTokens[k]][0] === wanted);
    const found = exact.length ? exact : all;
    return found.find(isLater) ?? found[0] ?? -1;
  }

  leap() {
    const target = this.target();
    this.find("wanted").classList.toggle("missed", target < 0);
    this.find("none").textContent = target < 0 ? this.missed() : "";
    if (target >= 0) return this.player.go(target);
    this.player.announce(this.find("none").textContent);
  }

  /** A message for a jump without a target. */
  missed() {
    const wanted = this.find("wanted").value;
    return wanted ? `No step makes a token with “${wanted}” in it.` : "Write a token, or a part of one.";
  }

  updateControls(/** @type {boolean} */ isChosenNow) {
    const isToken = this.find("mark").selectedIndex >= this.player.recording.head.jumpTargets.length;
    this.find("wanted").hidden = !isToken;
    if (!isToken || isChosenNow) this.find("none").textContent = "";
    this.find("leap").disabled = !isToken && this.target() < 0;
    if (isChosenNow) (isToken ? this.find("wanted") : this.find("leap")).focus();
  }
}
