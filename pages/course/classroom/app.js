// A class that answers a lesson in the app: the code of one's first answers, and those of a class.
// The answers are judged in Python, which tells the first ones. In front of it: answers.js.

const rooms = new WeakMap(); // by element: the answers, and the lesson whose they are

function roomIn(parentElement) {
  const room = rooms.get(parentElement) ?? { key: "", data: null, wish: () => {} };
  if (!rooms.has(parentElement)) {
    const find = (name) => parentElement.querySelector(name);
    const enter = (n) => room.wish(n);
    const paint = () => room.answers.paintClass(room.data.at, room.data.question, room.data.isTold);
    room.answers = new ClassAnswers(find("#class"), find(".asked"), enter, paint);
    rooms.set(parentElement, room);
  }
  return room;
}

export default function ({ data, parentElement, setStateValue }) {
  const room = roomIn(parentElement);
  room.data = data;
  room.wish = (n) => setStateValue("wish", [...data.on, n]);
  if (room.key !== data.key) room.answers.start(data.key, data.asks);
  room.key = data.key;
  for (const [n, ...said] of data.said) room.answers.handing.take(n, ...said);
  room.answers.paintClass(data.at, data.question, data.isTold);
}
