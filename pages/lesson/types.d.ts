// Messages from Python to the components of a lesson.

/** A part of a text (text.py); a token has a tint. */
type TextPart = [kind: "text" | "token" | "strong" | "word", text: string, tint?: number];

/** An answer: an option, several options, all options in order, or typed text. */
type Given = number | number[] | string | null;
type ReportAnswer = (given: Given, sureness: number) => void;

/** The expected revision of a navigation request, and the stop it comes from. */
type NavigationOrigin = [revision: number, stop: number];

/** The bar of a lesson (nav.py). */
interface NavMessage {
  stops: [heading: string, sign: string, status: string][];
  at: number;
  /** The expected revision of the next request. */
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
  /** Not in the exported file, where class.js adds the buttons. */
  asksSureness?: boolean;
}

/** The properties of a question needed to count answers. */
type CountedQuestion = Pick<Question, "form" | "options" | "right">;

/** A live room (classroom/live_room.py). */
interface LessonRoomMessage {
  title: string;
  /** The key of the attempt at the question. */
  attempt: string;
  step: RoomStep;
}

/** The classroom panel (classroom/lesson_class.py). */
interface ClassMessage {
  key: string;
  at: number;
  /** Whether the question is settled, and the right answer may be shown. */
  isSettled: boolean;
  /** The first answers to the questions. */
  firstAnswers: [stop: number, choice: number, sureness: number, isRight: boolean][];
  question: CountedQuestion | null;
  /** For each stop, whether it has a question. */
  asks: boolean[];
  origin: NavigationOrigin;
}
