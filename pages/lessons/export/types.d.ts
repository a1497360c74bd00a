// A lesson as its file holds it (lesson_html.py), and how it goes.

interface Lesson {
  /** The name under which the browser keeps how far somebody is. */
  place: string;
  key: string;
  /** By mark: the sign of a stop in the bar, and what it means. */
  signs: Record<string, string[]>;
  rails: { first: number; tiles: unknown[] }[];
  stops: Stop[];
}

interface Stop {
  heading: string;
  picture: string;
  /** The key of its film, or the number of its row of tokens, if its picture has one. */
  film?: string;
  rail?: number;
  /** The step, or the token, that the picture begins with. */
  at: number;
  rule: string;
  spot: string[];
  question: Question | null;
}

/** What every question has; grading.js tells what each form has besides. */
interface Question {
  form: "choice" | "several" | "order" | "number" | "text";
  prompt: SaidPart[];
  options: SaidPart[][];
  tries: number;
  right: boolean[];
  /** Whether the picture waits until it is settled, and what of it alone. */
  hides: boolean;
  veil: Maskable[];
  /** The step that shows the answer. */
  shownAt: number | null;
}

/** What the bar, or the button under a question, tells; `seen` is the stop that was shown. */
type Wish = [number: number, seen: number, where: number | "on" | "back"];
type Answered = [key: string, tries: number, given: Given, sureness: number];
/** What a question tells. */
type OfQuestion = [name: "answer", value: Answered] | [name: "wish", value: Wish];
/** Hears at which step or token a picture rests. */
type HearRest = (name: string, value: [at: number, ...rest: unknown[]]) => unknown;

/** How far somebody is with a question: `given` is the answer, `said` what is said to it. */
interface Attempt {
  tries: number;
  state: string;
  said: unknown[];
  given: unknown;
}
