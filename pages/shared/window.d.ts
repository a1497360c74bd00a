interface Window {
  /** In presenter view: where the boxes of a lesson may stand, by their names (staged.js). */
  presenterPlaces: Record<string, Element> | null;

  /** What hears where each player rests, by the player's key (player/ear.js). */
  ears?: Map<string, (said: number[]) => void>;

  /** The browser's own reader of QR codes, where it has one. */
  BarcodeDetector: new (options: { formats: string[] }) => {
    detect(image: HTMLVideoElement): Promise<{ rawValue: string }[]>;
  };
}

/** The terms of the glossary: how each is written, and what it means (player/assets.py). */
declare const GLOSSARY: [string[], string][];

/** The component that a script is put behind: Start's first look (start/first_look.py). */
declare const mount: (shown: { data: Uint8Array; parentElement: ShadowRoot }) => void;
