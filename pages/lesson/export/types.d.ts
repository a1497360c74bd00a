// The data of an exported lesson (lesson_html.py), and its state.

interface Lesson {
  /** The localStorage key of the progress. */
  storageKey: string;
  key: string;
  /** By mark: the sign in the bar, and its meaning. */
  signs: Record<string, [sign: string, meaning: string]>;
  /** The heading of a question in another form. */
  againHeading: string;
  openText: string;
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
  question: AskedQuestion | null;
}

interface Stop extends Asked {
  heading: string;
  rule: string;
  /** Its other forms, for when it is asked again. */
  variants: Asked[];
}

/** A question, and how the picture beside it hides the answer and shows it. */
interface AskedQuestion extends Question {
  /** Whether the picture stops at the question, and which of its parts are masked meanwhile. */
  hidesAnswer: boolean;
  masked: Maskable[];
  /** The step with the answer. */
  shownAt: number | null;
}

/** Receives the step or token selected in a picture. */
type OnPictureState = (name: string, value: [at: number, ...rest: unknown[]]) => unknown;
