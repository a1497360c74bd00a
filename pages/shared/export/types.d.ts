// What precedes the script of an exported HTML file: components of the app, each as one function
// (standalone_html.py).

/** What a component is mounted with: its message, its element, and the callback to Python. */
interface Mounting<Data> {
  data: Data;
  parentElement: ShadowRoot;
  setStateValue?(name: string, value: unknown): void;
}
type Mount<Data = object> = (given: Mounting<Data>) => void;

/** The component of the prerendered start page (start/prerender.py). */
declare const mount: Mount;
declare const mountNav: Mount;
declare const mountQuestion: Mount;
declare const mountEnd: Mount;
declare const mountStages: Mount;
declare const mountPlayer: Mount<Uint8Array>;
/** The components of a document, by name (document_html.py). */
declare const mounts: Record<string, Mount<Uint8Array>>;
declare const mountTerms: () => void;
declare const mountOverlays: () => void;

/** How a file shows a picture: written by document_html.py. */
interface PictureConfig {
  component: string;
  /** The name of the component's state value, or "". */
  stateName: string;
  parts: StatePart[];
}

/** A part of a component's state; each of its values has a word in the URL, if they are listed. */
interface StatePart {
  name: string;
  param: string;
  initial: StateValue;
  values: StateValue[];
  words: string[];
}
type StateValue = number | string;
