// A film as it comes from Python: a head, and windows of frames that are opened when the position
// comes near. What is in it is told in pages/shared/film/film.py.

/** Takes the message apart: header, head, windows. */
function unpack(message) {
  const [header, [head, ...windows]] = takeApart(message);
  return { ...header, head, windows: header.windows.map((index, i) => [index, windows[i]]) };
}

class Film {
  /** `opened` is called when more frames can be shown, `want` with a window that is missing. */
  constructor(key, head, opened, want) {
    this.key = key;
    this.head = head;
    this.opened = opened;
    this.want = want;
    this.packed = new Map();
    this.frames = new Map();
    this.wanted = -1;
  }

  receive(windows) {
    for (const [index, bytes] of windows) this.packed.set(index, bytes);
  }

  /** The frame at a position, or undefined while its window is on the way. */
  at(position) {
    return this.frames.get(Math.floor(position / this.head.window))?.[position % this.head.window];
  }

  /** Opens or requests the window of a position, then its neighbours. */
  prepare(position) {
    const here = Math.floor(position / this.head.window);
    const final = Math.floor(this.head.last / this.head.window);
    const near = [here, here + 1, here - 1].filter((index) => index >= 0 && index <= final);
    near.filter((index) => this.packed.has(index)).forEach((index) => this.open(index));
    const missing = near.find((index) => !this.packed.has(index));
    if (missing !== undefined && missing !== this.wanted) this.want((this.wanted = missing));
  }

  async open(index) {
    if (this.frames.has(index)) return;
    this.frames.set(index, undefined); // so that it is opened once
    this.frames.set(index, await inflate(this.packed.get(index)));
    this.opened();
  }
}
