// Messages from Python to the components of a lesson.

/** A part of a text (text.py); a token has a tint. */
type TextPart = [kind: "text" | "token" | "strong" | "word", text: string, tint?: number];

/** An answer: an option, several options, all options in order, or typed text. */
type Given = number | number[] | string | null;

/** The properties common to all questions (question_json.py); see grading.js for those of each form. */
interface Question {
  form: "choice" | "several" | "order" | "number" | "text";
  prompt: TextPart[];
  options: TextPart[][];
  tries: number;
  right: boolean[];
}

/** The state of a question: `given` is the last answer, `reply` the reply to it. */
interface Attempt {
  tries: number;
  state: "open" | "right" | "shown";
  reply: TextPart[];
  given: Given;
}

type FirstAnswer = [choice: number, sureness: number, isRight: boolean];

/** What the engine reports to state.py. */
type EngineReport = [
  stop: number,
  marks: string,
  starts: number,
  rounds: number[],
  settled: number[],
  firstAnswers: [stop: number, choice: number, sureness: number, isRight: boolean][],
];

declare var lessonEngines: Record<string, LessonEngine> | undefined;

/** The bar of a lesson (panels.py). */
interface NavMessage {
  /** The lesson's key. */
  lesson: string;
  headings: string[];
  /** By mark: the sign in the bar, and its meaning. */
  signs: Record<string, [sign: string, meaning: string]>;
  /** In the app, what Python knows of the learner. A new revision is set by Python. */
  server?: { revision: number; asks: boolean[]; known: EngineReport };
}

/** The question of a stop (panels.py). */
interface QuestionMessage {
  lesson: string;
  /** The key of the question in its round, as in lesson_engine.js. */
  key: string;
  at: number;
  question: Question;
}

/** A question as it is drawn. */
interface DrawnQuestion extends Attempt, Pick<Question, "form" | "prompt" | "options"> {
  asksSureness: boolean;
}

/** The end of a lesson (panels.py). */
interface EndMessage {
  lesson: string;
  headings: string[];
  openText: string;
}

/** The properties of a question needed to count answers. */
type CountedQuestion = Pick<Question, "form" | "options" | "right">;

/** A live room (classroom/live_room.py). */
interface LessonRoomMessage {
  lesson: string;
  at: number;
  title: string;
  /** The key of the attempt at the question. */
  attempt: string;
  question: Question | null;
  step: RoomStep;
}

/** The classroom panel (classroom/lesson_class.py). */
interface ClassMessage {
  lesson: string;
  at: number;
  question: CountedQuestion | null;
  /** For each stop, whether it has a question. */
  asks: boolean[];
}
