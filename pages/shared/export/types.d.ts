// What is in front of the script of a file that is taken along: components of the app, each as one
// function (standalone_html.py).

/** A component is given its message and its element, and tells what Python would hear in the app. */
interface Mounting<Data> {
  data: Data;
  parentElement: ShadowRoot;
  setStateValue?(name: string, value: unknown): void;
}
type Mount<Data = object> = (given: Mounting<Data>) => void;

/** The component that a file shows; also in the prerendered start page (start/prerender.py). */
declare const mount: Mount;
declare const mountNav: Mount;
declare const mountQuestion: Mount;
declare const mountRail: Mount;
declare const mountPlayer: Mount<Uint8Array>;
declare const mountTerms: () => void;
declare const mountQrOverlay: () => void;

/** How a file shows its component: what component_html.py says of it. */
interface ComponentConfig {
  form: "object" | "json" | "headed";
  presents: boolean;
  /** The name under which the component tells its place, or "". */
  told: string;
  parts: StatePart[];
}

/** A part of the place; each of its values has its word in the address. */
interface StatePart {
  name: string;
  inAddress: string;
  own: StateValue;
  values: StateValue[];
  words: string[];
}
type StateValue = number | string;

/** Where a component is: the values of its parts, by their names. */
type ComponentState = Record<string, StateValue>;
