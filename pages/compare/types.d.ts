// What Python sends to the strip (aligned_view_message.py, layout.py), for the type checker. Its tuples are
// arrays here.

/** A token; `only`: no other tokenizer that counts has it here. */
type StripTile = [text: string, tint: number, id: number, unknown: boolean, only: boolean, token: number];

/** What stands under the columns from `first` up to `last`. */
type StripCell = [first: number, last: number, tiles: StripTile[]];
type StripText = [first: number, last: number, text: string, space: boolean];

/** A part of the text: its stretches, and a row of cells for each tokenizer. */
type StripChunk = [raw: StripText[], rows: StripCell[][], ways: number, endsLine: boolean];

/** A token with its place: the number of its chunk, its row, and its columns. */
type StripPlace = [chunk: number, row: number, first: number, last: number, tile: StripTile];

type Direction = "ltr" | "rtl";

/** Of a row; the source is "" where it is not told. */
type StripName = [name: string, source: string];

/** For each row its model, or "", and the number of each token's word. */
type StripLeads = [
  models: string[], text: string, special: "control" | "text", words: Record<string, number>[], app: string,
];

interface StripMessage {
  names: StripName[];
  chunks: StripChunk[];
  ids: boolean;
  large: boolean;
  hint: string;
  leads: StripLeads | null;
  /** For each row, by id, what more there is to say of a token. */
  told: Record<string, string>[];
}

/** What is drawn in an element, and who watches its width. */
interface DrawnStrip {
  drawn: string;
  watcher: ResizeObserver;
  lines: HTMLElement;
  names: StripName[];
}
