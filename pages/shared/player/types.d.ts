// What a player is, for the type checker; what Python sends it is in message.d.ts. Nothing of this is
// sent to a browser. A file of this kind must not have the name of a script: it would be taken for it.

/** The elements of player.html of which more is used than any element has, by their classes. */
interface Kinds {
  scrubber: HTMLInputElement;
  wanted: HTMLInputElement;
  pace: HTMLSelectElement;
  mark: HTMLSelectElement;
  leap: HTMLButtonElement;
}

/** A part of the picture: its node is made once, `draw` changes what is in it. */
interface PartView {
  node: HTMLElement;
  side: string;
  draw(value: PartFrame, isMasked: boolean): void;
  /** Of a table: the width that it would like to have, in rem. */
  width?: number;
  makeRoom?(): void;
  explainPair?(pair: number[], isNew: boolean): void;
  /** Of a lattice: takes the learner's own path. */
  setPath?(path: number[]): void;
  /** Of a lattice and a flow, which presenter view scales: their picture, and their layout. */
  view?: HTMLElement;
  share?: number;
  place?(): void;
  show?(): void;
  /** Of the code: a line further, and that the next step begins at its first line. */
  advance?(): boolean;
  start?(): void;
}

/** How a prediction went; `choice` is null when the answer was only shown. */
interface Verdict {
  ask: StepQuestion;
  choice: number | null;
  isRight: boolean;
  reason: RichText;
}

/** What Streamlit gives a component to tell Python something. */
type SetState = (name: string, value: unknown) => void;

/** An arc of a word; only one with a piece has a ribbon that flows from it, and a row. */
interface FlowArcView {
  start: number;
  end: number;
  row: number | null;
  arch: SVGElement;
  piece?: number;
  ribbon?: SVGElement;
  line?: HTMLElement;
  text?: HTMLElement;
  /** In em of the picture, once it is laid out: where its flow begins. */
  from?: number;
  y?: number;
}
interface FlowBarView extends Record<"button" | "fill" | "old" | "small" | "number", HTMLElement> {
  y?: number;
}
