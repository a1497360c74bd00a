// The data of an exported lesson (lesson_html.py), and its state.

interface Lesson {
  /** The localStorage key of the progress. */
  storageKey: string;
  key: string;
  /** By mark: the sign in the bar, and its meaning. */
  signs: Record<string, string[]>;
  /** The heading of a question in another form. */
  againHeading: string;
  stageTables: { first: number; tiles: unknown[] }[];
  stops: Stop[];
}

/** A question and the picture beside it. */
interface Asked {
  picture: string;
  /** The key of its recording, or the index of its stage table, if its picture has one. */
  recording: string | null;
  stageTable: number | null;
  /** The initial step or token of the picture. */
  at: number;
  highlights: string[];
  question: Question | null;
}

interface Stop extends Asked {
  heading: string;
  rule: string;
  /** Its other forms, for when it is asked again. */
  variants: Asked[];
}

/** The properties common to all questions; see grading.js for those of each form. */
interface Question {
  form: "choice" | "several" | "order" | "number" | "text";
  prompt: TextPart[];
  options: TextPart[][];
  tries: number;
  right: boolean[];
  /** Whether the picture stops at the question, and which of its parts are masked meanwhile. */
  hidesAnswer: boolean;
  masked: Maskable[];
  /** The step with the answer. */
  shownAt: number | null;
}

/** A request of the bar or of the button below a question; `stop` is where it was made. */
type NavigationTarget = [revision: number, stop: number, where: number | "on" | "back"];
type SubmittedAnswer = [key: string, tries: number, given: Given, sureness: number];
/** A value reported by a question. */
type QuestionState = [name: "answer", value: SubmittedAnswer] | [name: "target", value: NavigationTarget];
/** Receives the step or token selected in a picture. */
type OnPictureState = (name: string, value: [at: number, ...rest: unknown[]]) => unknown;

/** The state of a question: `given` is the last answer, `reply` the reply to it. */
interface Attempt {
  tries: number;
  state: string;
  reply: unknown[];
  given: unknown;
}
