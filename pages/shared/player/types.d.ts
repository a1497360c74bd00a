// Types of the player for the type checker; those of its messages are in message.d.ts. A declaration
// file must not have the name of a script, or it would replace it.

/** The elements of player.html with special types, by class. */
interface Kinds {
  scrubber: HTMLInputElement;
  wanted: HTMLInputElement;
  pace: HTMLSelectElement;
  mark: HTMLSelectElement;
  leap: HTMLButtonElement;
}

/** A part of the picture: its node is created once, `draw` updates it. */
interface PartView {
  node: HTMLElement;
  side: string;
  draw(value: PartFrame, isMasked: boolean): void;
  /** Measures it before it is drawn; the function returned moves it from there, once it is. */
  track?(): () => void;
  /** Of a table: its preferred width, in rem. */
  width?: number;
  makeRoom?(): void;
  /** Of a table of pairs: why this pair was or wasn't chosen. */
  reasonOfPair?(pair: number[], isNew: boolean): (Node | string)[];
  /** Of a lattice: sets the learner's path. */
  setPath?(path: number[]): void;
  /** Of a lattice and a flow, which are scaled to fit. */
  view?: HTMLElement;
  share?: number;
  place?(): void;
  show?(): void;
  /** Of the code: highlights the next line; lets the next step begin at its first line. */
  advance?(): boolean;
  start?(): void;
}

/** The result of a prediction; `choice` is null if the answer was only shown. */
interface Verdict {
  ask: StepQuestion;
  choice: number | null;
  isRight: boolean;
  reason: RichText;
}

/** A question that was asked; `after` of `ask` says how many steps later its answer is shown. */
interface AskedQuestion {
  recording: string;
  rule: number;
  position: number;
  gate: number;
  ask: StepQuestion;
}

/** Streamlit's callback for values sent to Python. */
type SetState = (name: string, value: unknown) => void;

/** An arc of a word; only arcs with a piece have a ribbon and a row. */
interface FlowArcView {
  start: number;
  end: number;
  row: number | null;
  arch: SVGElement;
  piece?: number;
  ribbon?: SVGElement;
  line?: HTMLButtonElement;
  text?: HTMLElement;
  /** The start of its flow, in em of the picture, once laid out. */
  from?: number;
  y?: number;
}
interface FlowBarView extends Record<"button" | "fill" | "old" | "small" | "number", HTMLElement> {
  y?: number;
}

/** A part whose picture is scaled to fit (row_budget.js). */
interface FittedPart {
  node: HTMLElement;
  view: HTMLElement;
  place(): void;
  show(): void;
}
