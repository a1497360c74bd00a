// A lesson as its file holds it (lesson_file.py), and how it goes.

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

/** What every question has; judging.js tells what each form has besides. */
interface Question {
  form: "choice" | "several" | "order" | "number" | "text";
  prompt: unknown[];
  options: unknown[];
  tries: number;
  right: boolean[];
  /** Whether the picture waits until it is settled, and what of it alone. */
  hides: boolean;
  veil: Veiled[];
  /** The step that shows the answer. */
  shownAt: number | null;
}

/** How far somebody is with a question: `given` is the answer, `said` what is said to it. */
interface Attempt {
  tries: number;
  state: string;
  said: unknown[];
  given: unknown;
}
