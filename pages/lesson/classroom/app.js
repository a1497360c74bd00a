// The classroom panel in the app: the code of the student's first answers, and the class's answers. Loaded
// after lesson_engine.js and answers.js.

/** @typedef {{ data: ClassMessage, engine: LessonEngine, answers?: ClassAnswers }} ClassView */

/** By element. @type {WeakMap<ShadowRoot, ClassView>} */
const views = new WeakMap();

/** @param {Mounting<ClassMessage>} given */
export default function ({ data, parentElement }) {
  const engine = engineOf(data.lesson);
  /** @type {ClassView} */
  const view = Object.assign(views.get(parentElement) ?? {}, { data, engine });
  const paint = () => view.answers.paintLesson(view.engine, view.data.at, view.data.question);
  if (!views.has(parentElement)) {
    /** @param {string} name @returns {HTMLElement} */
    const find = (name) => parentElement.querySelector(name);
    const enter = (/** @type {number} */ n) => view.engine.navigate(n);
    view.answers = new ClassAnswers(find("#class"), find(".class-answers"), enter, paint);
    views.set(parentElement, view);
  }
  if (view.answers.key !== data.lesson) view.answers.start(data.lesson, data.asks);
  engine.listeners.class = paint;
  paint();
}
