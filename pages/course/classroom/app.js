// A class that answers a lesson in the app: the code of one's first answers, and those of a class.
// The answers are judged in Python, which tells the first ones. In front of it: answers.js.

/** @typedef {{ key: string, data: ClassMessage, wish: (n: number) => void, answers?: ClassAnswers }} Room */

/** By element: the answers, and the lesson whose they are. @type {WeakMap<ShadowRoot, Room>} */
const rooms = new WeakMap();

function roomIn(/** @type {ShadowRoot} */ parentElement) {
  /** @type {Room} */
  const room = rooms.get(parentElement) ?? { key: "", data: null, wish: () => {} };
  if (!rooms.has(parentElement)) {
    /** @param {string} name @returns {HTMLElement} */
    const find = (name) => parentElement.querySelector(name);
    const enter = (/** @type {number} */ n) => room.wish(n);
    const paint = () => room.answers.paintClass(room.data.at, room.data.question, room.data.isTold);
    room.answers = new ClassAnswers(find("#class"), find(".asked"), enter, paint);
    rooms.set(parentElement, room);
  }
  return room;
}

/** @param {Mounting<ClassMessage>} given */
export default function ({ data, parentElement, setStateValue }) {
  const room = roomIn(parentElement);
  room.data = data;
  room.wish = (n) => setStateValue("wish", [...data.on, n]);
  if (room.key !== data.key) room.answers.start(data.key, data.asks);
  room.key = data.key;
  for (const [n, ...said] of data.said) room.answers.handing.take(n, ...said);
  room.answers.paintClass(data.at, data.question, data.isTold);
}
