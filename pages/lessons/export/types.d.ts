// A lesson as its file holds it (lesson_html.py), and how it goes.

interface Lesson {
  /** The name under which the browser keeps how far somebody is. */
  storageKey: string;
  key: string;
  /** By mark: the sign of a stop in the bar, and what it means. */
  signs: Record<string, string[]>;
  stageTables: { first: number; tiles: unknown[] }[];
  stops: Stop[];
}

interface Stop {
  heading: string;
  picture: string;
  /** The key of its film, or the number of its row of tokens, if its picture has one. */
  recording?: string;
  stageTable?: number;
  /** The step, or the token, that the picture begins with. */
  at: number;
  rule: string;
  highlights: string[];
  question: Question | null;
}

/** What every question has; grading.js tells what each form has besides. */
interface Question {
  form: "choice" | "several" | "order" | "number" | "text";
  prompt: TextPart[];
  options: TextPart[][];
  tries: number;
  right: boolean[];
  /** Whether the picture waits until it is settled, and what of it alone. */
  hidesAnswer: boolean;
  masked: Maskable[];
  /** The step that shows the answer. */
  shownAt: number | null;
}

/** What the bar, or the button under a question, tells; `seen` is the stop that was shown. */
type NavigationTarget = [revision: number, stop: number, where: number | "on" | "back"];
type SubmittedAnswer = [key: string, tries: number, given: Given, sureness: number];
/** What a question tells. */
type QuestionState = [name: "answer", value: SubmittedAnswer] | [name: "target", value: NavigationTarget];
/** Hears at which step or token a picture rests. */
type OnPictureState = (name: string, value: [at: number, ...rest: unknown[]]) => unknown;

/** How far somebody is with a question: `given` is the answer, `said` what is said to it. */
interface Attempt {
  tries: number;
  state: string;
  reply: unknown[];
  given: unknown;
}
