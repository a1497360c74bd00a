interface Window {
  /** In presenter view: where the boxes of a lesson may stand, by their names (presenter_slots.js). */
  presenterSlots: Record<string, Element> | null;

  /** What hears where each player rests, by the player's key (player/step_listener.js). */
  stepListeners?: Map<string, (report: number[]) => void>;

  /** The browser's own reader of QR codes, where it has one. */
  BarcodeDetector: new (options: { formats: string[] }) => {
    detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
  };
}

/** A message, or a part of one. */
type Bytes = Uint8Array<ArrayBuffer>;

/** The terms of the glossary: how each is written, and what it means (player/assets.py). */
declare const GLOSSARY: [string[], string][];

/** What an attribute or a variable of CSS is given becomes text there, a number or a truth value, too. */
interface Element {
  setAttribute(name: string, value: string | number | boolean): void;
}
interface CSSStyleDeclaration {
  setProperty(name: string, value: string | number): void;
}
