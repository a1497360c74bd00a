// The answers of a class, for the type checker.

/** An answer; a gate is the number of a question (see Player.gate). */
type Answer = [gate: number, choice: number, sureness: number];

/** Why a code does not count. */
type Problem = "damaged" | "version" | "run";

/** The contents of a code, or its problem. */
interface DecodedCode {
  problem?: Problem;
  run?: number;
  student?: number;
  answers?: Answer[];
}

/** A text with codes: those that count, the number of repeated ones and of lines without one. */
interface DecodedClass {
  count: DecodedCode[];
  problems: { line: number; text: string; problem: Problem }[];
  again: number;
  idle: number;
}

/** The votes for an option, by sureness: not stated, not sure, sure. */
type Votes = number[];
/** By option. */
type Choices = Map<number, Votes>;

/** Elements with special types, by class; more in ../types.d.ts. */
interface Kinds {
  "codes-in": HTMLTextAreaElement;
  "my-qr": HTMLDetailsElement;
  "of-class": HTMLDetailsElement;
  "scan-view": HTMLVideoElement;
}
type Found<Name extends string> = Name extends keyof Kinds ? Kinds[Name] : HTMLElement;
/** Returns the element of a class. */
type Find = <Name extends string>(name: Name) => Found<Name>;

// ---- the live room (room.js; the server's side is pages/room) ----

/** The room that this browser has opened; `tab` and `place` say from where it is moved. */
interface RoomRecord {
  code: string;
  /** Known to this browser only: whoever has it moves the room. */
  secret: string;
  /** The host that phones need in place of this page's, or "". */
  host: string;
  /** Who can reach it, or "". */
  note: string;
  title: string;
  tab: string;
  place: string;
  /** In milliseconds. */
  usedAt: number;
}

/** A text for phones, as `segments` of pages/lesson/text.py makes it. */
type RoomText = [kind: "text" | "token" | "strong" | "word", text: string, tint?: number][];
/** An option, several or all of them in order, or a typed text. */
type RoomAnswer = number | number[] | string;

interface RoomQuestion {
  key: string;
  prompt: RoomText;
  form: "choice" | "several" | "number" | "text" | "order";
  options: RoomText[];
}

/** What the teacher's screen shows: a step, and perhaps its question; `right` once it is answered. */
interface RoomStep {
  label: string;
  question: RoomQuestion | null;
  right?: number[] | string[] | null;
  /** Of a number. */
  tolerance?: number;
  /** Of an order: pairs of options, the first comes earlier. */
  before?: [number, number][];
}

/** Without an answer: the votes for all answers that the server does not list. */
type RoomTally = { answer: RoomAnswer | null; sure: Votes }[];

interface RoomState {
  code: string;
  label: string;
  question: RoomQuestion | null;
  round: 1 | 2;
  phase: "waiting" | "open" | "revealed";
  isShown: boolean;
  here: number;
  answered: number;
  /** By round. */
  tallies?: RoomTally[];
}

/** Equal answers, with their votes by round. */
interface RoomGroup {
  answer: RoomAnswer;
  rounds: Votes[];
  isRight: boolean;
}

/** The server's answer to a request for a room: its code and secret, or an error. */
interface OpenedRoom {
  error?: string;
  code?: string;
  secret?: string;
  /** The hosts that phones need in place of this page's. */
  addresses?: string[];
  note?: string;
}

/** A "pause" holds until the next state; "still" says only that the connection is alive. */
type RoomMessage = { type: "welcome" | "still" } | { type: "error" | "pause"; text: string } | { type: "state"; state: RoomState };

/** What a room's panel needs of the component that it is a part of. */
interface RoomHost {
  /** What the screen shows, as a teacher in another tab knows it. */
  title(): string;
  /** Called when the room is moved from here: asks first from now on. */
  begin(): void;
  /** Shows the answer to the open question. */
  reveal(): void;
  /** Draws the votes again, and the rest around them if it `isWhole`. */
  changed(isWhole: boolean): void;
  announce(text: string): void;
  /** Gives the focus back to the picture. */
  focus(): void;
}
