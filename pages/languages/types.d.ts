// What Python sends to the language mix (mix_message.py), and what is made of it, for the type checker.

/** A language; what is in its lists is for each share of the mix. */
type MixRow = [
  code: string, name: string, native: string,
  values: (number | null)[], shown: string[], lost: number[], lostSaid: string[],
];
type MixTile = [text: string, tint: number, kind: "" | "part" | "unknown"];

/** Which share is chosen, and which language is cut up. */
interface MixPlace {
  at: number;
  code: string;
}

interface MixMessage extends MixPlace {
  key: string;
  large: boolean;
  /** The two languages. */
  first: string;
  second: string;
  /** Of each share: its name, what is said of it, who needs its pieces, and how many. */
  mixes: string[];
  sentences: string[];
  users: string[];
  shares: number[][];
  unit: string;
  /** Which share is half and half. */
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

/** The place of the mix; `frame` is what was drawn there. */
interface MixRoot extends HTMLElement {
  frame?: string;
}

/** A mix that hears keys. */
interface Mix {
  root: HTMLElement;
  presenter: MixPresenter;
  step(by: number): void;
  turn(by: number): void;
}
