// The messages of message.py, and recordings as packed by ../recording/packing.py. Tokens are numbers;
// the head of a recording has their texts.

/** A token: its visible text, and its tint. */
type Token = [text: string, tint: number];
type Segment = string | [kind: "token" | "new", token: number] | [kind: "strong" | "word" | "tie", text: string];
/** A sentence. */
type RichText = Segment[];

/** The state of a player: step, rule, and the learner's path through a lattice. */
interface PlayerState {
  step: number;
  rule: number;
  path: number[];
}

/** The state that Python sets; adopted only when its revision changes. */
type TargetState = { [Name in keyof PlayerState]: [revision: number, goal: PlayerState[Name]] };

interface PlayerMessage extends TargetState {
  key: string;
  /** The key of the recording. */
  recording: string;
  /** Compressed, like the windows. */
  head: Bytes;
  windows: [index: number, frames: Bytes][];
  lazy: boolean;
  /** The URL parameters of the state; "" if it is not in the URL. */
  urlParams: Partial<Record<keyof PlayerState, string>>;
  implicitParams: Record<string, string>;
  page: string; // its name in the URL; empty if it has none
  highlights: string[];
  until: number | null;
  masked: Maskable[];
  /** Whether a live room can be opened here: a file has no server, a lesson a panel of its own. */
  hasRoom: boolean;
  hasPredictions: boolean;
  showsQuestion: boolean;
}

/** The parts that a lesson can hide while it asks. */
type Maskable = "sentence" | "tables" | "notes";

/** The constant part of a recording. */
interface RecordingHead {
  title: string;
  last: number;
  /** Frames per window. */
  window: number;
  /** Length of the longest sentence, in characters. */
  longest: number;
  parts: PartHead[];
  /** The names of its two rules, or empty. */
  rules: string[];
  jumpTargets: [name: string, positions: number[], tick: boolean][];
  /** The token that each step creates, or -1. */
  newTokens: number[];
  hasQuestions: boolean;
  /** Those of the parts and of the first frames, and all created ones; windows add the others. */
  tokens: Token[];
}

/** Some neighboring frames. The numbers of its own tokens begin with `first`. */
interface RecordingWindow {
  first: number;
  frames: Frame[];
  /** Why arcs of a lattice have their states. */
  reasons: RichText[];
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
  /** Steps from this one to the one that shows the answer. */
  after: number;
}

// ---- the parts of the picture: the constant head of each, and its contents in a frame ----

interface PartHead {
  kind: "table" | "strips" | "note" | "lattice" | "flow" | "curves" | "code";
  caption: string;
  columns: [label: string, kind: "tokens" | "number" | "bar" | "part" | "text"][];
  when: "before" | "after";
  side: string;
  /** Lines of its fullest frame. */
  lines: number;
  /** Length of its longest label. */
  label: number;
  /** Rows shown even on a small screen, or 0 for all. */
  minRows: number;
}

interface LatticeHead extends PartHead {
  letters: string[];
  arcs: [start: number, end: number, token: number, note: string, isKnown: number][];
  /** By rule: the states that its arcs have. */
  states: string[];
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

/** Without a row it has no piece, and is drawn in the lattice only. */
type FlowArc = [start: number, end: number, piece: number | null, row: number | null];

interface CurvesHead extends PartHead {
  names: string[];
  /** By line: its value at each position. */
  values: number[][];
  target: number;
  targetLabel: string;
}

interface CodeHead extends PartHead {
  /** `isValued` marks the lines that ever have a result. */
  code: [line: string, isValued: number][];
}

type PartFrame = TableFrame | StripsFrame | NoteFrame | LatticeFrame | FlowFrame | CurvesFrame | CodeFrame;

interface TableFrame {
  lines: TableRow[];
  more: string;
  caption: string;
  headings?: string[];
}
type Cell = number[] | number | string;
type TableRow = [cells: Cell[], mark: string, reason: RichText];

interface StripsFrame {
  lines: TokenStrip[];
  more: string;
  /** In place of the lines while the step is asked about: they would give the answer away. */
  withheld?: string;
  caption: string;
}
/** Tokens before and after the step; 0 if they are the same. The gaps are before the starts of words. */
type TokenStrip = [label: string, before: number[], after: number[] | 0, fresh: number[], changed: number, gapsBefore?: number[], gapsAfter?: number[]];

interface NoteFrame {
  text: RichText;
}

/** A state and a weight digit for each arc; the text below each position. */
interface LatticeFrame {
  arcs: string;
  weights: string;
  nodes: string[];
  here: number | null;
  /** The number of each arc's reason in the window, or none. */
  reasons: number[];
}

interface FlowFrame {
  phase: string;
  /** By word. */
  arcs: FlowArcFrame[][];
  bars: FlowBar[];
  head: string;
  numberHead: string;
  rest: string;
  total: number;
  focus: number | null;
  known: number;
  value: string;
  leftOut: string;
  /** By word; empty if they are not known. */
  ways: (FlowWays | null)[];
}
type FlowArcFrame = [amount: number, share: number, text: string, isThere: number, isBest: number, quotient: string];
/** The segmentations of a word, each with its arcs, and the sum of all probabilities. */
type FlowWays = [ways: [arcs: number[], pieces: RichText, probability: string][], unit: string, total: string, rest: [text: string, probability: string] | []];
type FlowBar = [length: number, before: number | null, number: string, small: string, state: string, reason: RichText];

/** The step, and the texts beside the runners. */
interface CurvesFrame {
  at: number;
  labels: string[];
}

/** The lines executed by the step, with their results. */
interface CodeFrame {
  executed: [line: number, result: RichText][];
}
