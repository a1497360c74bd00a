// The message of the aligned view (aligned_view_message.py, layout.py); tuples of Python are arrays.

/** A token; `only`: no other counted tokenizer has it here. */
type AlignedTile = [text: string, tint: number, id: number, unknown: boolean, only: boolean, token: number];

/** The tiles under the columns from `first` up to `last`. */
type AlignedCell = [first: number, last: number, tiles: AlignedTile[]];
type AlignedText = [first: number, last: number, text: string, space: boolean];

/** A part of the text: its stretches, and a row of cells for each tokenizer. */
type AlignedChunk = [raw: AlignedText[], rows: AlignedCell[][], ways: number, endsLine: boolean];

/** A token with its chunk, row and columns. */
type TokenPosition = [chunk: number, row: number, first: number, last: number, tile: AlignedTile];

type Direction = "ltr" | "rtl";

/** A row's name; the source is "" if it is not shown. */
type RowName = [name: string, source: string];

/** For each row its model, or "", and the number of each token's word. */
type TokenLinks = [
  models: string[], text: string, special: "control" | "text", words: Record<string, number>[],
];

interface AlignedMessage {
  names: RowName[];
  chunks: AlignedChunk[];
  ids: boolean;
  finding: string;
  legend: string;
  /** The signs of spaces and word ends, and what each means. */
  marks: [sign: string, says: string][];
  links: TokenLinks | null;
  /** In a file: the URL of the app's pages, "" if it is not known. */
  app?: string;
  /** For each row, by id, further facts about a token. */
  tooltips: Record<string, string>[];
}

/** A mounted view: its message, and the observer of its width. */
interface MountedView {
  json: string;
  watcher: ResizeObserver;
  lines: HTMLElement;
  names: RowName[];
}
