// What Python sends to the components of a lesson, for the type checker.

/** A part of a sentence (text.py); a token has a tint. */
type TextPart = [kind: "text" | "token" | "strong" | "word", text: string, tint?: number];

/** What was answered: an option, several or all in order, or what was written. */
type Given = number | number[] | string | null;
type ReportAnswer = (given: Given, sureness: number) => void;

/** With a wish goes its number, and the stop where it was made. */
type NavigationOrigin = [revision: number, stop: number];

/** The bar of a lesson (nav.py). */
interface NavMessage {
  stops: [heading: string, sign: string, status: string][];
  at: number;
  /** The number of the next wish. */
  revision: number;
  after: string;
}

/** The question of a stop (question.py). */
interface QuestionMessage {
  key: string;
  form: Question["form"];
  prompt: TextPart[];
  options: TextPart[][];
  tries: number;
  state: "open" | "right" | "shown";
  reply: TextPart[];
  given: Given;
  origin: NavigationOrigin;
  large: boolean;
  /** Not in a file, where the class asks. */
  asksSureness?: boolean;
}

/** Of a question, what its answers are counted by. */
type CountedQuestion = Pick<Question, "form" | "options" | "right">;

/** A class that answers (classroom/lesson_class.py). */
interface ClassMessage {
  key: string;
  at: number;
  /** Whether it may be told what is right. */
  isSettled: boolean;
  /** What was answered first. */
  firstAnswers: [stop: number, choice: number, sureness: number, isRight: boolean][];
  question: CountedQuestion | null;
  /** Of each stop: whether it has a question. */
  asks: boolean[];
  origin: NavigationOrigin;
}
