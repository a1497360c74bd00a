// The message of the language mix (mix_message.py), and the types of its component.

/** A language; its lists have an item for each share of the mix. */
interface MixRow {
  code: string;
  name: string;
  native: string;
  values: (number | null)[];
  shown: string[];
  lost: number[];
  lostTexts: string[];
  /** Where the ticks are: what it costs half and half, or under the usual rule. */
  ticks: (number | null)[];
  /** What it costs under the usual rule, if there are two. */
  usual: string[] | null;
  /** Its bytes for each English byte, if the bars compare with English, too. */
  bytes: number | null;
}
/** A merge: who chose it (-1 for all together), the pair, its count there, what all paid before. */
type MixTurn = [by: number, first: string, second: string, count: number, lengths: number[]];

/** Two rules side by side; the lists have an item for each share. */
interface MixRules {
  heads: [rule: string, usual: string];
  burden: [name: string, here: string, usual: string][][];
  /** The codes of the languages that choose. */
  languages: string[][];
  turns: MixTurn[][];
}
type MixTile = [text: string, tint: number, kind: "" | "part" | "unknown"];

/** The chosen share, language and merge, from 1. */
interface MixState {
  at: number;
  code: string;
  turn: number;
}

interface MixMessage {
  content: string;
  /** The chosen share, language and merge. */
  state: [revision: number, chosen: [at: number, code: string, turn: number]];
  /** The two languages. */
  first: string;
  second: string;
  /** For each share: its name, its finding, the use of its pieces in words and numbers. */
  mixes: string[];
  sentences: string[];
  users: string[];
  shares: number[][];
  unit: string;
  /** What the marks on the bars mean. */
  marks: string;
  most: number;
  groups: [script: string, rows: MixRow[]][];
  legend: string;
  /** Null unless languages choose the merges. */
  rules: MixRules | null;
  title: string;
  /** The language whose tiles these are. */
  cut: string;
  dir: string;
  tiles: MixTile[];
  /** The tiles at each share, by their numbers. */
  cuts: number[][];
}

/** The root of the mix; `frame` is the part of the message drawn last. */
interface MixRoot extends HTMLElement {
  frame?: string;
}

/** A mix that handles keys. */
interface Mix {
  root: HTMLElement;
  presenter: MixPresenter;
  step(by: number): void;
  turn(by: number): void;
  stepMerge(by: number): void;
}
