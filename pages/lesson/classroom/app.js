// The classroom panel in the app: the code of the student's first answers, and the class's answers.
// Python grades the answers and sends the first ones. Loaded after answers.js.

/** @typedef {{ data: ClassMessage, navigate: (n: number) => void, answers?: ClassAnswers }} ClassView */

/** By element. @type {WeakMap<ShadowRoot, ClassView>} */
const views = new WeakMap();

function viewIn(/** @type {ShadowRoot} */ parentElement) {
  /** @type {ClassView} */
  const view = views.get(parentElement) ?? { data: null, navigate: () => {} };
  if (!views.has(parentElement)) {
    /** @param {string} name @returns {HTMLElement} */
    const find = (name) => parentElement.querySelector(name);
    const enter = (/** @type {number} */ n) => view.navigate(n);
    const paint = () => view.answers.paintClass(view.data.at, view.data.question, view.data.isSettled);
    view.answers = new ClassAnswers(find("#class"), find(".class-answers"), enter, paint);
    views.set(parentElement, view);
  }
  return view;
}

/** @param {Mounting<ClassMessage>} given */
export default function ({ data, parentElement, setStateValue }) {
  const view = viewIn(parentElement);
  view.data = data;
  view.navigate = (n) => setStateValue("target", [...data.origin, n]);
  if (view.answers.key !== data.key) view.answers.start(data.key, data.asks);
  for (const [n, ...first] of data.firstAnswers) view.answers.answerCode.record(n, ...first);
  view.answers.paintClass(data.at, data.question, data.isSettled);
}
