// A class that answers a lesson in the app: the code of one's first answers, and those of a class.
// The answers are judged in Python, which tells the first ones. In front of it: answers.js.

/** @typedef {{ data: ClassMessage, wish: (n: number) => void, answers?: ClassAnswers }} Room */

/** By element. @type {WeakMap<ShadowRoot, Room>} */
const rooms = new WeakMap();

function roomIn(/** @type {ShadowRoot} */ parentElement) {
  /** @type {Room} */
  const room = rooms.get(parentElement) ?? { data: null, wish: () => {} };
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
  if (room.answers.key !== data.key) room.answers.start(data.key, data.asks);
  for (const [n, ...said] of data.said) room.answers.answerCode.record(n, ...said);
  room.answers.paintClass(data.at, data.question, data.isTold);
}
