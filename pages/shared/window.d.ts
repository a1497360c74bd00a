interface Window {
  /** The picture that was presented last (presenter_base.js). */
  presentedRoot?: HTMLElement;

  /** What scripts of the app have written to the URL, by parameter; "" without a value (history.js). */
  ownParams?: Map<string, string>;

  /** In presenter view: the slots for a lesson's components, by name (presenter_slots.js). */
  presenterSlots: Record<string, Element> | null;

  /** Callbacks for the steps of players, by the player's key (player/step_listener.js). */
  stepListeners?: Map<string, (report: number[]) => void>;

  /** The browser's QR code reader, if it has one. */
  BarcodeDetector: new (options: { formats: string[] }) => {
    detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
  };
}

/** A binary message, or a part of one. */
type Bytes = Uint8Array<ArrayBuffer>;

/** The terms of the glossary: forms and definition (player/assets.py). */
declare const GLOSSARY: [string[], string][];

/** Attributes and CSS variables convert numbers and booleans to text. */
interface Element {
  setAttribute(name: string, value: string | number | boolean): void;
}
interface CSSStyleDeclaration {
  setProperty(name: string, value: string | number): void;
}
