// The message of the language mix (mix_message.py), and the types of its component.

/** A language; its lists have an item for each share of the mix. */
type MixRow = [
  code: string, name: string, native: string,
  values: (number | null)[], shown: string[], lost: number[], lostTexts: string[],
];
type MixTile = [text: string, tint: number, kind: "" | "part" | "unknown"];

/** The chosen share and language. */
interface MixState {
  at: number;
  code: string;
}

interface MixMessage {
  content: string;
  /** The chosen share and language. */
  state: [revision: number, chosen: [at: number, code: string]];
  /** The two languages. */
  first: string;
  second: string;
  /** For each share: its name, its finding, the use of its pieces in words and numbers. */
  mixes: string[];
  sentences: string[];
  users: string[];
  shares: number[][];
  unit: string;
  /** The index of half and half. */
  half: number;
  most: number;
  groups: [script: string, rows: MixRow[]][];
  legend: string;
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
}
