// What Python sends to the player: message.py, and the recording as ../recording/packing.py packs it. A recording's
// tokens are numbers everywhere; what each looks like is in its head.

/** A token: its visible text, and its tint. */
type Token = [text: string, tint: number];
type Segment = string | [kind: "token" | "new", token: number] | [kind: "strong" | "word" | "tie", text: string];
/** A sentence. */
type RichText = Segment[];

/** Where a player may be: its step, by which rule, and the learner's own path through a lattice. */
interface PlayerState {
  step: number;
  rule: number;
  path: number[];
}

/** What Python wishes: where to be, with the number of the wish. The same number asks for nothing. */
type TargetState = { [Name in keyof PlayerState]: [sent: number, goal: PlayerState[Name]] };

interface PlayerMessage extends TargetState {
  key: string;
  /** The key of the recording. */
  recording: string;
  /** Packed, as are the windows. */
  head: Bytes;
  windows: [index: number, frames: Bytes][];
  presenter: boolean;
  lazy: boolean;
  /** What the places are called in the address; "" where it does not hold them. */
  urlParams: Partial<Record<keyof PlayerState, string>>;
  implicitParams: Record<string, string>;
  page: string; // its name in the address; empty where it has none
  highlights: string[];
  until: number | null;
  masked: Maskable[];
  hasPredictions: boolean;
  showsQuestion: boolean;
}

/** What a lesson can have hidden while it asks. */
type Maskable = "sentence" | "tables" | "notes";

/** What stays the same through a recording. */
interface RecordingHead {
  title: string;
  last: number;
  /** Frames in a window. */
  window: number;
  /** Characters of its longest sentence. */
  longest: number;
  parts: PartHead[];
  /** The names of its two rules, or none. */
  rules: string[];
  jumpTargets: [name: string, positions: number[], tick: boolean][];
  /** The token that each step makes, or -1. */
  newTokens: number[];
  hasQuestions: boolean;
  tokens: Token[];
}

/** One position of a recording; `other` is the same step by the second rule. */
interface Frame {
  sentence: RichText;
  parts: PartFrame[];
  question?: StepQuestion;
  other?: Frame;
}

/** The question about a step; its options are made of tokens. */
interface StepQuestion {
  prompt: RichText;
  options: number[][];
  correct: number[];
  explanation: RichText;
  hints: RichText[];
}

// ---- the parts of the picture: what stays the same of each, and what a frame has of it ----

interface PartHead {
  kind: "table" | "strips" | "note" | "lattice" | "flow" | "code";
  caption: string;
  columns: [label: string, kind: "tokens" | "number" | "bar" | "part" | "text"][];
  when: "before" | "after";
  side: string;
  /** Of its fullest frame. */
  lines: number;
  /** Characters of its longest label. */
  label: number;
  /** Rows that are shown however little room there is, or 0: all are. */
  minRows: number;
}

interface LatticeHead extends PartHead {
  letters: string[];
  arcs: [start: number, end: number, token: number, note: string, isKnown: number][];
  /** By rule: which states its arcs have. */
  states: string[];
  /** By rule: what is said, and of each arc in turn a position and the number of what is said. */
  reasons: [texts: RichText[], ofArcs: number[][]][];
}

interface FlowHead extends PartHead {
  words: [label: string, letters: string[], arcs: FlowArc[]][];
  /** The tokens that have bars. */
  pieces: number[];
  strongest: number;
  widest: number;
  longest: number;
  curve: [position: number, value: number][];
  curveTitle: string;
}

/** Without a row it has no piece either, and is drawn in the lattice alone. */
type FlowArc = [start: number, end: number, piece: number | null, row: number | null];

interface CodeHead extends PartHead {
  /** `isValued` tells the lines that ever make something. */
  code: [line: string, isValued: number][];
}

type PartFrame = TableFrame | StripsFrame | NoteFrame | LatticeFrame | FlowFrame | CodeFrame;

interface TableFrame {
  lines: Row[];
  more: string;
  caption: string;
  headings?: string[];
}
type Cell = number[] | number | string;
type Row = [cells: Cell[], mark: string, why: RichText];

interface StripsFrame {
  lines: Strip[];
  more: string;
  caption: string;
}
/** Tokens before and after the step; 0 after it where they are the same. */
type Strip = [label: string, before: number[], after: number[] | 0, fresh: number[], changed: number];

interface NoteFrame {
  text: RichText;
}

/** Of each arc its state and a digit for its weight; of each position what is under it. */
interface LatticeFrame {
  arcs: string;
  weights: string;
  nodes: string[];
  here: number | null;
}

interface FlowFrame {
  phase: string;
  /** By word. */
  arcs: FlowArcFrame[][];
  bars: FlowBar[];
  head: string;
  rest: string;
  total: number;
  focus: number | null;
  known: number;
  value: string;
  leftOut: string;
}
type FlowArcFrame = [amount: number, share: number, text: string, isThere: number, isBest: number];
type FlowBar = [length: number, before: number | null, number: string, small: string, state: string, why: RichText];

/** The lines that the step has run, each with what it has made. */
interface CodeFrame {
  executed: [line: number, made: RichText][];
}
