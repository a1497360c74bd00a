// A recording: a head, and windows of frames that are fetched and unpacked when the position comes
// near. The server makes them on request (pages/shared/recording/registry.py).
// pages/shared/recording/frame_types.py describes the contents.

/** Splits the message into header, head and windows. @param {Bytes} message @returns {PlayerMessage} */
function unpack(message) {
  const [header, [head, ...windows]] = splitMessage(message);
  const numbers = /** @type {number[]} */ (header.windows);
  return { ...header, head, windows: numbers.map((index, i) => [index, windows[i]]) };
}

const MOST_OPEN = 20; // windows to either side that stay unpacked
const REFETCH_MS = 1000; // after a failed fetch, until the window of the position is fetched again
const MOST_FAILURES = 60; // in a row: the recording may no longer be shown

class Recording {
  /**
   * `opened` is called when more frames are available, `request` has Python send a window that the
   * server's route does not know.
   * @param {string} key @param {RecordingHead} head
   * @param {() => void} opened @param {(index: number) => void} request
   */
  constructor(key, head, opened, request) {
    this.key = key;
    this.head = head;
    this.opened = opened;
    this.request = request;
    this.packed = /** @type {Map<number, Bytes>} */ (new Map());
    this.windows = /** @type {Map<number, RecordingWindow | undefined>} */ (new Map());
    this.requested = this.wanted = -1;
    this.isFetching = false; // one window at a time: the wanted position may have moved on
    this.failures = 0; // of fetches in a row
  }

  receive(/** @type {PlayerMessage["windows"]} */ windows) {
    for (const [index, bytes] of windows) this.packed.set(index, bytes);
  }

  /** The frame at a position; undefined until its window has arrived. */
  at(/** @type {number} */ position) {
    return this.windowOf(position)?.frames[position % this.head.window];
  }

  /** @param {number} position @param {number | undefined} number @returns {RichText} */
  reason(position, number) {
    return this.windowOf(position)?.reasons[number] ?? [];
  }

  windowOf(/** @type {number} */ position) {
    return this.windows.get(Math.floor(position / this.head.window));
  }

  /** Unpacks or fetches the window of a position, then its neighbours. */
  prepare(/** @type {number} */ position) {
    this.wanted = position;
    const here = Math.floor(position / this.head.window);
    const final = Math.floor(this.head.last / this.head.window);
    const near = [here, here + 1, here - 1].filter((index) => index >= 0 && index <= final);
    near.filter((index) => this.packed.has(index)).forEach((index) => this.open(index));
    const missing = near.find((index) => !this.packed.has(index));
    if (missing !== undefined && !this.isFetching) this.fetch(missing);
  }

  async fetch(/** @type {number} */ index) {
    this.isFetching = true;
    const bytes = await fetchBytes(`frames/${this.key}/${index}`);
    this.isFetching = false;
    if (bytes) {
      this.failures = 0;
      this.receive([[index, bytes]]);
      this.prepare(this.wanted);
      return;
    }
    if (index !== this.requested) this.request((this.requested = index));
    this.failures += 1;
    if (this.failures > MOST_FAILURES) return;
    setTimeout(() => this.windowOf(this.wanted) || this.prepare(this.wanted), REFETCH_MS);
  }

  async open(/** @type {number} */ index) {
    if (this.windows.has(index)) return;
    this.windows.set(index, undefined); // unpack only once
    const opened = /** @type {RecordingWindow} */ (await inflate(this.packed.get(index)));
    opened.tokens.forEach((token, i) => {
      this.head.tokens[opened.first + i] = token;
    });
    this.windows.set(index, opened);
    const here = Math.floor(this.wanted / this.head.window);
    for (const far of this.windows.keys()) {
      if (Math.abs(far - here) > MOST_OPEN) this.windows.delete(far); // it stays packed
    }
    this.opened();
  }
}
